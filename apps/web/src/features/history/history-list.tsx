import type { EndedJob } from '@draftshelf/contract/imports/history';
import { describeDuration } from '@draftshelf/domain/base/format';
import { useEffect } from 'react';
import { Link } from 'react-router';
import { countOf } from '../../lib/intl.ts';
import { importPath, queuePath, supplierPath } from '../../lib/paths.ts';
import { BodyText, Button, EllipsisLink, QuietText, RelativeTime, SmallButton } from '../../ui/basics.tsx';
import { toast } from '../../ui/feedback/toast-state.ts';
import { useReportPath } from '../../ui/hooks.ts';
import { type Column, RecordList } from '../../ui/table/record-table.tsx';
import {
  CompositionBar,
  compositionOf,
  FileName,
  isFailedByRows,
  lossesOf,
  partWords,
  reasonOf,
  StatusBadge,
  useImportActions,
} from '../import/index.ts';
import { useNamedSuppliers } from '../suppliers/index.ts';
import classes from './history.module.css';

/** Width in rem without the column Duration, which narrow tables omit. */
const tableRem = 41;
const supplierRem = 9;

type HistoryListProps = {
  imports: readonly EndedJob[] | undefined;
  actions: HistoryActions;
  isStale: boolean;
};

export function HistoryList({ imports, actions, isStale }: HistoryListProps) {
  const areNamed = useNamedSuppliers().length > 0;
  const columns: Column<EndedJob>[] = [
    { head: 'File', cell: (record) => <FileName record={record} /> },
    ...(areNamed ? [supplierColumn] : []),
    { head: 'Status', rem: 11, narrowRem: 8, cell: statusOf },
    { head: 'Products', rem: 17, narrowRem: 10, cell: (record) => <Products record={record} /> },
    {
      head: 'Duration',
      rem: 6,
      width: classes.durationColumn,
      className: `numbers ${classes.duration}`,
      cell: tookWords,
    },
    { head: 'Completed', rem: 8, narrowRem: 7, cell: endOf },
    {
      head: 'Actions',
      rem: 12,
      narrowRem: 11,
      align: 'right',
      cell: (record) => <Actions record={record} actions={actions} />,
    },
  ];
  return (
    <RecordList
      label="History"
      isOneStop
      columns={columns}
      records={imports}
      tableRem={areNamed ? tableRem + supplierRem : tableRem}
      isStale={isStale}
      card={(record) => (
        <li key={record.id} className="panel stack pad-sm">
          <div className="row between top">
            <FileName record={record} />
            {statusOf(record)}
          </div>
          {areNamed && record.supplier && (
            <QuietText className="break-words">
              from <bdi>{record.supplier.name}</bdi>
            </QuietText>
          )}
          <Products record={record} />
          <div className={`row-wrap ${classes.cardFoot} between`}>
            <QuietText component="div" className="numbers">
              {tookWords(record)} · {endOf(record)}
            </QuietText>
            <Actions record={record} actions={actions} />
          </div>
        </li>
      )}
    />
  );
}

const supplierColumn: Column<EndedJob> = {
  ...{ head: 'Supplier', rem: 9 },
  cell: ({ supplier }) =>
    supplier && <EllipsisLink to={supplierPath(supplier.id)}>{supplier.name}</EllipsisLink>,
};

const statusOf = (record: EndedJob) => (
  <StatusBadge status={record.status} losses={lossesOf(record)} isUndone={record.undone !== null} />
);

function Products({ record }: { record: EndedJob }) {
  const { undone, totalProducts } = record;
  const parts = undone ? [] : compositionOf(record);
  const words = undone
    ? `${countOf(undone.products, 'product')} undone`
    : parts.map(partWords).join(' · ') || countOf(totalProducts, 'product');
  return (
    <div className="stack gap-hair">
      {parts.length > 0 && (
        <CompositionBar parts={parts} total={totalProducts} isStopped={record.status === 'failed'} />
      )}
      {((record.status === 'failed' || record.isUnreadable) && reasonOf(record)) || (
        <BodyText lh="18px" className="ellipsis numbers" title={words}>
          {words}
        </BodyText>
      )}
    </div>
  );
}

/** Returns the duration in minutes and seconds. */
function tookWords({ startedAt, completedAt }: EndedJob): string {
  if (startedAt === null || completedAt === null) return '–';
  return describeDuration(Date.parse(completedAt) - Date.parse(startedAt));
}

function endOf({ completedAt, undone }: EndedJob) {
  const end = undone?.at ?? completedAt;
  return end === null ? '–' : <RelativeTime time={end} />;
}

function Actions({ record, actions }: { record: EndedJob; actions: HistoryActions }) {
  const reportPath = useReportPath();
  const isBusy = actions.busyId === record.id;
  const isReviewFirst = record.status === 'failed' && isFailedByRows(record);
  return (
    <div className="row-wrap gap-tight end">
      {isReviewFirst && (
        <Button size="compact-sm" variant="light" component={Link} to={importPath(record.id)}>
          Review
        </Button>
      )}
      {record.status === 'failed' && (
        <Button
          size="compact-sm"
          variant={isReviewFirst ? 'default' : 'light'}
          busy={isBusy}
          onClick={() => actions.run(record, 'retry')}
        >
          Retry
        </Button>
      )}
      <SmallButton component={Link} to={reportPath(record.id)}>
        View Report
      </SmallButton>
    </div>
  );
}

type HistoryActions = ReturnType<typeof useHistoryActions>;

/** Titles of the notifications after an action, which removes the import from the history. */
const doneTitles = { retry: 'Retrying Job', push: 'Pushing to Shopify' } as const;
/** Storage key of a notification that is shown after the reload. */
const noticeKey = 'draftshelf.history-notice';

/** Actions of the history. After a success, the page reloads and keeps its filters, which are in the address. */
export function useHistoryActions() {
  const { run, busyId } = useImportActions();
  useNoticeAfterReload();
  return {
    run: (record: { id: string; filename: string }, action: keyof typeof doneTitles) =>
      run(record, action, {
        onDone: () => {
          sessionStorage.setItem(noticeKey, JSON.stringify([doneTitles[action], record.filename]));
          location.reload();
        },
      }),
    busyId,
  };
}

function useNoticeAfterReload(): void {
  useEffect(() => {
    const stored = sessionStorage.getItem(noticeKey);
    if (stored === null) return;
    sessionStorage.removeItem(noticeKey);
    const [title, text] = JSON.parse(stored) as [string, string];
    toast({ title, text, link: { to: queuePath, words: 'View in queue' } });
  }, []);
}

export type HistoryAddress = { status: string; date: string; supplier: string; file: string; page: number };

/** Returns the filters of the address. A page that is no positive number counts as page 1. */
export function readHistoryFilters(search: URLSearchParams): HistoryAddress {
  const page = Number(search.get('page') ?? 1);
  const status = search.get('status') ?? '';
  return {
    status: status === 'all' ? '' : status,
    date: search.get('date') ?? '',
    supplier: search.get('supplier') ?? '',
    file: search.get('file') ?? '',
    page: Number.isInteger(page) && page > 0 ? page : 1,
  };
}

export function toHistoryParams({ page, ...filters }: HistoryAddress): Record<string, string> {
  const set = Object.entries(filters).filter(([, value]) => value !== '');
  return { ...Object.fromEntries(set), ...(page === 1 ? {} : { page: String(page) }) };
}

export const isFiltered = ({ page: _, ...filters }: HistoryAddress): boolean =>
  Object.values(filters).some((filter) => filter !== '');
