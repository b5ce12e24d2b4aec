/** Every status an import can have, as it stands on the wire. */
export const importStatuses = [
  'processing',
  'queued',
  'processed',
  'uploading',
  'completed',
  'failed',
  'paused',
  'cancelled',
] as const;
export type ImportStatus = (typeof importStatuses)[number];

/** The stages of the pipeline, in order. */
export const stages = ['parse', 'enrich', 'push'] as const;
export type Stage = (typeof stages)[number];

/** Statuses in which an import has ended; it can only leave them by an operator's action. */
export const finalStatuses = ['completed', 'failed', 'cancelled'] as const satisfies readonly ImportStatus[];

/**
 * What an operator may do in which status. The api refuses by this table (409) and the web shows buttons
 * by it, so that the two cannot differ.
 */
export const importActions = {
  pause: ['processing', 'uploading'],
  resume: ['paused'],
  cancel: ['processing', 'queued', 'processed', 'uploading', 'paused'],
  markReady: ['queued'],
  push: ['queued', 'processed', 'completed'],
  retry: ['failed', 'completed'],
  /** Read the stored file anew, in another dialect; from failed only where it failed in processing. */
  reread: ['queued', 'processed', 'completed', 'failed'],
  review: ['queued', 'processed'],
  edit: ['queued', 'processed', 'uploading', 'completed', 'failed', 'paused'],
  viewReport: ['completed'],
} as const satisfies Record<string, readonly ImportStatus[]>;
export type ImportAction = keyof typeof importActions;

/** Whether `action` is allowed for an import in `status`; false for statuses this version does not know. */
export function canDo(action: ImportAction, status: string): boolean {
  return (importActions[action] as readonly string[]).includes(status);
}

/** The statuses in which workers may work on chunks of a stage. */
export function runningStatusOf(stage: Stage): ImportStatus {
  return stage === 'push' ? 'uploading' : 'processing';
}

/** The words shown for a status (product-spec section 4); an unknown status is shown as given. */
export function statusLabel(status: string): string {
  if (status === 'processed') return 'Ready for Shopify';
  if (status === 'uploading') return 'Uploading to Shopify';
  if (!(importStatuses as readonly string[]).includes(status)) return status;
  return status.charAt(0).toUpperCase() + status.slice(1);
}
