import { canDo, statusLabel } from '@draftshelf/domain/imports/import-status';
import { Text } from '@mantine/core';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { countOf, formatCount, formatExactTime } from '../../lib/intl.ts';
import { importPath, undoPath } from '../../lib/paths.ts';
import { Button, RelativeTime } from '../../ui/basics.tsx';
import { reportDurationMs, toast } from '../../ui/feedback/toast-state.ts';
import { MoreMenu } from '../../ui/menu.tsx';
import { useNoConnectionReason } from '../../ui/page-header.tsx';
import { type Column, RecordList, useTableFits } from '../../ui/table/record-table.tsx';
import {
  type AskingImport,
  CancelImportDialog,
  CurrencyDialog,
  cancelLabel,
  countOpenQuestions,
  countUploaded,
  FileName,
  type ImportActionName,
  ImportProgress,
  isFailedByRows,
  lossesOf,
  openDrafts,
  RunEndStatus,
  reasonOf,
  renderAutoState,
  type ShownImport,
  StatusBadge,
  seeDraftsLabel,
  sentWords,
  useAutoPushAnswer,
  useCurrencyGate,
  useImportActions,
  useStopRetries,
} from '../import/index.ts';
import classes from './queue.module.css';

/** Table widths in rem. The `narrow` table omits the times and has one button per row. */
const tableRem = { roomy: 62, narrow: 45 };

type QueueListProps = { imports: readonly ShownImport[] | undefined; actions: QueueActions };

export function QueueList({ imports, actions }: QueueListProps) {
  const isRoomy = useTableFits(tableRem.roomy);
  const isTable = useTableFits(tableRem.narrow);
  const [toCancel, setToCancel] = useState<ShownImport | null>(null);
  const gate = useCurrencyGate();
  const actionsOf = (record: ShownImport) => (
    <RowActions
      record={record}
      actions={actions}
      buttonsMax={isTable && !isRoomy ? 1 : 2}
      onCancel={setToCancel}
      onPush={() => gate.push([record], () => actions.run(record, 'push'))}
    />
  );
  const columns: Column<ShownImport>[] = [
    { head: 'File', cell: (record) => <FileName record={record} /> },
    { head: 'Status', rem: 11, narrowRem: 10.75, cell: (record) => <Status record={record} /> },
    {
      head: 'Progress',
      rem: 11.5,
      narrowRem: 9.5,
      width: classes.progressColumn,
      cell: (record) => <Progress record={record} />,
    },
    { head: 'Products', rem: 9.5, narrowRem: 6.5, cell: (record) => <Products record={record} /> },
    { head: 'Started', rem: 6, width: classes.startedColumn, cell: (record) => <Started record={record} /> },
    { head: 'Actions', rem: 16.25, narrowRem: 11, align: 'right', cell: actionsOf },
  ];
  return (
    <>
      <RecordList
        label="Active Jobs"
        className={classes.list}
        columns={columns}
        records={imports}
        tableRem={tableRem.narrow}
        card={(record) => (
          <li key={record.id} className={`panel ${classes.card} grid pad-sm`}>
            <div className={`row ${classes.cardHead} between top`}>
              <FileName record={record} />
              <Status record={record} />
            </div>
            <div className={classes.cardProgress}>
              <Progress record={record} />
            </div>
            <div className={`row ${classes.cardFacts} between baseline`}>
              <Products record={record} />
              <Started record={record} />
            </div>
            {actionsOf(record)}
          </li>
        )}
      />
      <CurrencyDialog gate={gate} />
      <CancelImportDialog
        record={toCancel}
        onConfirm={() => toCancel !== null && actions.cancel(toCancel)}
        onClose={() => setToCancel(null)}
      />
    </>
  );
}

type CellProps = { record: ShownImport };

const Status = ({ record }: CellProps) => (
  <>
    <StatusBadge
      status={record.status}
      losses={lossesOf(record)}
      isUndoing={record.isUndoing}
      questions={countOpenQuestions(record)}
    />
    <RunEndStatus record={record} />
  </>
);

