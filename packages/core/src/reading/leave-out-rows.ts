import { leaveOutField, leaveOutValue } from '@draftshelf/domain/review/edited-field';
import { leftOutBit } from '@draftshelf/domain/review/issue-set';
import { sql } from 'kysely';
import { queryRows, queryValues } from '../connection/query-rows.ts';
import { insertCommand } from '../review/commands/edit-commands.ts';
import { insertEdits } from '../review/commands/stored-edits.ts';
import { type PreparedBatch, type StepState, toStepProgress } from '../suppliers/prepared-batch.ts';
import { readParseRun } from '../work/runs.ts';

const rowsPerPart = 10_000;

/**
 * The step 'leave out rows': stores edits for rows that commands in the file delete or ignore, so that a person can
 * put these rows back. Parse workers have marked the rows. Rows put back stay in the push, also in later runs.
 */
export async function leaveOutRows({ db, record, of, progress: { at } }: PreparedBatch): Promise<StepState> {
  const { mapping } = await readParseRun(db, of);
  if (mapping.commands === undefined) return {};
  const last = at + rowsPerPart;
  const rows = await queryRows<{ row: number; byteFrom: number }>(db)`
    select row, byte_from as "byteFrom" from rows
    where import_id = ${of.import_id} and run = ${of.run} and row > ${at} and row <= ${last}
      and ignored is null and issues >= ${sql.lit(leftOutBit)} and byte_from not in (
        select byte_from from edits where import_id = ${of.import_id} and field = ${leaveOutField})`;
  if (rows.length > 0) {
    const [id] = await queryValues<string>(db)`
      select id from edit_commands where import_id = ${record.id} and kind = 'file' and state = 'applied' limit 1`;
    const command = await insertCommand(db, record.id, { kind: 'file', id }, rows.length);
    const edit = { field: leaveOutField, before: null, after: leaveOutValue(true), source: null } as const;
    const edits = rows.map((row) => ({ ...row, ...edit }));
    await insertEdits(db, record.id, command, edits);
  }
  return toStepProgress(last, record);
}
