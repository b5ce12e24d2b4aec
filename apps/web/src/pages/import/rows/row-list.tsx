import type { Row } from '@draftshelf/contract/rows';
import { canDo, statusLabel } from '@draftshelf/domain/import-status';
import { Skeleton, Table } from '@mantine/core';
import { Suspense } from 'react';
import type { ShownImport } from '../../../api/imports.ts';
import { moveBetweenRows } from '../../../components/table/row-navigation.ts';
import { useTableFits } from '../../../components/table/use-table-fits.ts';
import { lazily } from '../../../lib/load-chunk.ts';
import { ProductRow } from './product-row.tsx';
import type { RowDrafts } from './row-drafts.ts';
import classes from './rows.module.css';
import type { ProductRowProps } from './use-inline-edit.ts';
import type { EditTarget } from './use-problems.ts';

const RowCards = lazily(() => import('./row-cards.tsx').then((chunk) => chunk.RowCards));

type RowListProps = {
  record: ShownImport;
  rows: readonly Row[];
  drafts: RowDrafts;
  /** Rows that were fixed since the page was opened. */
  fixed: ReadonlySet<number>;
  target: EditTarget | null;
  /** The rows are those of another page: the wanted one is loading. */
  faded: boolean;
  /** There are other pages, so a short page keeps the height of a full one and the pager does not move. */
  paged: boolean;
  /** The issue that the rows are filtered by. */
  issue: string | undefined;
} & Pick<ProductRowProps, 'onTaken' | 'onSaved' | 'onNext'>;

/** Why an import's rows cannot be edited now; null if they can. */
export function editLock({ status }: Pick<ShownImport, 'status'>): string | null {
  if (canDo('edit', status)) return null;
  return `Rows can’t be edited while the import is ${statusLabel(status).toLowerCase()}.`;
}

/** Without pictures and brands, which a narrow table leaves out. */
const tableRem = 44;

/** The rows of a page, as a table or, on narrow screens, as cards. */
export function RowList({ record, drafts, faded, paged, issue, ...props }: RowListProps) {
  const fits = useTableFits(tableRem);
  const rows = props.rows.map((row) => withoutImportFacts(row, issue));
  const groupTitles = titlesByProduct(rows);
  const firstRows = firstRowsByProduct(rows);
  const lock = editLock(record);
  const entries = rows.map((row) => ({
    importId: record.id,
    row,
    firstOfProduct: firstRows.get(row.product) ?? row,
    groupTitle: groupTitles.get(row.product) ?? null,
    lock,
    edit: drafts.of(row),
    setEdit: (edit: ProductRowProps['edit']) => drafts.set(row, edit),
    isFixed: props.fixed.has(row.row),
    target: !faded && props.target?.row === row.row ? props.target : null,
    onTaken: props.onTaken,
    onSaved: props.onSaved,
    onNext: props.onNext,
  }));
  return (
    <div
      className={classes.list}
      data-paged={paged || undefined}
      data-faded={faded || undefined}
      aria-busy={faded}
    >
      {fits ? (
        <RowTable entries={entries} hasOutcomes={hasOutcomes(record)} />
      ) : (
        <Suspense fallback={<Skeleton height={480} />}>
          <RowCards entries={entries} />
        </Suspense>
      )}
    </div>
  );
}

function hasOutcomes({ outcomes }: ShownImport): boolean {
  return Object.values(outcomes).some((count) => count > 0);
}

/** The columns have fixed widths: no text may move them. */
function RowTable({ entries, hasOutcomes }: { entries: readonly ProductRowProps[]; hasOutcomes: boolean }) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move between the rows' own controls
    <div onKeyDown={moveBetweenRows}>
      <Table
        className={classes.rows}
        layout="fixed"
        stickyHeader
        stickyHeaderOffset="var(--header-height)"
        verticalSpacing={2}
        horizontalSpacing={8}
        highlightOnHover
        aria-label="Product rows"
        data-outcomes={hasOutcomes || undefined}
      >
        <colgroup>
          <col className={classes.rowColumn} />
          <col className={classes.imageColumn} />
          <col />
          <col className={classes.priceColumn} />
          <col className={classes.brandColumn} />
          <col className={classes.upcColumn} />
          <col className={classes.quantityColumn} />
          <col className={classes.classColumn} />
          {hasOutcomes && <col className={classes.outcomeColumn} />}
          <col className={classes.editColumn} />
        </colgroup>
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
            {hasOutcomes && <Table.Th>Outcome</Table.Th>}
            <Table.Th ta="right">Edit</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map((entry) => (
            <ProductRow key={entry.row.row} hasOutcomes={hasOutcomes} {...entry} />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

/** Prices in another currency are asked about once for the import. Rows say it only where they are filtered by it. */
function withoutImportFacts(row: Row, issue: string | undefined): Row {
  if (issue === 'other-currency') return row;
  return { ...row, issues: row.issues.filter(({ code }) => code !== 'other-currency') };
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
