import { type Kysely, sql } from 'kysely';

/** The runs of a list that say a value too: a re-read of it marked such values by hashes of its id. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table carried_values add column settled_runs int[];
    update carried_values set settled_in = imports.id from imports
    where settled_in = md5(imports.id::text || ' ends')::uuid;
    update carried_values set settled_runs = array[rows_run] from imports where imports.id = settled_in;
  `.execute(db);
}
