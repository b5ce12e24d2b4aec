import { type Kysely, sql } from 'kysely';

/**
 * Notes also of carried values from before `edits.set_at`, and of those that an undo has restored, that they were not
 * set in their list.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update edits set set_at = 'epoch' from edit_commands command
    where command.import_id = edits.import_id and command.id = edits.command and command.kind = 'carried'
      and set_at is null;
    update edits restored set set_at = (
      select max(set_at) from edits carried
      where carried.import_id = restored.import_id and carried.byte_from = restored.byte_from
        and carried.field = restored.field and carried.after = restored.after)
    from edit_commands command
    where command.import_id = restored.import_id and command.id = restored.command and command.undoes is not null
      and restored.set_at is null and restored.after is not null and exists (
        select from edits carried
        where carried.import_id = restored.import_id and carried.byte_from = restored.byte_from
          and carried.field = restored.field and carried.after = restored.after and carried.set_at is not null);
  `.execute(db);
}
