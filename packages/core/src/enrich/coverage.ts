import { lookupFields } from '@draftshelf/domain/enrich/sources';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { RunOfRows } from '../work/runs.ts';

/**
 * Differences of a field's counts. `products`: all; `filled`: value from file or edit; `found`: value from a look-up.
 */
export type CoverageChange = { field: string; products: number; filled: number; found: number };

/** Adds differences to the coverage of an import's run. */
export async function addCoverage(
  db: Db,
  { import_id, run }: RunOfRows,
  changes: readonly CoverageChange[],
): Promise<void> {
  for (const { field, products, filled, found } of changes) {
    if (products === 0 && filled === 0 && found === 0) continue;
    await sql`
      insert into field_coverage (import_id, run, field, products, filled, found)
      values (${import_id}, ${run}, ${field}, ${products}, ${filled}, ${found})
      on conflict (import_id, run, field) do update set products = field_coverage.products + excluded.products,
        filled = field_coverage.filled + excluded.filled, found = field_coverage.found + excluded.found`.execute(
      db,
    );
  }
}

/** The coverage of an import's current run, by field; empty if its products are not looked up. */
export async function readCoverage(db: Db, of: RunOfRows): Promise<CoverageChange[]> {
  return db
    .selectFrom('field_coverage')
    .select(['field', 'products', 'filled', 'found'])
    .where('import_id', '=', of.import_id)
    .where('run', '=', of.run)
    .execute();
}

/** Forgets the coverage of all runs of an import, so that it can be counted again. */
export async function forgetCoverage(db: Db, importId: string): Promise<void> {
  await db.deleteFrom('field_coverage').where('import_id', '=', importId).execute();
}

/** Begins to count the coverage of a run: its products are looked up. */
export async function beginCoverage(db: Db, { import_id, run }: RunOfRows): Promise<void> {
  await db
    .insertInto('field_coverage')
    .values(lookupFields.map((field) => ({ import_id, run, field })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