const Progress = ({ record }: CellProps) => (
  <ImportProgress record={record} reason={reasonOf(record) ?? renderAutoState(record)} />
);

function Products({ record }: CellProps) {
  const sent = sentWords(record);
  return (
    <div className={classes.products}>
      <Text className={`ellipsis numbers size-sm ${classes.first}`}>
        {sent === ''
          ? `${formatCount(record.processedProducts)} of ${formatCount(record.totalProducts)}`
          : sent}
      </Text>
      <Text c="dimmed" className={`ellipsis numbers size-xs ${classes.second}`}>
        {record.status === 'completed' && `${formatCount(countUploaded(record))} uploaded to Shopify`}
      </Text>
    </div>
  );
}

const Started = ({ record: { startedAt } }: CellProps) => (
  <div className={classes.products}>
    <Text className={`ellipsis numbers size-sm ${classes.first}`}>
      {startedAt === null ? '–' : <RelativeTime time={startedAt} />}
    </Text>
    {/* An empty second line aligns the time with the first lines of the other cells. */}
    <div className={classes.second} />
  </div>
);

type RowActionsProps = {
  record: ShownImport;
  actions: QueueActions;
  buttonsMax: number;
  onCancel: (record: ShownImport) => void;
  onPush: (record: ShownImport) => void;
};

function RowActions({ record, actions, buttonsMax, onCancel, onPush }: RowActionsProps) {
  const navigate = useNavigate();
  const lostReason = useNoConnectionReason();
  const items = listQueueActions(record);
  const buttons = buttonActions(items, buttonsMax);
  const others = items.filter((action) => !buttons.includes(action));
  const isBusy = actions.busyId === record.id;
  const id = `actions-${record.id}`;
  const act = (action: QueueAction) => {
    if (action.kind === 'cancel') onCancel(record);
    else if (action.kind === 'report') actions.report(record);
    else if (action.kind === 'review') navigate(importPath(record.id));
    else if (action.kind === 'drafts') openDrafts(action.url);
    else if (action.kind === 'undoPush') navigate(undoPath(record.id));
    else if (isBusy) return;
    else if (action.kind === 'autoPush') actions.answerAutoPush(record, action.answer);
    else if (action.kind === 'stopRetry') actions.stopRetry(record);
    else if (action.kind === 'action' && action.action === 'push') onPush(record);
    else if (action.kind === 'action') actions.run(record, action.action);
  };
  return (
    <div className={`row ${classes.actions} gap-tight end`} id={id} data-focus-next={`#${id} :is(button, a)`}>
      {buttons.map((action) => (
        <RowButton
          key={action.label}
          record={record}
          action={action}
          isBusy={isBusy}
          lostReason={lostReason}
          onAct={act}
        />
      ))}
      {others.length > 0 && (
        <MoreMenu
          size={26}
          className={classes.more}
          label={`More actions for ${record.filename}`}
          name={`Actions for ${record.filename}`}
          items={others.map((action) => ({
            label: action.label,
            reason: lostReason,
            act: () => act(action),
          }))}
        />
      )}
    </div>
  );
}

/** Returns the actions shown as buttons. If not all fit, only the primary action is shown. */
function buttonActions(actions: readonly QueueAction[], buttonsMax: number): QueueAction[] {
  const buttons = actions.filter(({ weight }) => weight !== 'menu');
  if (buttons.length <= buttonsMax) return buttons;
  const primary = buttons.find(({ weight }) => weight === 'primary');
  return primary === undefined ? buttons.slice(0, buttonsMax) : [primary];
}

type RowButtonProps = {
  record: ShownImport;
  action: QueueAction;
  isBusy: boolean;
  lostReason: string | null;
  onAct: (action: QueueAction) => void;
};

