import { type Kysely, sql } from 'kysely';

/** The runs of a list that say a value too: a re-read of it marked such values by hashes of its id. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table carried_values add column settled_runs int[];
    update carried_values set settled_in = imports.id, settled_runs = array[rows_run] from imports
    where settled_in = md5(imports.id::text || ' ends')::uuid;
    update carried_values set settled_in = imports.id, settled_runs = array[parse_run] from imports
    where settled_in = md5(imports.id::text || ' begins')::uuid;
    update carried_values set settled_runs = case when parse_run = rows_run then array[rows_run] else array[rows_run, parse_run] end
    from imports where imports.id = settled_in and settled_runs is null;
  `.execute(db);
}
