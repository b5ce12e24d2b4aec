/** Every status of an import, as on the wire. */
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

/** Statuses of an import that has ended. Only an operator's action changes them. */
export const finalStatuses = ['completed', 'failed', 'cancelled'] as const satisfies readonly ImportStatus[];

/** Number of ended imports in the history. */
export const historyMax = 1000;

/**
 * The statuses in which each action is allowed. The api checks its actions against this table and answers 409
 * otherwise; the web decides by it which buttons to show. `review` and `viewReport` exist only in the web.
 */
export const importActions = {
  pause: ['processing', 'uploading'],
  resume: ['paused'],
  cancel: ['processing', 'queued', 'processed', 'uploading', 'paused'],
  /** Cancel an import with parts that could not be processed. */
  giveUp: ['processing', 'uploading', 'paused', 'failed'],
  markReady: ['queued'],
  push: ['queued', 'processed', 'completed'],
  retry: ['failed', 'completed'],
  /** Plan a push; a retry only after a failed push. */
  plan: ['queued', 'processed', 'completed', 'failed'],
  undoPush: ['queued', 'processed', 'completed', 'failed', 'cancelled'],
  /** Re-read the stored file with other overrides; after a failed push only if `hasPushedNothing`. */
  reread: ['queued', 'processed', 'completed', 'failed'],
  updateImages: ['queued', 'processed'],
  applyRules: ['queued', 'processed'],
  review: ['queued', 'processed'],
  /** Add a product of the scanner's library; not while a push is paused. */
  addProduct: ['processing', 'queued', 'processed', 'paused'],
  edit: ['queued', 'processed', 'uploading', 'completed', 'failed', 'paused'],
  /** Change many rows by one command, or undo such a command. */
  bulkEdit: ['queued', 'processed', 'completed', 'failed'],
  viewReport: ['completed'],
  delete: ['queued', 'processed', 'completed', 'failed', 'cancelled'],
  /** Ask the AI service for proposals; a push that begins ends it. */
  askAi: ['queued', 'processed', 'completed', 'failed'],
} as const satisfies Record<string, readonly ImportStatus[]>;
export type ImportAction = keyof typeof importActions;

/** Whether `action` is allowed in `status`; false for a status that this version does not know. */
export function canDo(action: ImportAction, status: string): boolean {
  return (importActions[action] as readonly string[]).includes(status);
}

/** Whether a push decided all products and changed none in the store; a failed one may need another reading. */
export function hasPushedNothing(products: { total: number; skipped: number; failed: number }): boolean {
  return products.total > 0 && products.skipped + products.failed === products.total;
}

/** The specification's label for a status. An unknown status is returned as it is. */
export function statusLabel(status: string): string {
  if (status === 'processed') return 'Ready for Shopify';
  if (status === 'uploading') return 'Uploading to Shopify';
  if (!(importStatuses as readonly string[]).includes(status)) return status;
  return status.charAt(0).toUpperCase() + status.slice(1);
}
