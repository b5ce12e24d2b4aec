import type { ImportRecord } from '../connection/schema.ts';

/** A refused action, with the reason as a sentence. */
export type ActionRefused = { ok: false; reason: string };
export type ActionDone = { ok: true; import: ImportRecord };
export type ActionResult = ActionDone | ActionRefused;

export const refuse = (reason: string): ActionRefused => ({ ok: false, reason });

export const wrongStatus = refuse('The import’s current status doesn’t allow this.');

const undoing = refuse(
  'The push of this import is being undone. Wait until the undo has ended, or cancel the undo.',
);

const changingGone = refuse(
  'Products that this import no longer lists are being changed. Wait until the change has ended, or cancel the change.',
);

export function refuseInStatus(
  record: Pick<ImportRecord, 'undoes_run' | 'push_run'> | undefined,
): ActionRefused {
  if (record?.undoes_run == null) return wrongStatus;
  return record.undoes_run === record.push_run ? changingGone : undoing;
}
