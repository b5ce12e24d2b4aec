import { lookupFields } from '@draftshelf/domain/enrich/sources';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { type StorableJson, storableJson } from '../connection/storable-json.ts';
import { changeImport, changeParseRun } from '../imports/imports.ts';
import { belongsToRun, type RunOfRows, toParseRun } from '../work/runs.ts';

const counts = ['products', 'filled', 'found'] as const;

/** Changes to a field's counts. `filled`: values from the file or an edit. `found`: values from a look-up or a rule. */
export type CoverageChange = { field: string } & Record<(typeof counts)[number], number>;

/** Locks an import and adds changes to the coverage of its run. */
export async function addCoverage(db: Db, of: RunOfRows, changes: readonly CoverageChange[]): Promise<void> {
  const summed = [...Map.groupBy(changes, ({ field }) => field)].map(([field, ofField]): CoverageChange => {
    const sum = (name: (typeof counts)[number]) => ofField.reduce((total, one) => total + one[name], 0);
    return { field, products: sum('products'), filled: sum('filled'), found: sum('found') };
  });
  const changed = summed.filter((change) => counts.some((name) => change[name] !== 0));
  if (changed.length === 0) return;
  const fields = changed.map((change) => {
    const added = counts.map(
      (name) =>
        sql`${sql.lit(name)}, coalesce((coverage -> ${change.field} ->> ${sql.lit(name)})::int, 0) + ${change[name]}::int`,
    );
    return sql`${change.field}::text, jsonb_build_object(${sql.join(added)})`;
  });
  await changeImport(db, of.import_id, {});
  const added = sql<StorableJson>`coalesce(coverage, '{}') || jsonb_build_object(${sql.join(fields)})`;
  await changeParseRun(db, of, { coverage: added });
}

/** Reads, by field, how many products of a run have a value. Empty if the run's products are not looked up. */
export async function readCoverage(db: Db, of: RunOfRows): Promise<CoverageChange[]> {
  const run = await db
    .selectFrom('runs')
    .select('coverage')
    .where(belongsToRun(toParseRun(of)))
    .executeTakeFirst();
  return Object.entries(run?.coverage ?? {}).map(([field, counted]) => ({ field, ...counted }));
}

/** Deletes the coverage of all runs of an import, so that it can be counted again. */
export async function deleteCoverage(db: Db, importId: string): Promise<void> {
  await db.updateTable('runs').set({ coverage: null }).where('import_id', '=', importId).execute();
}

/** Starts the coverage of a run with zero counts, unless it already has counts. */
export async function beginCoverage(db: Db, of: RunOfRows): Promise<void> {
  const none = Object.fromEntries(lookupFields.map((field) => [field, { products: 0, filled: 0, found: 0 }]));
  await changeParseRun(db, of, {
    coverage: sql<StorableJson>`coalesce(coverage, ${storableJson(none)}::jsonb)`,
  });
}