function RowButton({ record, action, isBusy, lostReason, onAct }: RowButtonProps) {
  const look = { size: 'compact-sm', variant: action.weight === 'primary' ? 'light' : 'default' } as const;
  if (action.kind === 'review') {
    return (
      <Button {...look} component={Link} to={importPath(record.id)}>
        {action.label}
      </Button>
    );
  }
  return (
    // A native tooltip, because a queue has up to 700 rows.
    <Button
      {...look}
      disabled={isBusy}
      title={lostReason ?? undefined}
      aria-description={lostReason ?? undefined}
      aria-disabled={lostReason === null ? undefined : true}
      data-disabled={lostReason === null ? undefined : true}
      onClick={() => lostReason === null && onAct(action)}
    >
      {action.label}
    </Button>
  );
}

type Page = { count: number; total: number; isNewest: boolean; isFiltered: boolean };

/** Returns null if all imports are shown. */
export function describeQueuePage({ count, total, isNewest, isFiltered }: Page): string | null {
  if (isNewest && count >= total) return null;
  const verb = isFiltered ? 'Searched' : 'Showing';
  const all = countOf(total, 'import');
  if (isNewest) return `${verb} the newest ${formatCount(count)} of ${all}.`;
  return count === 0
    ? 'No older imports.'
    : `${verb} ${formatCount(count)} older imports of ${formatCount(total)}.`;
}

type Weight = 'primary' | 'plain' | 'menu';

type QueueAction = { label: string; weight: Weight } & (
  | { kind: 'action'; action: ImportActionName }
  | { kind: 'drafts'; url: string }
  | { kind: 'autoPush'; answer: 'now' | 'stop' }
  | { kind: 'cancel' | 'review' | 'report' | 'undoPush' | 'stopRetry' }
);

const review = (weight: Weight): QueueAction => ({ kind: 'review', label: 'Review', weight });

/** Returns the actions of an import. At most two of them are shown outside of the menu. */
export function listQueueActions(
  record: AskingImport &
    Pick<
      ShownImport,
      | 'outcomes'
      | 'rereading'
      | 'failedIn'
      | 'autoPushAt'
      | 'nextRetryAt'
      | 'draftsUrl'
      | 'shop'
      | 'isUndoing'
      | 'changesGone'
    >,
): QueueAction[] {
  const { status, draftsUrl } = record;
  if (record.autoPushAt !== null && canDo('review', status)) return plannedActions(record);
  const actions: QueueAction[] = [];
  const add = (action: ImportActionName, label: string, weight: Weight) =>
    actions.push({ kind: 'action', action, label, weight });
  const hasFailedRows = status === 'completed' && record.outcomes.failed > 0;
  if (canDo('pause', status)) add('pause', 'Pause', 'plain');
  if (canDo('resume', status)) add('resume', 'Resume', 'primary');
  const isAsking = countOpenQuestions(record) > 0;
  // A queued import, or one with open questions, waits for a review. A ready import waits for its push.
  if (status === 'queued' || (status === 'processed' && isAsking)) actions.push(review('primary'));
  if (canDo('viewReport', status)) actions.push({ kind: 'report', label: 'View Report', weight: 'plain' });
  if (draftsUrl !== null) {
    const weight = status === 'completed' && !hasFailedRows ? 'plain' : 'menu';
    actions.push({ kind: 'drafts', url: draftsUrl, label: seeDraftsLabel, weight });
  }
  if (hasFailedRows) add('retry', 'Retry failed rows', 'primary');
  if (canDo('push', status)) add('push', ...pushOffer(status, isAsking, hasFailedRows || draftsUrl !== null));
  if (status === 'processed' && !isAsking) actions.push(review('plain'));
  if (status === 'failed') actions.push(...failedActions(record));
  if (canDo('undoPush', status) && record.shop !== null) {
    actions.push({ kind: 'undoPush', label: 'Undo Push', weight: 'menu' });
  }
  if (canDo('cancel', status)) actions.push({ kind: 'cancel', label: cancelLabel(record), weight: 'menu' });
  return actions;
}

