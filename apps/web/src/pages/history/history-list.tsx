import { duration } from '@draftshelf/domain/format';
import { Skeleton, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { ShownImport } from '../../api/imports.ts';
import { Button } from '../../components/button.tsx';
import { compositionOf, failedByRows, lossesOf, partWords } from '../../components/import/composition.ts';
import { FileName, reasonOf } from '../../components/import/import-cells.tsx';
import { Makeup } from '../../components/import/makeup-bar.tsx';
import { StatusBadge } from '../../components/import/status-badge.tsx';
import { useReportPath } from '../../components/report/use-report-path.ts';
import { TableRegion } from '../../components/table/table-region.tsx';
import { useTableFits } from '../../components/table/use-table-fits.ts';
import { RelativeTime } from '../../components/time.tsx';
import { countOf } from '../../lib/intl.ts';
import { importPath } from '../../lib/paths.ts';
import classes from './history.module.css';
import type { HistoryActions } from './use-history-actions.ts';

type ListProps = { imports: readonly ShownImport[]; actions: HistoryActions };

/** Without durations, which a narrow table leaves out. */
const tableRem = 41;

/** The imports, as a table or, on narrow screens, as cards. `isStale`: they are those of other filters. */
export function HistoryList({ isStale, ...list }: ListProps & { isStale: boolean }) {
  const List = useTableFits(tableRem) ? HistoryTable : HistoryCards;
  return (
    <div className={classes.list} data-stale={isStale || undefined} aria-busy={isStale}>
      <List {...list} />
    </div>
  );
}

/** The table's head over any rows. The columns have fixed widths: no text may move them. */
function HistoryGrid({ children }: { children: ReactNode }) {
  return (
    <Table
      className={classes.table ?? ''}
      layout="fixed"
      verticalSpacing={2}
      horizontalSpacing={8}
      highlightOnHover
      aria-label="History"
    >
      <colgroup>
        <col />
        <col className={classes.statusColumn} />
        <col className={classes.productsColumn} />
        <col className={classes.durationColumn} />
        <col className={classes.completedColumn} />
        <col className={classes.actionsColumn} />
      </colgroup>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>File</Table.Th>
          <Table.Th>Status</Table.Th>
          <Table.Th>Products</Table.Th>
          <Table.Th>Duration</Table.Th>
          <Table.Th>Completed</Table.Th>
          <Table.Th ta="right">Actions</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>{children}</Table.Tbody>
    </Table>
  );
}

function HistoryTable({ imports, actions }: ListProps) {
  return (
    <TableRegion label="History table">
      <HistoryGrid>
        {imports.map((record) => (
          <Table.Tr key={record.id}>
            <Table.Td>
              <FileName record={record} />
            </Table.Td>
            <Table.Td>
              <StatusBadge status={record.status} losses={lossesOf(record)} />
            </Table.Td>
            <Table.Td>
              <Products record={record} />
            </Table.Td>
            <Table.Td className="numbers">{tookWords(record)}</Table.Td>
            <Table.Td>
              <Ended record={record} />
            </Table.Td>
            <Table.Td>
              <Actions record={record} actions={actions} />
            </Table.Td>
          </Table.Tr>
        ))}
      </HistoryGrid>
    </TableRegion>
  );
}

function HistoryCards({ imports, actions }: ListProps) {
  return (
    <ul className={classes.cards} aria-label="History">
      {imports.map((record) => (
        <li key={record.id} className={`panel ${classes.card}`}>
          <div className={classes.cardHead}>
            <FileName record={record} />
            <StatusBadge status={record.status} losses={lossesOf(record)} />
          </div>
          <Products record={record} />
          <div className={classes.cardFoot}>
            <Text size="sm" c="dimmed" component="div" className="numbers">
              {tookWords(record)} · <Ended record={record} />
            </Text>
            <Actions record={record} actions={actions} />
          </div>
        </li>
      ))}
    </ul>
  );
}

/** What the import consists of, or why it failed. */
function Products({ record }: { record: ShownImport }) {
  const parts = compositionOf(record);
  const words = parts.map(partWords).join(' · ') || countOf(record.totalProducts, 'product');
  return (
    <div className={classes.products}>
      {parts.length > 0 && <Makeup parts={parts} total={record.totalProducts} />}
      {((record.status === 'failed' || record.isUnreadable) && reasonOf(record)) || (
        <Text size="sm" className={`${classes.words} numbers`} title={words}>
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

function Ended({ record: { completedAt } }: { record: ShownImport }) {
  return completedAt === null ? '–' : <RelativeTime time={completedAt} />;
}

function Actions({ record, actions }: { record: ShownImport; actions: HistoryActions }) {
  const reportPath = useReportPath();
  const isBusy = actions.busyId === record.id;
  const isReviewFirst = record.status === 'failed' && failedByRows(record);
  return (
    <div className={classes.actions}>
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

const placeholders = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'];

/** The list in its final shape, while it loads. */
export function HistorySkeleton() {
  if (!useTableFits(tableRem)) {
    return (
      <div className={classes.cards} aria-hidden>
        {placeholders.slice(0, 4).map((place) => (
          <Skeleton key={place} height={140} />
        ))}
      </div>
    );
  }
  return (
    <div className={classes.list} aria-hidden>
      <HistoryGrid>
        {placeholders.map((place) => (
          <Table.Tr key={place}>
            {placeholders.map((cell) => (
              <Table.Td key={cell}>
                <Skeleton height={18} />
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </HistoryGrid>
    </div>
  );
}
