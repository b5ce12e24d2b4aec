import { canDo } from '@draftshelf/domain/imports/import-status';
import { useNavigate } from 'react-router';
import type { Reply } from '../../../api/call.ts';
import { formatCount } from '../../../lib/intl.ts';
import { queuePath } from '../../../lib/paths.ts';
import { toast } from '../../../ui/feedback/toast-state.ts';
import { useCall } from '../../../ui/feedback/use-call.ts';
import { hasImportRows, type ImportActionName, type ShownDetails, type ShownImport } from '../imports-api.ts';
import { describeRunningLookups } from '../lookups/lookup-words.ts';
import { rereadBlockReason } from '../mapping/reread-rules.tsx';
import { lossesOf } from '../status/composition.tsx';
import { cancelLabel } from '../status/status-look.tsx';
import { seeDraftsLabel, useImportActions } from '../status/use-import-actions.tsx';

type Weight = 'primary' | 'plain' | 'menu';

export type PageAction = { label: string; weight: Weight; reason: string | null } & (
  | { kind: 'action'; action: ImportActionName }
  | { kind: 'testStore' | 'dryRun' | 'updateImages' | 'applyRules' | 'askAi' | 'supplier' | 'report' }
  | { kind: 'drafts' | 'undoPush' | 'history' | 'corrections' | 'cancel' | 'delete' | 'fix' }
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
  | 'draftsUrl'
  | 'isUndoing'
  | 'changesGone'
> &
  Parameters<typeof rereadBlockReason>[0] & { list: object | null };

/** Returns the actions in the order of the bar. `unsaved`: number of rows with unsaved edits, which block a push. */
export function listPageActions(record: Offered, unsaved: number): PageAction[] {
  const { status } = record;
  const actions: PageAction[] = [];
  const add = (action: ImportActionName, label: string, weight: Weight, reason: string | null = null) =>
    actions.push({ kind: 'action', action, label, weight, reason });
  const offer = (
    kind: Exclude<PageAction['kind'], 'action'>,
    label: string,
    weight: Weight,
    reason: string | null = null,
  ) => actions.push({ kind, label, weight, reason });
  const isReviewed = canDo('review', status);
  if (canDo('pause', status)) add('pause', 'Pause', 'plain');
  if (canDo('resume', status)) add('resume', 'Resume', 'primary');
  if (isReviewed) offer('dryRun', 'Dry Run', 'plain');
  if (canDo('updateImages', status)) offer('updateImages', 'Update Images', 'plain');
  if (isReviewed) offer('testStore', 'Test Shopify', 'plain');
  // Hidden while an automatic push is planned: that push creates drafts, but a manual push would not.
  if (isReviewed && record.autoPushAt === null) add('push', 'Push', 'primary', unsavedReason(unsaved));
  if (canDo('applyRules', status)) offer('applyRules', 'Apply Rules', 'menu');
  if (canDo('markReady', status)) add('markReady', 'Mark as Ready', 'menu', unsavedReason(unsaved));
  if (canDo('viewReport', status) || status === 'failed') {
    offer('report', 'View Report', 'plain');
  } else if (record.startedAt !== null && status !== 'processing') {
    offer('report', 'View Report', 'menu');
  }
  // If some products were not sent, the report is more important than the drafts.
  const draftsWeight = isReviewed ? 'menu' : lossesOf(record) > 0 ? 'plain' : 'primary';
  if (record.draftsUrl !== null) offer('drafts', seeDraftsLabel, draftsWeight);
  const isThere = record.rowsRemovedAt === null && !record.isBeingDeleted;
  if (canDo('push', status) && !isReviewed && isThere) {
    add('push', 'Push again', 'menu', unsavedReason(unsaved));
  }
  if (canDo('undoPush', status) && record.shop !== null) offer('undoPush', 'Undo Push', 'menu');
  if (canDo('askAi', status) && record.rowsRemovedAt === null) offer('askAi', 'Ask AI', 'menu');
  // A test import belongs to no supplier.
  if (record.list !== null) offer('supplier', 'Supplier…', 'menu', rereadBlockReason(record));
  if (canDo('bulkEdit', status) && isThere) offer('corrections', 'Correct in a Spreadsheet…', 'menu');
  offer('history', 'History of Changes', 'menu');
  if (canDo('cancel', status)) offer('cancel', cancelLabel(record), 'menu');
  if (canDo('delete', status) && !record.isBeingDeleted) offer('delete', 'Delete Import', 'menu');
  return actions;
}

/** If `open` products need a fix, puts 'Fix' first, and moves the primary action, such as Push, to the menu. */
export function orderPhoneActions(
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

/** The route alias that this screen uses for a push. */
const pushPath = '/api/jobs/:id/push-shopify';

export type PageActions = ReturnType<typeof usePageActions>;

export function usePageActions(
  id: string,
  /** Undefined while the import loads. */
  record: ShownDetails | undefined,
) {
  const { run, cancel, busyId, failure } = useImportActions();
  const navigate = useNavigate();
  const failPush = (error: Error) => {
    console.error('Draftshelf: Push Failed', error);
    failure.show(
      'Push Failed',
      `Failed to push to Shopify: ${error.message}. Check the console for details.`,
    );
  };
  const push = () => {
    if (record === undefined || !hasImportRows(record)) return failPush(new Error('No CSV data available'));
    const lookups = describeRunningLookups(record.enrichment?.waiting ?? [], Date.now());
    const onDone = () => {
      navigate(queuePath);
      if (lookups !== null) toast({ title: 'Push started', text: lookups });
    };
    run({ id }, 'push', { path: pushPath, onDone, onFailed: failPush });
  };
  return {
    run: (name: ImportActionName) => (name === 'push' ? push() : run({ id }, name)),
    cancel,
    storeTest: useStoreCheck(),
    imageUpdate: useImageUpdateCall(id, failure),
    applyRules: useRulesCall(id),
    isBusy: busyId !== null,
  };
}

function useStoreCheck() {
  const test = useCall('testStore', {
    failed: () => ({
      title: 'Connection Test Failed',
      text: 'Unable to connect to Shopify. Please check your credentials.',
    }),
    // If the store is unreachable, the reply is successful and has a message. Every field may be absent.
    done: ({ success, message, connected }: Partial<Reply<'testStore'>>) => {
      const isConnected = connected === undefined ? success === true : connected.status === 'success';
      const text = message || (connected?.message ?? '');
      return isConnected && success !== false
        ? { title: 'Connection Successful', text }
        : { title: 'Connection Failed', text, tone: 'failure' };
    },
  });
  return { start: () => test.mutate({}), isPending: test.isPending };
}

function useRulesCall(id: string) {
  const { mutate } = useCall('applyRules', {
    params: { id },
    failed: 'Couldn’t apply the rules',
    done: ({ message }) => ({ title: 'Applying rules', text: message }),
  });
  return () => mutate({});
}

function useImageUpdateCall(id: string, failure: ReturnType<typeof useImportActions>['failure']) {
  const update = useCall('reprocessImages', {
    ...{ params: { id }, failure },
    failed: (error) => ({ title: 'Update Error', text: `Failed to reprocess images: ${error.message}` }),
    onError: (error) => console.error('Draftshelf: Failed to reprocess images', error),
    done: ({ success, updatedCount, message }) =>
      success && { title: updatedCount === 0 ? 'No new images' : 'Images updated', text: message },
    onSuccess: ({ success, message }) => {
      if (!success) failure.show('Update Failed', message);
    },
  });
  return { start: () => update.mutate({}), isPending: update.isPending };
}
