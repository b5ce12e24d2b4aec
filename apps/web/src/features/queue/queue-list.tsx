import { Text } from '@mantine/core';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { countOf, formatCount } from '../../lib/intl.ts';
import { importPath, undoPath } from '../../lib/paths.ts';
import { Button } from '../../ui/button.tsx';
import { MoreMenu } from '../../ui/menu.tsx';
import { useLostReason } from '../../ui/page-header.tsx';
import { RecordList, useTableFits } from '../../ui/table/record-list.tsx';
import type { Column } from '../../ui/table/record-table.tsx';
import { RelativeTime } from '../../ui/text.tsx';
import {
  autoReasonOf,
  CancelImport,
  CurrencyDialog,
  FileName,
  ImportProgress,
  lossesOf,
  openQuestions,
  RowEnd,
  reasonOf,
  type ShownImport,
  StatusBadge,
  sentWords,
  uploadedOf,
  useCurrencyGate,
} from '../import/index.ts';
import classes from './queue.module.css';
import { type QueueAction, type QueueActions, queueActions } from './queue-actions.ts';

/** `narrow`: without the times and with one button in a row. */
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
      <CancelImport
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
      questions={openQuestions(record)}
    />
    <RowEnd record={record} />
  </>
);

const Progress = ({ record }: CellProps) => (
  <ImportProgress record={record} reason={reasonOf(record) ?? autoReasonOf(record)} />
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
        {record.status === 'completed' && `${formatCount(uploadedOf(record))} uploaded to Shopify`}
      </Text>
    </div>
  );
}

const Started = ({ record: { startedAt } }: CellProps) => (
  <Text span className={`ellipsis numbers size-sm ${classes.first}`}>
    {startedAt === null ? '–' : <RelativeTime time={startedAt} />}
  </Text>
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
  const lostReason = useLostReason();
  const items = queueActions(record);
  const buttons = buttonActions(items, buttonsMax);
  const others = items.filter((action) => !buttons.includes(action));
  const isBusy = actions.busyId === record.id;
  const id = `actions-${record.id}`;
  const act = (action: QueueAction) => {
    if (action.kind === 'cancel') onCancel(record);
    else if (action.kind === 'report') actions.report(record);
    else if (action.kind === 'review') navigate(importPath(record.id));
    else if (action.kind === 'undoPush') navigate(undoPath(record.id));
    else if (isBusy) return;
    else if (action.kind === 'autoPush') actions.answerAutoPush(record, action.answer);
    else if (action.kind === 'stopRetry') actions.stopRetry(record);
    else if (action.action === 'push') onPush(record);
    else actions.run(record, action.action);
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
          variant="subtle"
          color="gray"
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

/** The primary one if there is room for one only. */
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
  /** Null while the server answers. */
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
    // A native tooltip: a queue has up to 700 rows.
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

/** Null: all imports are shown. */
export function pageWords({ count, total, isNewest, isFiltered }: Page): string | null {
  if (isNewest && count >= total) return null;
  const verb = isFiltered ? 'Searched' : 'Showing';
  const all = countOf(total, 'import');
  if (isNewest) return `${verb} the newest ${formatCount(count)} of ${all}.`;
  return count === 0
    ? 'No older imports.'
    : `${verb} ${formatCount(count)} older imports of ${formatCount(total)}.`;
}
