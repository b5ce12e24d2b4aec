import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...markdownIn('docs'),
  ...markdownIn('docs/why'),
];
/** Paths from the root in code spans; those with a placeholder are none. */
const named = /`((?:apps|packages|infra|scripts|tests|docs)\/[\w./-]+)`/g;
const linked = /\]\(([^)#:\s]+)(?:#[^)]*)?\)/g;
/** `symbol` in `path`, also of several symbols. */
const places = /((?:`[\w.-]+`(?:,| and|) )+)in `((?:apps|packages|infra|scripts|tests)\/[\w./-]+\.\w+)`/g;
/** Names of source files, also without their folder. */
const sources = /`([\w./-]+\.tsx?)`/g;
const commands = /`npm run ([\w:]+)/g;

function markdownIn(folder: string): string[] {
  return readdirSync(path.join(root, folder)).flatMap((name) =>
    name.endsWith('.md') ? [`${folder}/${name}`] : [],
  );
}

const textOf = (page: string) => readFileSync(path.join(root, page), 'utf8');

test.each(pages)('the paths and links of %s exist', (page) => {
  const text = textOf(page);
  const paths = [...text.matchAll(named)].map(([, name = '']) => path.join(root, name));
  const links = [...text.matchAll(linked)].map(([, to = '']) => path.join(root, path.dirname(page), to));
  expect([...paths, ...links].filter((one) => !existsSync(one))).toEqual([]);
});

const sourceFiles = globSync('{*,{apps,packages,infra,scripts,tests}/**/*}.{ts,tsx}', {
  cwd: root,
  exclude: ['**/node_modules/**'],
}).map((file) => `/${file}`);

test.each(pages)('the source files that %s names exist', (page) => {
  const names = [...textOf(page).matchAll(sources)].map(([, name = '']) => name);
  expect(names.filter((name) => !sourceFiles.some((file) => file.endsWith(`/${name}`)))).toEqual([]);
});

test.each(pages)('the symbols that %s finds in files are there', (page) => {
  const missing = [...textOf(page).matchAll(places)].flatMap(([, symbols = '', file = '']) => {
    const source = existsSync(path.join(root, file)) ? textOf(file) : '';
    const isThere = (symbol: string) =>
      new RegExp(`(?<![\\w-])${RegExp.escape(symbol)}(?![\\w-])`).test(source);
    const names = [...symbols.matchAll(/`([^`]+)`/g)].map(([, symbol = '']) => symbol);
    return names.filter((symbol) => !isThere(symbol)).map((symbol) => `${symbol} in ${file}`);
  });
  expect(missing).toEqual([]);
});

test.each(pages)('the commands of %s exist', (page) => {
  const { scripts } = JSON.parse(textOf('package.json'));
  const names = [...textOf(page).matchAll(commands)].map(([, name = '']) => name);
  expect(names.filter((name) => !(name in scripts))).toEqual([]);
});

/** Parts of the tree of ARCHITECTURE.md whose folders it names. Those for tests are not named. */
const namedFolders = [
  ...['apps/web/src', 'apps/web/src/features', 'apps/web/src/features/import', 'apps/simulators'],
  ...['packages/csv/src', 'packages/domain/src', 'packages/core/src'],
];

test('the tree of ARCHITECTURE.md names the folders that exist', () => {
  const [, tree = ''] = /## The tree\n+```\n([\s\S]*?)```/.exec(textOf('docs/ARCHITECTURE.md')) ?? [];
  const missing = namedFolders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'testing' && entry.name !== 'node_modules')
      .flatMap(({ name }) => (new RegExp(`[\\s/]${name}/`).test(tree) ? [] : [`${folder}/${name}`])),
  );
  expect(missing).toEqual([]);
});
