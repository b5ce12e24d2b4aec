import { type Kysely, sql } from 'kysely';

const dropped = [
  ...['joined', 'editsUntil', 'outcomes', 'enrich', 'lookedUp'],
  ...['offsetsIn', 'offsetsFromImport', 'offsetsFromRun'],
];
const otherSteps = ['plan enrichment', 'find supplier', 'group items', 'find joins', 'move joined rows']
  .concat(['carry offsets', 'validate joined rows', 'count products'])
  .map((step) => `'${step}'`)
  .join();

/**
 * The stored progress of finalize has less: what its last transaction needs is counted just before it. Where joined
 * rows have no facets yet, finalize goes back to the step that counts both, which does it if there are joins.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create temporary table begun on commit drop as
      select import_id, run, finalize::jsonb as progress,
        (finalize ->> 'joined')::boolean and finalize ->> 'step' not in (${sql.raw(otherSteps)}) as lacks_facets
      from runs where stage = 'parse' and ended_at is null and finalize is not null;
    insert into row_joins (import_id, run, row, product) select import_id, run, 0, 0 from begun where lacks_facets;
    update runs set finalize = (progress - '{${sql.raw(dropped.join())}}'::text[]
      || case when lacks_facets then '{"step": "count products", "at": 0}'
        when progress ->> 'step' = 'plan enrichment' then '{"step": null}' else '{}' end::jsonb
      || case when progress ->> 'offsetsFromImport' is null then '{}' else jsonb_build_object('offsets', json_build_object(
        'import', progress -> 'offsetsFromImport', 'run', progress -> 'offsetsFromRun', 'countedIn', progress -> 'offsetsIn'))
        end)::json
    from begun where runs.import_id = begun.import_id and runs.stage = 'parse' and runs.run = begun.run;
  `.execute(db);
}
