import { Skeleton, Table } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { ShownImport } from '../../api/imports.ts';
import { CancelImport } from '../../components/import/cancel-import.tsx';
import { lossesOf } from '../../components/import/composition.ts';
import { CurrencyDialog, useCurrencyGate } from '../../components/import/currency-gate.tsx';
import { FileName, reasonOf } from '../../components/import/import-cells.tsx';
import { ImportProgress } from '../../components/import/import-progress.tsx';
import { StatusBadge } from '../../components/import/status-badge.tsx';
import { RowEnd } from '../../components/push-ends/row-end.tsx';
import { TableRegion } from '../../components/table/table-region.tsx';
import { useTableFits } from '../../components/table/use-table-fits.ts';
import classes from './queue.module.css';
import type { useQueueCalls } from './queue-calls.ts';
import { Products, Started } from './queue-cells.tsx';
import { RowActions } from './row-actions.tsx';

type Calls = ReturnType<typeof useQueueCalls>;

/** The width of the table, and without the times and with one button in a row. */
const tableRem = { roomy: 62, narrow: 45 };

/** The imports, as a table or, on narrow screens, as cards. */
export function QueueTable({ jobs, calls }: { jobs: readonly ShownImport[]; calls: Calls }) {
  const isRoomy = useTableFits(tableRem.roomy);
  const isTable = useTableFits(tableRem.narrow);
  const [cancelling, setCancelling] = useState<ShownImport | null>(null);
  const gate = useCurrencyGate();
  const List = isTable ? JobTable : JobCards;
  return (
    <>
      <List
        jobs={jobs}
        calls={calls}
        buttonsMax={isTable && !isRoomy ? 1 : 2}
        onCancel={setCancelling}
        onPush={(job) => gate.push([job], () => calls.run(job, 'push'))}
      />
      <CurrencyDialog gate={gate} />
      <CancelImport
        job={cancelling}
        onConfirm={() => cancelling !== null && calls.cancel(cancelling)}
        onClose={() => setCancelling(null)}
      />
    </>
  );
}

/** The table's head over any rows. The columns have fixed widths: no text may move them. */
function JobGrid({ children, isLoading }: { children: ReactNode; isLoading?: boolean }) {
  return (
    <Table
      className={classes.table}
      layout="fixed"
      verticalSpacing={2}
      horizontalSpacing={8}
      highlightOnHover
      aria-label="Active Jobs"
      aria-busy={isLoading}
    >
      <colgroup>
        <col />
        <col className={classes.statusColumn} />
        <col className={classes.progressColumn} />
        <col className={classes.productsColumn} />
        <col className={classes.startedColumn} />
        <col className={classes.actionsColumn} />
      </colgroup>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>File</Table.Th>
          <Table.Th>Status</Table.Th>
          <Table.Th>Progress</Table.Th>
          <Table.Th>Products</Table.Th>
          <Table.Th>Started</Table.Th>
          <Table.Th ta="right">Actions</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>{children}</Table.Tbody>
    </Table>
  );
}

type ListProps = {
  jobs: readonly ShownImport[];
  calls: Calls;
  /** Buttons in a row; the menu has the other actions. */
  buttonsMax: number;
  onCancel: (job: ShownImport) => void;
  onPush: (job: ShownImport) => void;
};

function JobTable({ jobs, ...actions }: ListProps) {
  return (
    <div className={classes.fitted}>
      <TableRegion label="Active Jobs table">
        <JobGrid>
          {jobs.map((job) => (
            <Table.Tr key={job.id}>
              <Table.Td>
                <FileName job={job} />
              </Table.Td>
              <Table.Td>
                <StatusBadge status={job.status} losses={lossesOf(job)} />
                <RowEnd job={job} />
              </Table.Td>
              <Table.Td>
                <ImportProgress job={job} reason={reasonOf(job)} />
              </Table.Td>
              <Table.Td>
                <Products job={job} />
              </Table.Td>
              <Table.Td>
                <Started job={job} />
              </Table.Td>
              <Table.Td>
                <RowActions job={job} {...actions} />
              </Table.Td>
            </Table.Tr>
          ))}
        </JobGrid>
      </TableRegion>
    </div>
  );
}

function JobCards({ jobs, ...actions }: ListProps) {
  return (
    <ul className={classes.jobs} aria-label="Active Jobs">
      {jobs.map((job) => (
        <li key={job.id} className={`panel ${classes.job}`}>
          <div className={classes.jobHead}>
            <FileName job={job} />
            <StatusBadge status={job.status} losses={lossesOf(job)} />
            <RowEnd job={job} />
          </div>
          <div className={classes.jobProgress}>
            <ImportProgress job={job} reason={reasonOf(job)} />
          </div>
          <div className={classes.jobFacts}>
            <Products job={job} />
            <Started job={job} />
          </div>
          <RowActions job={job} {...actions} />
        </li>
      ))}
    </ul>
  );
}

const placeholders = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'];

/** The list in its final shape, while it loads. */
export function QueueSkeleton() {
  if (!useTableFits(tableRem.narrow)) {
    return (
      <div className={classes.jobs} aria-hidden>
        {placeholders.slice(0, 3).map((place) => (
          <Skeleton key={place} height={140} />
        ))}
      </div>
    );
  }
  return (
    <div aria-hidden className={classes.fitted}>
      <JobGrid isLoading>
        {placeholders.map((place) => (
          <Table.Tr key={place}>
            {placeholders.map((cell) => (
              <Table.Td key={cell}>
                <Skeleton height={18} />
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </JobGrid>
    </div>
  );
}
