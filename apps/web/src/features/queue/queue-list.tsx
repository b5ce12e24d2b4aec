import { Text } from '@mantine/core';
import { useState } from 'react';
import { formatCount } from '../../lib/intl.ts';
import { RecordList } from '../../ui/table/record-list.tsx';
import type { Column } from '../../ui/table/record-table.tsx';
import { useTableFits } from '../../ui/table/use-table-fits.ts';
import { RelativeTime } from '../../ui/time.tsx';
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
import { RowActions } from './queue-row-actions.tsx';
import type { QueueActions } from './use-queue-actions.ts';

/** The width of the table, and without the times and with one button in a row. */
const tableRem = { roomy: 62, narrow: 45 };

type QueueListProps = {
  /** Undefined while they load. */
  imports: readonly ShownImport[] | undefined;
  actions: QueueActions;
};

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
    { head: 'Status', width: classes.statusColumn, cell: (record) => <Status record={record} /> },
    { head: 'Progress', width: classes.progressColumn, cell: (record) => <Progress record={record} /> },
    { head: 'Products', width: classes.productsColumn, cell: (record) => <Products record={record} /> },
    { head: 'Started', width: classes.startedColumn, cell: (record) => <Started record={record} /> },
    { head: 'Actions', width: classes.actionsColumn, align: 'right', cell: actionsOf },
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
          <li key={record.id} className={`panel ${classes.card}`}>
            <div className={`row ${classes.cardHead}`}>
              <FileName record={record} />
              <Status record={record} />
            </div>
            <div className={classes.cardProgress}>
              <Progress record={record} />
            </div>
            <div className={`row ${classes.cardFacts}`}>
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

function Status({ record }: CellProps) {
  return (
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
}

function Progress({ record }: CellProps) {
  return <ImportProgress record={record} reason={reasonOf(record) ?? autoReasonOf(record)} />;
}

function Products({ record }: CellProps) {
  const sent = sentWords(record);
  return (
    <div className={classes.products}>
      <Text className={`ellipsis numbers ${classes.first}`}>
        {sent === ''
          ? `${formatCount(record.processedProducts)} of ${formatCount(record.totalProducts)}`
          : sent}
      </Text>
      <Text c="dimmed" className={`ellipsis numbers ${classes.second}`}>
        {record.status === 'completed' && `${formatCount(uploadedOf(record))} uploaded to Shopify`}
      </Text>
    </div>
  );
}

function Started({ record: { startedAt } }: CellProps) {
  return (
    <Text span className={`ellipsis numbers ${classes.first}`}>
      {startedAt === null ? '–' : <RelativeTime time={startedAt} />}
    </Text>
  );
}
