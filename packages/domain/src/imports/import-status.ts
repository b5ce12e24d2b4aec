/** All statuses of an import, as on the wire. */
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

/** Statuses of an import that has ended. Only an action of the operator or an automatic retry changes them. */
export const finalStatuses = ['completed', 'failed', 'cancelled'] as const satisfies readonly ImportStatus[];

/** Maximum number of ended imports in the history. */
export const historyImportsMax = 1000;

/**
 * Statuses in which each action is allowed. In other statuses, the api replies 409 and the web shows no button for the
 * action. Only the web has `review` and `viewReport`.
 */
export const importActions = {
  pause: ['processing', 'uploading'],
  resume: ['paused'],
  cancel: ['processing', 'queued', 'processed', 'uploading', 'paused'],
  /** Cancels an import with chunks that could not be processed. */
  giveUp: ['processing', 'uploading', 'paused', 'failed'],
  markReady: ['queued'],
  push: ['queued', 'processed', 'completed'],
  retry: ['failed', 'completed'],
  /** Plans a push. After a failed push, only a retry can be planned. */
  plan: ['queued', 'processed', 'completed', 'failed'],
  undoPush: ['queued', 'processed', 'completed', 'failed', 'cancelled'],
  /** Re-reads the stored file with other overrides. After a failed push, it is allowed only if `hasPushedNothing`. */
  reread: ['queued', 'processed', 'completed', 'failed'],
  updateImages: ['queued', 'processed'],
  applyRules: ['queued', 'processed'],
  review: ['queued', 'processed'],
  /** Adds a product from the scanner's library. Refused while a push is paused. */
  addProduct: ['processing', 'queued', 'processed', 'paused'],
  edit: ['queued', 'processed', 'uploading', 'completed', 'failed', 'paused'],
  /** Changes many rows by a command, or undoes such a command. */
  bulkEdit: ['queued', 'processed', 'completed', 'failed'],
  viewReport: ['completed'],
  delete: ['queued', 'processed', 'completed', 'failed', 'cancelled'],
  /** Asks the AI service for proposals. Products not yet asked about are dropped when a push begins. */
  askAi: ['queued', 'processed', 'completed', 'failed'],
} as const satisfies Record<string, readonly ImportStatus[]>;
export type ImportAction = keyof typeof importActions;

/** Whether an action is allowed in a status. False for a status that this version does not know. */
export function canDo(action: ImportAction, status: string): boolean {
  return (importActions[action] as readonly string[]).includes(status);
}

/** Whether a push skipped or failed every product. After a failed push, only then is a re-read allowed. */
export function hasPushedNothing(products: { total: number; skipped: number; failed: number }): boolean {
  return products.total > 0 && products.skipped + products.failed === products.total;
}

/** Returns the label of a status. An unknown status is returned unchanged. */
export function statusLabel(status: string): string {
  if (status === 'processed') return 'Ready for Shopify';
  if (status === 'uploading') return 'Uploading to Shopify';
  if (!(importStatuses as readonly string[]).includes(status)) return status;
  return status.charAt(0).toUpperCase() + status.slice(1);
}
