import type { ImportRecord } from '../connection/schema.ts';

/** A refused action, with the reason as a sentence. */
export type ActionRefusal = { ok: false; reason: string };
export type ActionSuccess = { ok: true; import: ImportRecord };
export type ActionResult = ActionSuccess | ActionRefusal;

export const refuse = (reason: string): ActionRefusal => ({ ok: false, reason });

export const wrongStatusRefusal = refuse('The import’s current status doesn’t allow this.');

const undoing = refuse(
  'The push of this import is being undone. Wait until the undo has ended, or cancel the undo.',
);

const changingGone = refuse(
  'Products that this import no longer lists are being changed. Wait until the change has ended, or cancel the change.',
);

export function refuseInStatus(
  record: Pick<ImportRecord, 'undoes_run' | 'push_run'> | undefined,
): ActionRefusal {
  if (record?.undoes_run == null) return wrongStatusRefusal;
  return record.undoes_run === record.push_run ? changingGone : undoing;
}
