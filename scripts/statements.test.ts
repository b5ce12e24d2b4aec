import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Folders whose statements are kept short, and the most CTEs that one has there, those of its parts included. */
const shortFolders = ['packages/core/src/suppliers'];
const ctesMax = 6;

/** A template of SQL: its literal texts, and the code between them. `isRun`: a statement, not a part of others. */
type Template = { from: number; to: number; texts: string; code: string; isRun: boolean };

type Source = {
  name: string;
  text: string;
  templates: Template[];
  imported: Set<string>;
  /** Where the declarations of each name begin and end. */
  declared: Map<string, [number, number][]>;
};

/** Reads a template, or code in it, from `at` up to its end. */
function readTo(text: string, at: number, end: '`' | '}'): { at: number; texts: string; code: string } {
  const read = { '`': '', '}': '' };
  for (let depth = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (char === end && depth === 0) return { at, texts: read['`'], code: read['}'] };
    const opensCode = end === '`' && text.startsWith('${', at);
    if (opensCode || (end === '}' && char === '`')) {
      const inner = readTo(text, at + (opensCode ? 2 : 1), opensCode ? '}' : '`');
      read['`'] += ` ${inner.texts}`;
      read['}'] += ` ${inner.code}`;
      at = inner.at;
      continue;
    }
    if (end === '}') depth += { '{': 1, '}': -1 }[char] ?? 0;
    read[end] += char;
  }
  throw new Error('A template does not end');
}

function templatesIn(text: string): Template[] {
  const found: Template[] = [];
  const tags = /\b(sql|query[A-Z]\w+|findRow|hasRows)(?:<[^`()]*>)?(?:\(\w+\))?`/g;
  for (const { index: from, 0: tag, 1: name } of text.matchAll(tags)) {
    if (from < (found.at(-1)?.to ?? 0)) continue;
    const { at: to, ...read } = readTo(text, from + tag.length, '`');
    found.push({ ...read, from, to, isRun: name !== 'sql' || text.startsWith('.execute(', to + 1) });
  }
  return found;
}

function declarationsIn(text: string): Source['declared'] {
  const declared: Source['declared'] = new Map();
  const starts = /^( *)(?:export )?(?:const|(?:async )?function) (\w+)\b.*\n/gm;
  for (const { index: from, 0: line, 1: indent = '', 2: name = '' } of text.matchAll(starts)) {
    const rest = text.slice(from + line.length);
    const length = rest.search(new RegExp(`^ {0,${indent.length}}[^ \\n)}\\]]`, 'm'));
    const to = length === -1 ? text.length : from + line.length + length;
    declared.set(name, [...(declared.get(name) ?? []), [from, to]]);
  }
  return declared;
}

const ctesIn = (texts: string): number =>
  (texts.match(/(?<!window )\b\w+ (?:\(\w+\) )?as (?:materialized )?\(/g) ?? []).length;

/** Returns the statements of some files with the number of their CTEs, those of the parts in them included. */
function statementsIn(files: ReadonlyMap<string, string>): { place: string; ctes: number }[] {
  const sources = [...files].map(
    ([name, text]): Source => ({
      ...{ name, text, templates: templatesIn(text), declared: declarationsIn(text) },
      imported: new Set((text.match(/^import [^;]*;/gm) ?? []).flatMap((one) => one.match(/\b\w+\b/g) ?? [])),
    }),
  );
  const ctesOf = (source: Source, { texts, code }: Template, within: readonly string[]): number =>
    (code.replace(/'[^']*'/g, '').match(/\b\w+\b/g) ?? []).reduce(
      (sum, name) => sum + ctesNamed(source, name, within),
      ctesIn(texts),
    );
  // A name has the parts in its declaration, and those of the functions that a local one is read from.
  const ctesNamed = (user: Source, name: string, within: readonly string[]): number => {
    const source = user.declared.has(name)
      ? user
      : user.imported.has(name) && sources.find((one) => exports(one, name));
    if (!source || within.includes(name)) return 0;
    const counts = (source.declared.get(name) ?? []).map(([from, to]) => {
      const parts = source.templates.filter((one) => one.from >= from && one.to <= to && !one.isRun);
      const ctes = parts.map((part) => ctesOf(source, part, [...within, name]));
      const read = /^ +const \w+ = await (\w+)\(/.exec(source.text.slice(from, to))?.[1];
      return ctes.reduce((sum, one) => sum + one, read ? ctesNamed(source, read, [...within, name]) : 0);
    });
    return Math.max(0, ...counts);
  };
  return sources.flatMap((source) =>
    source.templates
      .filter(({ isRun }) => isRun)
      .map((template) => ({
        place: `${source.name}:${source.text.slice(0, template.from).split('\n').length}`,
        ctes: ctesOf(source, template, []),
      })),
  );
}

const exports = ({ text, declared }: Source, name: string) =>
  declared.has(name) && new RegExp(`^export (?:const|(?:async )?function) ${name}\\b`, 'm').test(text);

test('the CTEs of a statement are counted with those of its parts', () => {
  const files = new Map([
    ['parts.ts', 'export const two = () => sql`\n  a as (select 1), b as materialized (select 2)`;\n'],
    [
      'uses.ts',
      `import { two } from './parts.ts';
const more = (is: boolean) => sql\`, c (id) as (\${is ? sql\`select \${{ a: 1 }.a}\` : sql\`select 2\`})\`;
async function run(db: Db) {
  await sql\`select 1\`.execute(db);
  const part = await readPart(db);
  return queryRows<{ n: number }>(db)\`with \${two()}\${more(true)}, \${part}, e as (select 5) select 1\`;
}
async function readPart(db: Db) {
  const found = await queryRow(db)\`with x as (select 1) select 1\`;
  return sql\`d as (select \${found})\`;
}
`,
    ],
  ]);
  expect(statementsIn(files)).toEqual([
    { place: 'uses.ts:4', ctes: 0 },
    { place: 'uses.ts:6', ctes: 5 },
    { place: 'uses.ts:9', ctes: 1 },
  ]);
});

test(`no statement has more than ${ctesMax} CTEs in ${shortFolders.join(' and ')}`, () => {
  const names = globSync('packages/core/src/**/*.ts', { cwd: root }).filter(
    (name) => !name.endsWith('.test.ts'),
  );
  const files = new Map(names.map((name) => [name, readFileSync(path.join(root, name), 'utf8')]));
  const short = statementsIn(files).filter(({ place }) => shortFolders.some((one) => place.startsWith(one)));
  expect(short.length).toBeGreaterThan(100);
  expect(short.filter(({ ctes }) => ctes > ctesMax)).toEqual([]);
});
