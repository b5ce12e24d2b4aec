import type { Row } from '@draftshelf/contract/review/rows';
import { fieldSpecs } from '@draftshelf/domain/base/canonical-fields';
import { headName, type InlineField, inlineFields, lookOf } from '@draftshelf/domain/base/field-look';
import { Skeleton, Table, TextInput } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { formatCount } from '../../../lib/intl.ts';
import { later } from '../../../ui/later.tsx';
import { type ColumnHead, TableHead } from '../../../ui/table/record-table.tsx';
import { useTableCursor } from '../../../ui/table/use-table-cursor.ts';
import { useContentRem, useTableFits } from '../../../ui/table/use-table-fits.ts';
import { markOf } from '../cell-marks.ts';
import { editLock } from '../edits/edit-lock.ts';
import type { ShownImport } from '../imports-api.ts';
import { FieldHead } from '../mapping/field-heads.tsx';
import { OpenProduct, ProductRowsButton } from '../product/product-buttons.tsx';
import type { RowTicks } from '../row-ticks.ts';
import { ImageCell } from './image-cell.tsx';
import { isField, type RowColumn, remOf } from './row-columns.ts';
import type { RowDrafts } from './row-edit.ts';
import {
  EditButtons,
  EditFailure,
  FieldValue,
  RowClass,
  RowNotes,
  RowOutcome,
  ScannerLink,
} from './row-parts.tsx';
import classes from './rows.module.css';
import { PageTick, RowTick } from './tick-boxes.tsx';
import { useTextOfRow } from './typed-text.ts';
import { useCutMarks } from './use-cut-marks.ts';
import { tableRem } from './use-first-problem.ts';
import { type InlineEdit, type ProductRowProps, useInlineEdit } from './use-inline-edit.ts';
import type { Direction, EditTarget } from './use-problems.ts';
import { useRowColumns } from './use-row-columns.ts';

const RowCards = later(
  () => import('./row-cards.tsx').then((chunk) => chunk.RowCards),
  <Skeleton height={480} />,
);

type RowListProps = {
  record: ShownImport;
  rows: readonly Row[];
  drafts: RowDrafts;
  /** Rows that were fixed since the page was opened. */
  fixed: ReadonlySet<number>;
  target: EditTarget | null;
  ticks: RowTicks;
  /** The rows belong to another page, while the new one loads. */
  faded: boolean;
  /** There are other pages, so a short page keeps the height of a full one and the pager does not move. */
  paged: boolean;
  /** The issue that the rows are filtered by. */
  issue: string | undefined;
  /** The issues stand beside the rows. */
  isBeside: boolean;
  /** There is no further problem in this direction. */
  end: Direction | null;
} & Pick<ProductRowProps, 'onTaken' | 'onSaved' | 'onNext' | 'onFix' | 'onFixIssue' | 'onGo'>;

/** The rows of a page, as a table or, on narrow screens, as cards. */
export function RowList({ record, drafts, faded, paged, issue, ...props }: RowListProps) {
  const fits = useTableFits(tableRem);
  const columns = useRowColumns(
    record,
    props.rows,
    useContentRem() - (props.isBeside ? besideRem : 0),
    issue,
  );
  const fields = fits ? inlineFields.filter((field) => columns.includes(field)) : inlineFields;
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
    fields,
    issue,
    edit: drafts.of(row),
    setEdit: (edit: ProductRowProps['edit']) => drafts.set(row, edit),
    isFixed: props.fixed.has(row.row),
    elsewhere: elsewhere.get(row.row) ?? null,
    target: !faded && props.target?.row === row.row ? props.target : null,
    onTaken: props.onTaken,
    onSaved: props.onSaved,
    onNext: props.onNext,
    onFix: props.onFix,
    onFixIssue: props.onFixIssue,
    onGo: props.onGo,
  }));
  return (
    <div
      className={classes.list}
      data-rows
      data-paged={paged || undefined}
      data-faded={faded || undefined}
      aria-busy={faded}
    >
      {fits ? (
        <RowTable entries={entries} columns={columns} ticks={props.ticks} />
      ) : (
        <RowCards entries={entries} ticks={props.ticks} end={props.end} />
      )}
    </div>
  );
}

/** The issues and the gap beside them. */
const besideRem = 14;

const otherHeads: Record<Exclude<RowColumn, InlineField>, ColumnHead> = {
  row: { head: 'Row', className: classes.number },
  class: { head: 'Class', isHeadHidden: true },
  image: { head: 'Image' },
  outcome: { head: 'Outcome' },
  edit: { head: 'Edit', isHeadHidden: true },
};

const classOf = (column: RowColumn): string | undefined =>
  column === 'row' || lookOf(column).isNumber ? classes.number : undefined;

