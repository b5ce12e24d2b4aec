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
import { Products, Started } from './queue-cells.tsx';
import { RowActions } from './row-actions.tsx';
import type { QueueActions } from './use-queue-actions.ts';

/** The width of the table, and without the times and with one button in a row. */
const tableRem = { roomy: 62, narrow: 45 };

/** The imports, as a table or, on narrow screens, as cards. */
export function QueueTable({ imports, actions }: { imports: readonly ShownImport[]; actions: QueueActions }) {
  const isRoomy = useTableFits(tableRem.roomy);
  const isTable = useTableFits(tableRem.narrow);
  const [cancelling, setCancelling] = useState<ShownImport | null>(null);
  const gate = useCurrencyGate();
  const List = isTable ? ImportTable : ImportCards;
  return (
    <>
      <List
        imports={imports}
        actions={actions}
        buttonsMax={isTable && !isRoomy ? 1 : 2}
        onCancel={setCancelling}
        onPush={(record) => gate.push([record], () => actions.run(record, 'push'))}
      />
      <CurrencyDialog gate={gate} />
      <CancelImport
        record={cancelling}
        onConfirm={() => cancelling !== null && actions.cancel(cancelling)}
        onClose={() => setCancelling(null)}
      />
    </>
  );
}

/** The table's head over any rows. The columns have fixed widths: no text may move them. */
function ImportGrid({ children, isLoading }: { children: ReactNode; isLoading?: boolean }) {
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
  imports: readonly ShownImport[];
  actions: QueueActions;
  /** Buttons in a row; the menu has the other actions. */
  buttonsMax: number;
  onCancel: (record: ShownImport) => void;
  onPush: (record: ShownImport) => void;
};

function ImportTable({ imports, ...actions }: ListProps) {
  return (
    <div className={classes.fitted}>
      <TableRegion label="Active Jobs table">
        <ImportGrid>
          {imports.map((record) => (
            <Table.Tr key={record.id}>
              <Table.Td>
                <FileName record={record} />
              </Table.Td>
              <Table.Td>
                <StatusBadge status={record.status} losses={lossesOf(record)} />
                <RowEnd record={record} />
              </Table.Td>
              <Table.Td>
                <ImportProgress record={record} reason={reasonOf(record)} />
              </Table.Td>
              <Table.Td>
                <Products record={record} />
              </Table.Td>
              <Table.Td>
                <Started record={record} />
              </Table.Td>
              <Table.Td>
                <RowActions record={record} {...actions} />
              </Table.Td>
            </Table.Tr>
          ))}
        </ImportGrid>
      </TableRegion>
    </div>
  );
}

function ImportCards({ imports, ...actions }: ListProps) {
  return (
    <ul className={classes.cards} aria-label="Active Jobs">
      {imports.map((record) => (
        <li key={record.id} className={`panel ${classes.card}`}>
          <div className={classes.cardHead}>
            <FileName record={record} />
            <StatusBadge status={record.status} losses={lossesOf(record)} />
            <RowEnd record={record} />
          </div>
          <div className={classes.cardProgress}>
            <ImportProgress record={record} reason={reasonOf(record)} />
          </div>
          <div className={classes.cardFacts}>
            <Products record={record} />
            <Started record={record} />
          </div>
          <RowActions record={record} {...actions} />
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
      <div className={classes.cards} aria-hidden>
        {placeholders.slice(0, 3).map((place) => (
          <Skeleton key={place} height={140} />
        ))}
      </div>
    );
  }
  return (
    <div aria-hidden className={classes.fitted}>
      <ImportGrid isLoading>
        {placeholders.map((place) => (
          <Table.Tr key={place}>
            {placeholders.map((cell) => (
              <Table.Td key={cell}>
                <Skeleton height={18} />
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </ImportGrid>
    </div>
  );
}
