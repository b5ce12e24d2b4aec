import type { Row } from '@draftshelf/contract/rows';
import { canDo, statusLabel } from '@draftshelf/domain/import-status';
import { Skeleton, Table, TextInput } from '@mantine/core';
import { Suspense } from 'react';
import type { ShownImport } from '../../../api/imports.ts';
import { AllFieldsButton, ProductRowsButton } from '../../../components/product-dialog/product-buttons.tsx';
import { type ColumnHead, TableHead } from '../../../components/table/record-table.tsx';
import { moveBetweenRows } from '../../../components/table/row-navigation.ts';
import { useTableFits } from '../../../components/table/use-table-fits.ts';
import { formatCount } from '../../../lib/intl.ts';
import { lazily } from '../../../lib/load-chunk.ts';
import { FieldHead } from '../field-heads.tsx';
import { ImageCell } from './image-cell.tsx';
import type { RowDrafts } from './row-edit.ts';
import { fieldLabels, type InlineField, inlineFields } from './row-edit.ts';
import { EditButtons, EditFailure, FieldValue, RowOutcome, RowState, ScannerLink } from './row-parts.tsx';
import classes from './rows.module.css';
import { tableRem } from './use-first-problem.ts';
import { type ProductRowProps, useInlineEdit } from './use-inline-edit.ts';
import type { EditTarget } from './use-problems.ts';

const RowCards = lazily(() => import('./row-cards.tsx').then((chunk) => chunk.RowCards));

type RowListProps = {
  record: ShownImport;
  rows: readonly Row[];
  drafts: RowDrafts;
  /** Rows that were fixed since the page was opened. */
  fixed: ReadonlySet<number>;
  target: EditTarget | null;
  /** The rows belong to another page, while the new one loads. */
  faded: boolean;
  /** There are other pages, so a short page keeps the height of a full one and the pager does not move. */
  paged: boolean;
  /** The issue that the rows are filtered by. */
  issue: string | undefined;
} & Pick<ProductRowProps, 'onTaken' | 'onSaved' | 'onNext'>;

/** Reason for not editing an import's rows now; null if they can be edited. */
export function editLock({ status }: Pick<ShownImport, 'status'>): string | null {
  if (canDo('edit', status)) return null;
  return `Rows can’t be edited while the import is ${statusLabel(status).toLowerCase()}.`;
}

/** The rows of a page, as a table or, on narrow screens, as cards. */
export function RowList({ record, drafts, faded, paged, issue, ...props }: RowListProps) {
  const fits = useTableFits(tableRem);
  const rows = props.rows.map((row) => withoutImportFacts(row, issue));
  const elsewhere = new Map(props.rows.map((row) => [row.row, elsewhereOf(row, issue)]));
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
    elsewhere: elsewhere.get(row.row) ?? null,
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
const rowColumns: ColumnHead[] = [
  { head: 'Row', width: classes.rowColumn, className: classes.number },
  { head: 'Image', below: <FieldHead field="image" />, width: classes.imageColumn },
  { head: 'Title', below: <FieldHead field="title" /> },
  {
    head: 'Price',
    below: <FieldHead field="price" />,
    width: classes.priceColumn,
    className: classes.number,
  },
  { head: 'Brand', below: <FieldHead field="vendor" />, width: classes.brandColumn },
  { head: 'UPC', below: <FieldHead field="upc" />, width: classes.upcColumn },
  {
    head: 'Qty',
    below: <FieldHead field="quantity" />,
    width: classes.quantityColumn,
    className: classes.number,
  },
  { head: 'Class', width: classes.classColumn },
  { head: 'Outcome', width: classes.outcomeColumn },
  { head: 'Edit', width: classes.editColumn, align: 'right' },
];

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
        <TableHead columns={rowColumns.filter(({ head }) => hasOutcomes || head !== 'Outcome')} />
        <Table.Tbody>
          {entries.map((entry) => (
            <ProductRow key={entry.row.row} hasOutcomes={hasOutcomes} {...entry} />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

/** One row of the preview as a table row, which can be edited in place. */
function ProductRow({ hasOutcomes, ...props }: ProductRowProps & { hasOutcomes: boolean }) {
  const { row, groupTitle, isFixed, elsewhere } = props;
  const editing = useInlineEdit(props);
  const { draft } = editing;
  return (
    <Table.Tr
      ref={(element) => {
        editing.element.current = element;
      }}
      data-row={row.row}
      data-editing={draft !== null || undefined}
      onKeyDown={editing.onKeyDown}
      c={row.ignored === null ? undefined : 'dimmed'}
    >
      <Table.Td
        className={classes.number}
        title={row.scanned ? undefined : `Line ${formatCount(row.line)} in the file`}
      >
        {formatCount(row.row)}
        {row.scanned && (
          <div>
            <ScannerLink row={row} />
          </div>
        )}
      </Table.Td>
      <Table.Td>
        <ImageCell key={row.values.image ?? ''} row={row} />
      </Table.Td>
      {inlineFields.map((field) => (
        <Table.Td
          key={field}
          className={cellClass(field)}
          data-editable={editing.reason === null || undefined}
          data-field={field}
          tabIndex={editing.reason === null && draft === null ? -1 : undefined}
          onClick={(event) => editing.onCellClick(event, field)}
          onKeyDown={(event) => editing.onCellKey(event, field)}
        >
          {draft === null ? (
            <>
              <FieldValue
                row={row}
                field={field}
                inherited={field === 'title' ? groupTitle : null}
                undoEdit={editing.undoEdit}
              />
              {field === 'title' && <ProductRowsButton row={row} />}
            </>
          ) : (
            <TextInput
              size="xs"
              aria-label={`${fieldLabels[field]} of row ${row.row}`}
              data-field={field}
              enterKeyHint="next"
              value={draft[field]}
              onChange={(event) => editing.setDraft({ ...draft, [field]: event.currentTarget.value })}
            />
          )}
        </Table.Td>
      ))}
      <Table.Td>
        <RowState row={row} isFixed={isFixed} elsewhere={elsewhere} />
        <EditFailure editing={editing} />
      </Table.Td>
      {hasOutcomes && (
        <Table.Td>
          <RowOutcome row={row} />
        </Table.Td>
      )}
      <Table.Td>
        <div className={classes.rowActions}>
          <EditButtons row={row.row} editing={editing} size="compact-sm" />
          {draft === null && <AllFieldsButton row={row} />}
        </div>
      </Table.Td>
    </Table.Tr>
  );
}

function cellClass(field: InlineField): string | undefined {
  return field === 'price' || field === 'quantity' ? classes.number : undefined;
}

/** Issues that the import's page says once, as facts of the whole import. */
const importFacts: readonly string[] = ['other-currency', 'in-other-import'];

/** A row without what is said once for the import. Rows say it only where they are filtered by it. */
function withoutImportFacts(row: Row, issue: string | undefined): Row {
  return { ...row, issues: row.issues.filter(({ code }) => code === issue || !importFacts.includes(code)) };
}

/** The sentence about the other import that has a row's SKU or UPC, where the row shows no more than an icon. */
function elsewhereOf({ issues }: Row, issue: string | undefined): string | null {
  if (issue === 'in-other-import') return null;
  return issues.find(({ code }) => code === 'in-other-import')?.message ?? null;
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
