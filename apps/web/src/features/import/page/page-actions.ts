import { canDo } from '@draftshelf/domain/imports/import-status';
import { formatCount } from '../../../lib/intl.ts';
import type { ImportActionName, ShownImport } from '../imports-api.ts';
import { rereadBlock } from '../mapping/reread-rules.ts';
import { cancelLabel } from '../status/status-look.ts';

type Weight = 'primary' | 'plain' | 'menu';

export type PageAction = { label: string; weight: Weight; reason: string | null } & (
  | { kind: 'action'; action: ImportActionName }
  | { kind: 'testStore' }
  | { kind: 'dryRun' }
  | { kind: 'updateImages' }
  | { kind: 'applyRules' }
  | { kind: 'askAi' }
  | { kind: 'supplier' }
  | { kind: 'report' }
  | { kind: 'undoPush' }
  | { kind: 'history' }
  | { kind: 'corrections' }
  | { kind: 'cancel' }
  | { kind: 'delete' }
  | { kind: 'fix' }
);

type Offered = Pick<
  ShownImport,
  | 'status'
  | 'rereading'
  | 'startedAt'
  | 'autoPushAt'
  | 'rowsRemovedAt'
  | 'isBeingDeleted'
  | 'shop'
  | 'isUndoing'
  | 'changesGone'
> &
  Parameters<typeof rereadBlock>[0] & { list: object | null };

/** In the order of the bar. `unsaved`: rows with unsaved changes, which block a push. */
export function pageActions(record: Offered, unsaved: number): PageAction[] {
  const { status } = record;
  const actions: PageAction[] = [];
  const add = (action: ImportActionName, label: string, weight: Weight, reason: string | null = null) =>
    actions.push({ kind: 'action', action, label, weight, reason });
  const isReviewed = canDo('review', status);
  if (canDo('pause', status)) add('pause', 'Pause', 'plain');
  if (canDo('resume', status)) add('resume', 'Resume', 'primary');
  if (isReviewed) actions.push({ kind: 'dryRun', label: 'Dry Run', weight: 'plain', reason: null });
  if (canDo('updateImages', status)) {
    actions.push({ kind: 'updateImages', label: 'Update Images', weight: 'plain', reason: null });
  }
  if (isReviewed) actions.push({ kind: 'testStore', label: 'Test Shopify', weight: 'plain', reason: null });
  // The planned push sends drafts; a push by hand would not.
  if (isReviewed && record.autoPushAt === null) add('push', 'Push', 'primary', unsavedReason(unsaved));
  if (canDo('applyRules', status)) {
    actions.push({ kind: 'applyRules', label: 'Apply Rules', weight: 'menu', reason: null });
  }
  if (canDo('markReady', status)) add('markReady', 'Mark as Ready', 'menu', unsavedReason(unsaved));
  if (canDo('viewReport', status) || status === 'failed') {
    actions.push({ kind: 'report', label: 'View Report', weight: 'plain', reason: null });
  } else if (record.startedAt !== null && status !== 'processing') {
    actions.push({ kind: 'report', label: 'View Report', weight: 'menu', reason: null });
  }
  const isThere = record.rowsRemovedAt === null && !record.isBeingDeleted;
  if (canDo('push', status) && !isReviewed && isThere) {
    add('push', 'Push again', 'menu', unsavedReason(unsaved));
  }
  if (canDo('undoPush', status) && record.shop !== null) {
    actions.push({ kind: 'undoPush', label: 'Undo Push', weight: 'menu', reason: null });
  }
  if (canDo('askAi', status) && record.rowsRemovedAt === null)
    actions.push({ kind: 'askAi', label: 'Ask AI', weight: 'menu', reason: null });
  // A test belongs to no supplier.
  if (record.list !== null) {
    actions.push({ kind: 'supplier', label: 'Supplier…', weight: 'menu', reason: rereadBlock(record) });
  }
  if (canDo('bulkEdit', status) && isThere) {
    actions.push({ kind: 'corrections', label: 'Correct in a Spreadsheet…', weight: 'menu', reason: null });
  }
  actions.push({ kind: 'history', label: 'History of Changes', weight: 'menu', reason: null });
  if (canDo('cancel', status)) {
    actions.push({ kind: 'cancel', label: cancelLabel(record), weight: 'menu', reason: null });
  }
  if (canDo('delete', status) && !record.isBeingDeleted) {
    actions.push({ kind: 'delete', label: 'Delete Import', weight: 'menu', reason: null });
  }
  return actions;
}

/** While `open` products need the operator, fixing them comes first and Push moves to the menu. */
export function phoneActions(
  actions: readonly PageAction[],
  record: Pick<ShownImport, 'status'>,
  open: number,
): PageAction[] {
  if (open === 0 || !canDo('review', record.status) || !canDo('edit', record.status)) return [...actions];
  const fix: PageAction = { kind: 'fix', label: `Fix ${formatCount(open)}`, weight: 'primary', reason: null };
  return [
    fix,
    ...actions.map((action) =>
      action.weight === 'primary' ? { ...action, weight: 'menu' as const } : action,
    ),
  ];
}

function unsavedReason(unsaved: number): string | null {
  if (unsaved === 0) return null;
  return unsaved === 1
    ? '1 row has unsaved changes. Save or discard them first.'
    : `${unsaved} rows have unsaved changes. Save or discard them first.`;
}
