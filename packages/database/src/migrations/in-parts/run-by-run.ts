import { type Kysely, sql } from 'kysely';

type Run = { import_id: string; run: number };

/** Keys of the tables in which rows are counted. */
const countKeys = { row_bitmaps: ['issue', 'block', 'class'], row_facets: ['issue', 'class'] } as const;
const countTables = ['row_bitmaps', 'row_facets'] as const;

/**
 * Does a migration of the counts of rows run by run, each in a transaction of its own. The migration works on copies
 * of the run's counts, in temporary tables that hide those of the same names. What it has changed is written at the
 * end, so it locks rows for that long only. `addedIssues`: the issues that it adds. They are not copied, so that a
 * migration that was stopped can do its first runs again.
 */
export const runByRun =
  (migration: { up(db: Kysely<unknown>): Promise<void> }, addedIssues: readonly string[] = []) =>
  async (db: Kysely<unknown>): Promise<void> => {
    const { rows: runs } = await sql<Run>`
      select distinct import_id, run from row_facets order by import_id, run`.execute(db);
    const { rows: schemas } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db);
    const schema = schemas[0]?.schema ?? '';
    for (const run of runs) {
      await db.transaction().execute(async (trx) => {
        await copyCounts(trx, schema, run, addedIssues);
        await migration.up(trx);
        for (const table of countTables) await storeCounts(trx, schema, run, table);
      });
    }
  };

async function copyCounts(
  db: Kysely<unknown>,
  schema: string,
  { import_id, run }: Run,
  addedIssues: readonly string[],
): Promise<void> {
  for (const table of [...countTables, 'row_findings'] as const) {
    const stored = sql.id(schema, table);
    await sql`
      create temporary table ${sql.id(table)} (like ${stored} including indexes) on commit drop`.execute(db);
    const kept = table === 'row_findings' ? sql`true` : sql`issue <> all (${addedIssues}::text[])`;
    await sql`
      insert into ${sql.id('pg_temp', table)}
      select * from ${stored} where import_id = ${import_id} and run = ${run} and ${kept}`.execute(db);
    await sql`analyze ${sql.id('pg_temp', table)}`.execute(db);
  }
}

async function storeCounts(
  db: Kysely<unknown>,
  schema: string,
  { import_id, run }: Run,
  table: (typeof countTables)[number],
): Promise<void> {
  const [stored, copy] = [sql.id(schema, table), sql.id('pg_temp', table)];
  const key = sql.join(countKeys[table].map((column) => sql.id(column)));
  const ofRun = sql`import_id = ${import_id} and run = ${run}`;
  await sql`
    delete from ${stored} where ${ofRun}
      and (${key}) in (select ${key} from ${stored} where ${ofRun} except select ${key} from ${copy})`.execute(
    db,
  );
  await sql`
    insert into ${stored} select * from ${copy} except select * from ${stored} where ${ofRun}
    on conflict (import_id, run, ${key}) do update set rows = excluded.rows`.execute(db);
}
