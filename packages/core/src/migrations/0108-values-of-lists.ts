import { type Kysely, sql } from 'kysely';

/** Keeps a carried value per list, and gives copied edits the time of the edit that they copy, where it is known. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table carried_values drop constraint carried_values_pkey,
      add primary key (supplier, subject, field, import_id),
      alter column set_at drop not null, alter column set_at drop default;
    update edits copied set edited_at = coalesce((
      select max(said.edited_at) from imports earlier join edits said on said.import_id = earlier.id
      where earlier.sha256 = imports.sha256 and earlier.created_at < imports.created_at
        and said.byte_from = copied.byte_from and said.field = copied.field and said.after = copied.after
        and said.edited_at < copied.edited_at), copied.edited_at)
    from edit_commands command join imports on imports.id = command.import_id
    where command.kind = 'copied' and copied.import_id = command.import_id and copied.command = command.id;
  `.execute(db);
}
