import { type Kysely, sql } from 'kysely';

/** The source of the proposal that an edit took; stored for the values that were taken from AI before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table edits add column source text;

    update edits set source = proposals.source from proposals
    where proposals.source = 'ai' and edits.import_id = proposals.import_id and edits.command = proposals.taken_by
      and edits.field = proposals.field and edits.after = proposals.value;
  `.execute(db);
}