/** Actions of an import with a planned push, which creates only drafts. The action Push is left out: it may do more. */
const plannedActions = (
  record: Pick<ShownImport, 'rereading' | 'status' | 'isUndoing' | 'changesGone'>,
): QueueAction[] => [
  { kind: 'autoPush', answer: 'now', label: 'Push Now', weight: 'primary' },
  { kind: 'autoPush', answer: 'stop', label: 'Stop', weight: 'plain' },
  review('menu'),
  { kind: 'cancel', label: cancelLabel(record), weight: 'menu' },
];

function pushOffer(status: string, isAsking: boolean, isLast: boolean): [string, Weight] {
  if (status === 'queued') return ['Push', 'plain'];
  if (status === 'processed') return ['Push to Shopify', isAsking ? 'plain' : 'primary'];
  return ['Push again', isLast ? 'menu' : 'plain'];
}

function failedActions(record: Pick<ShownImport, 'failedIn' | 'outcomes' | 'nextRetryAt'>): QueueAction[] {
  const stop: QueueAction = { kind: 'stopRetry', label: 'Don’t Retry', weight: 'menu' };
  const retry = (weight: Weight): QueueAction => ({
    kind: 'action',
    action: 'retry',
    label: 'Retry',
    weight,
  });
  if (isFailedByRows(record)) return [review('primary'), retry('plain')];
  const stops = record.nextRetryAt === null ? [] : [stop];
  return record.failedIn === 'push'
    ? [retry('primary'), review('plain'), ...stops]
    : [retry('primary'), ...stops];
}

/** Lines of the report of an import. `words`: the formatted times. */
export const buildReportLines = (
  record: Pick<
    ShownImport,
    | 'filename'
    | 'processedProducts'
    | 'totalProducts'
    | 'createdProducts'
    | 'outcomes'
    | 'progress'
    | 'errorLog'
  >,
  words: { status: string; started: string; completed: string },
): string[] => [
  `File: ${record.filename}`,
  `Status: ${words.status}`,
  `Products: ${record.processedProducts} of ${record.totalProducts}`,
  `Uploaded: ${countUploaded(record)}`,
  ...outcomeLines(record.outcomes),
  `Progress: ${record.progress}%`,
  `Started: ${words.started}`,
  `Completed: ${words.completed}`,
  ...record.errorLog.slice(0, 3).map((error, index) => `Error ${index + 1}: ${error}`),
];

function outcomeLines(outcomes: ShownImport['outcomes']): string[] {
  const some = Object.entries(outcomes).filter(([, count]) => count > 0);
  return some.length === 0 ? [] : [`Results: ${some.map(([name, count]) => `${count} ${name}`).join(', ')}`];
}

type QueueActions = ReturnType<typeof useQueueActions>;

export function useQueueActions() {
  const { run, cancel, busyId, failure } = useImportActions();
  const pushTitles = { now: 'Failed to start Shopify upload', stop: 'Couldn’t stop the Push' };
  const answering = useAutoPushAnswer(pushTitles, failure);
  const stopping = useStopRetries('Couldn’t stop the Retry', failure);
  const answered = [answering, stopping].find(({ isPending }) => isPending)?.variables?.params?.id;
  const report = (record: ShownImport) => {
    const exact = (time: string | null) => (time === null ? '–' : formatExactTime(time));
    const words = {
      status: statusLabel(record.status),
      started: exact(record.startedAt),
      completed: exact(record.completedAt),
    };
    toast({
      title: 'Processing report',
      text: buildReportLines(record, words),
      durationMs: reportDurationMs,
      link: { report: record.id, words: 'Open report' },
    });
  };
  return {
    run: (record: Pick<ShownImport, 'id' | 'filename'>, name: ImportActionName) => {
      if (name === 'retry') toast({ title: 'Retrying Job', text: record.filename });
      run(record, name);
    },
    cancel,
    answerAutoPush: ({ id }: Pick<ShownImport, 'id'>, action: 'now' | 'stop') =>
      answering.mutate({ params: { id }, body: { action } }),
    stopRetry: ({ id }: Pick<ShownImport, 'id'>) => stopping.mutate({ params: { id } }),
    report,
    busyId: busyId ?? answered ?? null,
  };
}
