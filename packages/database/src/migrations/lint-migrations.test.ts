import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { expect, test } from 'vitest';
import { migrations } from './migrate.ts';
import { readReleased } from './migrations-released.ts';

const require = createRequire(import.meta.url);
/** A script that runs the binary for this system. */
const squawk = require.resolve('squawk-cli/js/bin/squawk');

/** Habits that this schema does not follow, and time-outs, which the connection of a migration sets. */
const excluded = ['require-timeout-settings', 'prefer-robust-stmts', 'prefer-bigint-over-int'];

/** The statements of a migration, which meets an empty database that answers every query with no rows. */
async function sqlOf({ up }: { up(db: Kysely<unknown>): Promise<void> }): Promise<string> {
  const statements: string[] = [];
  const db = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (of) => new PostgresIntrospector(of),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => {
      statements.push(`${query.sql.trim().replace(/;$/, '')};`);
    },
  });
  await up(db);
  return statements.join('\n');
}

/** What squawk says about SQL: '' if nothing. */
function lint(sql: string): string {
  const dir = mkdtempSync(join(tmpdir(), 'draftshelf-squawk-'));
  const file = join(dir, 'migration.sql');
  writeFileSync(file, sql);
  const options = ['--pg-version=18.0', '--assume-in-transaction', '--reporter=gcc'];
  try {
    execFileSync(process.execPath, [squawk, ...options, `--exclude=${excluded.join(',')}`, file], {
      encoding: 'utf8',
    });
    return '';
  } catch (error) {
    return String((error as { stdout?: string }).stdout ?? error).replaceAll(dir, '');
  } finally {
    rmSync(dir, { recursive: true });
  }
}

test('squawk finds nothing in new migrations that would stop the processes of the version before', async () => {
  const released = readReleased();
  for (const [name, migration] of Object.entries(migrations)) {
    if (name in released) continue;
    expect(lint(await sqlOf(migration)), name).toBe('');
  }
});

test('squawk finds what a version before would miss, and what locks a table for long', () => {
  expect(lint('alter table imports drop column filename;')).toContain('ban-drop-column');
  expect(lint('alter table imports rename column filename to name;')).toContain('renaming-column');
  expect(lint('alter table imports add column more text not null;')).toContain('adding-required-field');
  expect(lint('create index more on imports (filename);')).toContain('require-concurrent-index-creation');
});
