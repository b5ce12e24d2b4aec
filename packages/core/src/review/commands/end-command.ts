import type { Db } from '../../connection/database.ts';
import type { EditCommandRecord, ImportRecord } from '../../connection/schema.ts';
import { enqueueAfterEdit } from '../../enrich/lookups/enqueue-lookups.ts';
import { refreshReviewStatus } from '../../imports/review-status.ts';
import { removeCommandWork } from './command-targets.ts';
import { endCommand, endEarlierUndos, setState } from './edit-commands.ts';
import { progressOf } from './progress.ts';

/** Ends a command and updates the import's look-ups, picture check and status. Locks the import last. */
export async function finishCommand(db: Db, record: ImportRecord, command: EditCommandRecord): Promise<void> {
  await setInEffect(db, command);
  await enqueueAfterEdit(db, record, progressOf(command));
  await refreshReviewStatus(db, record.id);
}

/** Marks a command as in effect; the command that it undoes or redoes follows. */
export async function setInEffect(db: Db, command: EditCommandRecord): Promise<void> {
  await endCommand(db, command);
  await removeCommandWork(db, command);
  if (command.undoes !== null) {
    const base = { import_id: command.import_id, id: command.undoes };
    await setState(db, base, command.kind === 'undo' ? 'undone' : 'applied');
    await endEarlierUndos(db, command);
  }
}
