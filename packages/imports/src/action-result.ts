import type { ImportRecord } from '@draftshelf/database/schema';

/** An action that could not be done; `reason` is a sentence. */
export type ActionRefused = { ok: false; reason: string };
export type ActionDone = { ok: true; import: ImportRecord };
export type ActionResult = ActionDone | ActionRefused;

export const wrongStatus: ActionRefused = {
  ok: false,
  reason: 'The import’s current status doesn’t allow this.',
};