function headOf(column: RowColumn, ticks: RowTicks): ColumnHead {
  const rem = remOf(column);
  if (isField(column)) {
    return { head: headName(column), className: classOf(column), rem, below: <FieldHead field={column} /> };
  }
  const head = { ...otherHeads[column], rem };
  if (column === 'row') return { ...head, below: <PageTick ticks={ticks} /> };
  return column === 'image' ? { ...head, below: <FieldHead field={column} /> } : head;
}

type TableProps = { columns: readonly RowColumn[]; ticks: RowTicks };

/** The rows as a table with one Tab stop, in which arrow keys move. */
function RowTable({ entries, ...props }: TableProps & { entries: readonly ProductRowProps[] }) {
  const around = useRef<HTMLDivElement>(null);
  useTableCursor(around);
  useTextOfRow();
  return (
    <div ref={around}>
      <Table
        className={classes.rows}
        layout="fixed"
        stickyHeader
        stickyHeaderOffset="var(--header-height)"
        verticalSpacing={2}
        horizontalSpacing={8}
        highlightOnHover
        aria-label="Product rows"
      >
        <TableHead columns={props.columns.map((column) => headOf(column, props.ticks))} />
        <Table.Tbody>
          {entries.map((entry) => (
            <ProductRow key={entry.row.row} {...props} {...entry} />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

/** One row of the preview as a table row, which can be edited in place. */
function ProductRow({ columns, ticks, ...props }: ProductRowProps & TableProps) {
  const { row } = props;
  const editing = useInlineEdit(props);
  const markCut = useCutMarks(editing.element);
  const cells: Record<Exclude<RowColumn, InlineField>, ReactNode> = {
    row: <RowNumber row={row} ticks={ticks} />,
    class: <RowClass row={row} isFixed={props.isFixed} />,
    image: <ImageCell key={row.values.image ?? ''} row={row} />,
    outcome: <RowOutcome row={row} />,
    edit: (
      <div className={classes.rowActions}>
        <EditButtons row={row.row} editing={editing} />
      </div>
    ),
  };
  return (
    <Table.Tr
      ref={(element) => {
        editing.element.current = element;
      }}
      data-row={row.row}
      data-editing={editing.draft !== null || undefined}
      onKeyDown={editing.onKeyDown}
      onFocus={markCut}
      c={row.ignored === null ? undefined : 'dimmed'}
    >
      {columns.map((column) =>
        isField(column) ? (
          <FieldCell key={column} field={column} editing={editing} {...props} />
        ) : (
          <Table.Td key={column} className={classOf(column)}>
            {cells[column]}
          </Table.Td>
        ),
      )}
    </Table.Tr>
  );
}

function RowNumber({ row, ticks }: { row: Row; ticks: RowTicks }) {
  return (
    <span title={row.scanned ? undefined : `Line ${formatCount(row.line)} in the file`}>
      <RowTick row={row} ticks={ticks} />
      {formatCount(row.row)}
      {row.scanned && (
        <div>
          <ScannerLink row={row} />
        </div>
      )}
    </span>
  );
}

type FieldCellProps = ProductRowProps & { field: InlineField; editing: InlineEdit };

/** A field of a row: its value, or the field that edits it. The title also has the sentences about the row. */
function FieldCell({ field, editing, ...props }: FieldCellProps) {
  const { row, groupTitle } = props;
  const { draft } = editing;
  const isTitle = field === 'title';
  return (
    <Table.Td
      className={classOf(field)}
      data-editable={editing.reason === null || undefined}
      data-field={field}
      data-note={editing.isUnchanged(field) ? markOf(row, field)?.sentence : undefined}
      tabIndex={-1}
      onClick={(event) => editing.onCellClick(event, field)}
      onKeyDown={(event) => editing.onCellKey(event, field)}
    >
      {draft === null ? (
        <FieldValue
          row={row}
          field={field}
          inherited={isTitle ? groupTitle : null}
          undoEdit={editing.undoEdit}
          wrap={isTitle ? (value) => <OpenProduct {...{ row, groupTitle }}>{value}</OpenProduct> : undefined}
        />
      ) : (
        <TextInput
          size="xs"
          aria-label={`${fieldSpecs[field].label} of row ${row.row}`}
          data-field={field}
          enterKeyHint="next"
          value={draft[field]}
          onChange={(event) => editing.setDraft({ ...draft, [field]: event.currentTarget.value })}
        />
      )}
      {isTitle && (
        <div className={classes.underTitle}>
          {draft === null && <ProductRowsButton row={row} />}
          <RowNotes {...props} />
        </div>
      )}
      {isTitle && <EditFailure editing={editing} />}
    </Table.Td>
  );
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
