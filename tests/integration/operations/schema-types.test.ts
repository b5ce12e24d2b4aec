import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished } from 'vitest';
import { test } from '../../support/test.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

type Column = { table: string; name: string; kind: 'null' | 'value' };

/** Columns of one kind of previews and chunks: their types are those of that kind; others have null there. */
const ofOneKind: Readonly<Record<string, readonly string[]>> = {
  chunks: ['import_id', 'stage', 'run'],
  previews: ['undoes_run', 'made_at_run', 'when_unsure', 'rows_run', 'made_from', 'last_edit', 'gone'],
};

/** A line for each column, and one for each table, that compiles only if the types of tables say the same. */
const programLines = (columns: readonly Column[]): string[] => [
  `import type { Selectable } from '../../packages/core/node_modules/kysely/dist/index.js';`,
  `import type { Schema } from '../../packages/core/src/connection/schema.ts';`,
  `type Row<T extends keyof Schema> = Selectable<Schema[T]>;`,
  `type Kind<T extends keyof Schema, C> = C extends keyof Row<T> ? (null extends Row<T>[C] ? 'null' : 'value') : 'none';`,
  ...columns.map(
    ({ table, name, kind }) => `export const ${table}_${name}: Kind<'${table}', '${name}'> = '${kind}';`,
  ),
  ...[...Map.groupBy(columns, ({ table }) => table)].map(
    ([table, of]) =>
      `export const of_${table}: [Exclude<keyof Row<'${table}'>, ${of.map(({ name }) => `'${name}'`).join('|')}>] extends [never] ? true : 'more' = true;`,
  ),
];

/** The same for the names of the columns of the view of imports, which a migration of their table may forget. */
const viewLines = (names: readonly string[]): string[] => [
  `type InView = ${names.map((name) => `'${name}'`).join('|')};`,
  `type InType = keyof Row<'import_records'>;`,
  `export const view_lacks: [Exclude<InType, InView>] extends [never] ? true : 'more' = true;`,
  `export const type_lacks: [Exclude<InView, InType>] extends [never] ? true : 'more' = true;`,
];

test('the types of tables have the columns that the migrated database has', async ({ fixture }) => {
  const { rows } = await fixture.database.pool.query<Column>(
    `select table_name as table, column_name as name,
       case is_nullable when 'YES' then 'null' else 'value' end as kind
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not like 'kysely%'
       -- Written and read by SQL alone.
       and table_name <> 'uploads'`,
  );
  const cache = path.join(root, '.cache');
  await mkdir(cache, { recursive: true });
  const directory = await mkdtemp(path.join(cache, 'schema-types-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const { rows: ofView } = await fixture.database.pool.query<{ name: string }>(
    `select column_name as name from information_schema.columns
     where table_schema = 'public' and table_name = 'import_records'`,
  );
  const columns = rows.map((one) =>
    ofOneKind[one.table]?.includes(one.name) ? { ...one, kind: 'value' as const } : one,
  );
  const lines = [...programLines(columns), ...viewLines(ofView.map(({ name }) => name))];
  await writeFile(path.join(directory, 'check.ts'), lines.join('\n'));
  const compilerOptions = { incremental: false, tsBuildInfoFile: null };
  const config = { extends: '../../tsconfig.json', compilerOptions, include: [], files: ['check.ts'] };
  await writeFile(path.join(directory, 'tsconfig.json'), JSON.stringify(config));
  const tsc = path.join(root, 'node_modules/.bin/tsc');
  const printed = await promisify(execFile)(tsc, ['-p', directory], { cwd: root }).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
  const wrong = [...printed.matchAll(/check\.ts\((\d+),/g)].map(([, line]) => lines[Number(line) - 1]);
  expect(wrong).toEqual([]);
  expect(printed).toBe('');
});
