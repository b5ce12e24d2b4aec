import { sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import type { EditCommandRecord, ImportRecord } from '../../connection/schema.ts';
import { enqueueEditLookups } from '../../enrich/lookups/enqueue-lookups.ts';
import { refreshReviewStatus } from '../../imports/review-status.ts';
import { removeCommandTargets } from './command-targets.ts';
import { changeCommand, requireProgress } from './edit-commands.ts';

/** Ends a command. Updates look-ups, picture check and status of the import. Locks the import last. */
export async function finishCommand(db: Db, record: ImportRecord, command: EditCommandRecord): Promise<void> {
  await markCommandApplied(db, command);
  await enqueueEditLookups(db, record, requireProgress(command));
  await refreshReviewStatus(db, record.id);
}

/** Marks a command as applied. The base of an undo or redo gets the matching state; its other undos become undone. */
export async function markCommandApplied(db: Db, command: EditCommandRecord): Promise<void> {
  const { import_id, id, undoes } = command;
  await changeCommand(db, command, { state: 'applied', progress: null, ended_at: sql`now()` });
  await removeCommandTargets(db, command);
  if (undoes === null) return;
  const state = command.kind === 'undo' ? 'undone' : 'applied';
  await changeCommand(db, { import_id, id: undoes }, { state });
  await sql`
    update edit_commands set state = 'undone'
    where import_id = ${import_id} and undoes = ${undoes} and id <> ${id}`.execute(db);
}
