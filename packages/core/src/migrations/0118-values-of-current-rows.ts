import { type Kysely, sql } from 'kysely';

/**
 * From now on values are carried into the rows of a reading once they are current. Takes back what readings without a
 * result have carried, undone and proposed; they go back to the step before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create temporary table unended on commit drop as
      select run.import_id, run.run, run.run <> imports.rows_run as is_reread, (carried ->> 'command')::uuid as command,
        (carried ->> 'proposalsAfter')::bigint as proposals_after, array(
          select jsonb_array_elements_text(case jsonb_typeof(carried -> 'undo') when 'array' then carried -> 'undo'
            else '[]' end)::uuid) as undo
      from runs run join imports on imports.id = run.import_id
        cross join lateral (select (finalize -> 'carried')::jsonb as carried) of_run
      where run.stage = 'parse' and run.ended_at is null and run.finalize is not null and (
        run.run = imports.parse_run or exists (select from chunks where chunks.import_id = run.import_id
          and chunks.run = run.run and task = 'remove-rows' and state in ('pending', 'published')))`.execute(
    db,
  );
  await sql`
    delete from proposals using unended
    where proposals.import_id = unended.import_id and is_reread and source = 'supplier' and state = 'open'
      and id > proposals_after and id <= coalesce((
        select min((finalize -> 'carried' ->> 'proposalsAfter')::bigint) from runs later
        where later.import_id = unended.import_id and later.stage = 'parse' and later.run > unended.run), id)`.execute(
    db,
  );
  const restored = sql`starts_with(replaced.source, 'replaced by run ')`;
  await sql`
    delete from proposals made using proposals replaced
    where made.import_id = replaced.import_id and made.byte_from = replaced.byte_from and made.field = replaced.field
      and made.source = 'supplier' and made.state <> 'taken' and ${restored}`.execute(db);
  await sql`
    delete from proposals replaced using proposals taken
    where taken.import_id = replaced.import_id and taken.byte_from = replaced.byte_from and taken.field = replaced.field
      and taken.value = replaced.value and taken.source = 'supplier' and ${restored}`.execute(db);
  await sql`update proposals replaced set source = 'supplier', row = -row where ${restored}`.execute(db);
  await sql`
    update edit_commands set state = 'applied' from unended join edit_commands made on made.import_id = unended.import_id
    where is_reread and made.id = any(undo) and edit_commands.import_id = made.import_id
      and edit_commands.id = made.undoes`.execute(db);
  await sql`
    create temporary table undone_commands on commit drop as
      select edit_commands.import_id, id from edit_commands join unended using (import_id)
      where is_reread and (id = any(undo) or command in (id, undoes))`.execute(db);
  await sql`
    delete from edits using undone_commands made where edits.import_id = made.import_id and command = made.id`.execute(
    db,
  );
  await sql`
    delete from edit_commands using undone_commands made where edit_commands.import_id = made.import_id and edit_commands.id = made.id`.execute(
    db,
  );
  await sql`
    update runs set finalize = (finalize::jsonb || '{"carried": null}' || case
      when coalesce(finalize ->> 'step', '') in ('', 'keep values', 'carry values', 'carry outcomes', 'apply edits',
        'find duplicates') then '{"step": "propose statuses", "at": 0}' else '{}' end::jsonb)::json
    from unended
    where runs.import_id = unended.import_id and runs.stage = 'parse' and runs.run = unended.run`.execute(db);
}
