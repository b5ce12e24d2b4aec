import { leaveOutField, leaveOutValue } from '@draftshelf/domain/review/edited-field';
import { leftOutBit } from '@draftshelf/domain/review/issue-set';
import { sql } from 'kysely';
import { withoutNestedLoops } from '../connection/planner.ts';
import { queryValue, queryValues } from '../connection/query-rows.ts';
import { insertCommand, removeCommand } from '../review/commands/edit-commands.ts';
import { doneUpTo, type PreparedBatch, type StepPart } from '../suppliers/prepared-batch.ts';
import { readParseRun } from '../work/runs.ts';

const rowsPerPart = 20_000;

/**
 * The step 'leave out rows': edits for the rows that the file's own commands delete or ignore, which workers have
 * marked, so that a person can put them back. Rows that were put back stay, also in a later run.
 */
export async function leaveOutRows({ db, record, of, progress: { at } }: PreparedBatch): Promise<StepPart> {
  const { mapping } = await readParseRun(db, of);
  if (mapping.commands === undefined) return {};
  const last = at + rowsPerPart;
  const [before] = await queryValues<string>(db)`
    select id from edit_commands where import_id = ${record.id} and kind = 'file' and state = 'applied'
    order by created_at desc limit 1`;
  const command = before ?? (await insertCommand(db, record.id, { kind: 'file' }, 0));
  const rows = await withoutNestedLoops(
    db,
    () =>
      queryValue<number>(db)`
      with left_out as (
        insert into edits (import_id, command, row, byte_from, field, after)
        select import_id, ${command}, row, byte_from, ${leaveOutField}, ${leaveOutValue(true)} from rows
        where import_id = ${of.import_id} and run = ${of.run} and row > ${at} and row <= ${last}
          and ignored is null and issues >= ${sql.lit(leftOutBit)} and byte_from not in (
            select byte_from from edits where import_id = ${of.import_id} and field = ${leaveOutField})
        returning row
      )
      select count(*)::int as rows from left_out`,
  );
  if (rows > 0) await insertCommand(db, record.id, { kind: 'file', id: command }, rows);
  else if (before === undefined) await removeCommand(db, record.id, command);
  return doneUpTo(last, record);
}
