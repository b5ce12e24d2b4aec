import { duration } from '@draftshelf/domain/base/format';
import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { countOf } from '../../lib/intl.ts';
import { importPath, supplierPath } from '../../lib/paths.ts';
import { Button } from '../../ui/button.tsx';
import { useReportPath } from '../../ui/hooks/use-report-path.ts';
import { RecordList } from '../../ui/table/record-list.tsx';
import type { Column } from '../../ui/table/record-table.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import {
  CompositionBar,
  compositionOf,
  FileName,
  failedByRows,
  lossesOf,
  partWords,
  reasonOf,
  type ShownImport,
  StatusBadge,
} from '../import/index.ts';
import { useNamedSuppliers } from '../suppliers/index.ts';
import classes from './history.module.css';
import type { HistoryActions } from './use-history-actions.ts';

/** Without durations, which a narrow table leaves out. */
const tableRem = 41;
const supplierRem = 9;

type HistoryListProps = {
  /** Undefined while they load. */
  imports: readonly ShownImport[] | undefined;
  actions: HistoryActions;
  /** The imports belong to the previous filters. */
  isStale: boolean;
};

export function HistoryList({ imports, actions, isStale }: HistoryListProps) {
  const areNamed = useNamedSuppliers().length > 0;
  const columns: Column<ShownImport>[] = [
    { head: 'File', cell: (record) => <FileName record={record} /> },
    ...(areNamed ? [supplierColumn] : []),
    { head: 'Status', width: classes.statusColumn, cell: statusOf },
    { head: 'Products', width: classes.productsColumn, cell: (record) => <Products record={record} /> },
    {
      head: 'Duration',
      width: classes.durationColumn,
      className: `numbers ${classes.duration}`,
      cell: tookWords,
    },
    { head: 'Completed', width: classes.completedColumn, cell: endOf },
    {
      head: 'Actions',
      width: classes.actionsColumn,
      align: 'right',
      cell: (record) => <Actions record={record} actions={actions} />,
    },
  ];
  return (
    <RecordList
      label="History"
      isOneStop
      className={classes.list}
      columns={columns}
      records={imports}
      tableRem={areNamed ? tableRem + supplierRem : tableRem}
      isStale={isStale}
      card={(record) => (
        <li key={record.id} className={`panel stack ${classes.card}`}>
          <div className={`row ${classes.cardHead}`}>
            <FileName record={record} />
            {statusOf(record)}
          </div>
          {areNamed && record.supplier && (
            <Text size="sm" c="dimmed" className="break-words">
              from <bdi>{record.supplier.name}</bdi>
            </Text>
          )}
          <Products record={record} />
          <div className={`row-wrap ${classes.cardFoot}`}>
            <Text size="sm" c="dimmed" component="div" className="numbers">
              {tookWords(record)} · {endOf(record)}
            </Text>
            <Actions record={record} actions={actions} />
          </div>
        </li>
      )}
    />
  );
}

const supplierColumn: Column<ShownImport> = {
  ...{ head: 'Supplier', width: classes.supplierColumn },
  cell: ({ supplier }) =>
    supplier && (
      <Anchor
        component={Link}
        inherit
        to={supplierPath(supplier.id)}
        className={`ellipsis ${classes.supplier}`}
        dir="auto"
        title={supplier.name}
      >
        {supplier.name}
      </Anchor>
    ),
};

function statusOf(record: ShownImport) {
  return <StatusBadge status={record.status} losses={lossesOf(record)} />;
}

/** The composition of the import, or the reason for its failure. */
function Products({ record }: { record: ShownImport }) {
  const parts = compositionOf(record);
  const words = parts.map(partWords).join(' · ') || countOf(record.totalProducts, 'product');
  return (
    <div className={`stack ${classes.products}`}>
      {parts.length > 0 && (
        <CompositionBar parts={parts} total={record.totalProducts} isStopped={record.status === 'failed'} />
      )}
      {((record.status === 'failed' || record.isUnreadable) && reasonOf(record)) || (
        <Text size="sm" className={`ellipsis numbers ${classes.words}`} title={words}>
          {words}
        </Text>
      )}
    </div>
  );
}

/** Minutes and seconds, as specified. */
function tookWords({ startedAt, completedAt }: ShownImport): string {
  if (startedAt === null || completedAt === null) return '–';
  return duration(Date.parse(completedAt) - Date.parse(startedAt));
}

function endOf({ completedAt }: ShownImport) {
  return completedAt === null ? '–' : <RelativeTime time={completedAt} />;
}

function Actions({ record, actions }: { record: ShownImport; actions: HistoryActions }) {
  const reportPath = useReportPath();
  const isBusy = actions.busyId === record.id;
  const isReviewFirst = record.status === 'failed' && failedByRows(record);
  return (
    <div className={`row-wrap ${classes.actions}`}>
      {isReviewFirst && (
        <Button size="compact-sm" variant="light" component={Link} to={importPath(record.id)}>
          Review
        </Button>
      )}
      {record.status === 'failed' && (
        <Button
          size="compact-sm"
          variant={isReviewFirst ? 'default' : 'light'}
          aria-disabled={isBusy || undefined}
          data-disabled={isBusy || undefined}
          onClick={() => !isBusy && actions.run(record, 'retry')}
        >
          Retry
        </Button>
      )}
      <Button size="compact-sm" variant="default" component={Link} to={reportPath(record.id)}>
        View Report
      </Button>
    </div>
  );
}
