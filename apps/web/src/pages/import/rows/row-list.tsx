import type { Row } from '@draftshelf/contract/rows';
import { canDo, statusLabel } from '@draftshelf/domain/import-status';
import { Table } from '@mantine/core';
import { useState } from 'react';
import type { ShownImport } from '../../../api/imports.ts';
import { TableRegion } from '../../../components/table/table-region.tsx';
import { useTablesFit } from '../../../components/table/use-tables-fit.ts';
import classes from '../import.module.css';
import { ProductCard } from './product-card.tsx';
import { ProductRow } from './product-row.tsx';
import type { RowDraft } from './row-edit.ts';
import type { ProductRowProps } from './use-inline-edit.ts';

/** `paged`: there are other pages, so a short page keeps the height of a full one and the pager does not move. */
type RowListProps = { job: ShownImport; rows: readonly Row[]; faded: boolean; paged: boolean };

/** The rows of a page, as a table or, on narrow screens, as cards. */
export function RowList({ job, rows, faded, paged }: RowListProps) {
  const wide = useTablesFit();
  const drafts = useDrafts();
  const groupTitles = titlesByProduct(rows);
  const firstRows = firstRowsByProduct(rows);
  const lock = canDo('edit', job.status)
    ? null
    : `Rows can’t be edited while the import is ${statusLabel(job.status).toLowerCase()}.`;
  const entries = rows.map((row) => ({
    importId: job.id,
    row,
    firstOfProduct: firstRows.get(row.product) ?? row,
    groupTitle: groupTitles.get(row.product) ?? null,
    lock,
    ...drafts.of(row),
  }));
  return (
    <div
      className={classes.list}
      data-paged={paged || undefined}
      data-faded={faded || undefined}
      aria-busy={faded}
    >
      {wide ? <RowTable entries={entries} /> : <RowCards entries={entries} />}
    </div>
  );
}

/** Unsaved edits. They are kept here because resizing the window switches between table and cards. */
function useDrafts() {
  const [drafts, setDrafts] = useState<Readonly<Record<string, RowDraft | null>>>({});
  return {
    of({ row, line }: Row) {
      // After a re-read, a row number may refer to another record.
      const key = `${row} ${line}`;
      return {
        draft: drafts[key] ?? null,
        setDraft: (draft: RowDraft | null) => setDrafts((before) => ({ ...before, [key]: draft })),
      };
    },
  };
}

function RowTable({ entries }: { entries: readonly ProductRowProps[] }) {
  return (
    <TableRegion label="Product rows table">
      <Table className={classes.rows} horizontalSpacing={8} highlightOnHover aria-label="Product rows">
        <Table.Thead>
          <Table.Tr>
            <Table.Th className={classes.number}>Row</Table.Th>
            <Table.Th>Image</Table.Th>
            <Table.Th>Title</Table.Th>
            <Table.Th className={classes.number}>Price</Table.Th>
            <Table.Th>Brand</Table.Th>
            <Table.Th>UPC</Table.Th>
            <Table.Th className={classes.number}>Qty</Table.Th>
            <Table.Th>Class</Table.Th>
            <Table.Th>Outcome</Table.Th>
            <Table.Th ta="right">Edit</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map((entry) => (
            <ProductRow key={entry.row.row} {...entry} />
          ))}
        </Table.Tbody>
      </Table>
    </TableRegion>
  );
}

function RowCards({ entries }: { entries: readonly ProductRowProps[] }) {
  return (
    <ul className={classes.rowCards} aria-label="Product rows">
      {entries.map((entry) => (
        <ProductCard key={entry.row.row} {...entry} />
      ))}
    </ul>
  );
}

/** The first title of each product on the page. Further rows of a product often have no title. */
function titlesByProduct(rows: readonly Row[]): Map<number, string> {
  const titles = new Map<number, string>();
  for (const { product, values } of rows) {
    if (values.title && !titles.has(product)) titles.set(product, values.title);
  }
  return titles;
}

/** The first row of each product on the page, even if the product starts on the previous page. */
function firstRowsByProduct(rows: readonly Row[]): Map<number, Row> {
  const first = new Map<number, Row>();
  for (const row of rows) if (row.ignored === null && !first.has(row.product)) first.set(row.product, row);
  return first;
}
