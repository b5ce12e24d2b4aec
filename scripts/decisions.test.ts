import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const folder = path.join(root, 'docs/decisions');
const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');
const index = read('README.md');
const decisions = readdirSync(folder).filter((file) => file !== 'README.md');

test('the index has each decision once, with its number and title', () => {
  const lines = index.split('\n').filter((line) => line.startsWith('- '));
  const expected = decisions.map((file) => {
    const [, number, title] = /^# (\d{4}):? (.+)$/m.exec(read(file)) ?? [];
    return `- [${number}](${file}) ${title}`;
  });
  expect(lines.toSorted()).toEqual(expected.toSorted());
});

test('each number is used once, and begins the name of its file', () => {
  const numbers = decisions.map((file) => /^# (\d{4})/.exec(read(file))?.[1]);
  expect(decisions.map((file) => file.slice(0, 4))).toEqual(numbers);
  expect(new Set(numbers).size).toBe(numbers.length);
});

test.each(['README.md', ...decisions])('links and files named in %s exist', (file) => {
  const text = read(file);
  const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link = '']) =>
    path.join(folder, link),
  );
  const named = [...text.matchAll(/`([\w./-]+\.(?:tsx?|mjs|json|md))`/g)].map(([, name = '']) => name);
  const all = repositoryFiles();
  expect(links.filter((link) => !all.some((one) => one === link || one.startsWith(`${link}/`)))).toEqual([]);
  expect(named.filter((name) => !all.some((one) => one.endsWith(`/${name}`)))).toEqual([]);
});

let files: string[] | undefined;

/** All files of the repository but what is installed, built or stored. */
function repositoryFiles(): string[] {
  files ??= filesIn(root);
  return files;
}

function filesIn(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    if (/^(node_modules|dist|\.(git|data|cache))$/.test(entry.name)) return [];
    const at = path.join(directory, entry.name);
    return entry.isDirectory() ? filesIn(at) : [at];
  });
}
