import type { Row } from '@draftshelf/contract/review/rows';
import { fieldSpecs, productFields } from '@draftshelf/domain/base/canonical-fields';
import {
  headName,
  type InlineField,
  lookOf,
  sortFields,
  usualFields,
} from '@draftshelf/domain/base/field-look';
import { TextInput } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { formatCount } from '../../../lib/intl.ts';
import { ActionIcon } from '../../../ui/button.tsx';
import { useContentRem, useTableFits } from '../../../ui/table/record-list.tsx';
import { type ColumnHead, Table, TableHead } from '../../../ui/table/record-table.tsx';
import { useTableCursor } from '../../../ui/table/table-cursor.ts';
import { markOf } from '../cell-marks.ts';
import { FieldHead } from '../mapping/field-heads.tsx';
import { OpenProduct, ProductRowsButton } from '../product/product-buttons.tsx';
import { CellBlocks } from './cell-blocks.tsx';
import { ColumnsDrawer } from './columns-drawer.tsx';
import { FieldValue } from './field-value.tsx';
import { ImageCell } from './image-cell.tsx';
import { PageTick, RowCards, RowTick } from './row-cards.tsx';
import {
  columnName,
  type FileColumn,
  headerOf,
  isField,
  isFileColumn,
  type OtherColumn,
  type RowColumn,
  type ShownTable,
  useShownTable,
} from './row-columns.ts';
import { EditButtons, EditFailure, RowClass, RowNotes, RowOutcome, ScannerLink } from './row-notes.tsx';
import table from './row-table.module.css';
import classes from './rows.module.css';
import { entriesOf, type RowEntry, useRowsReview } from './rows-review.ts';
import { ColumnGrip, SortHead, useSortOf } from './sort-state.tsx';
import { type InlineEdit, useInlineEdit } from './use-inline-edit.ts';
import { tableRem } from './use-problems.ts';

export function RowList() {
  const review = useRowsReview();
  const { record, heldRows, address, query, page, pages, hasFilter, isBeside } = review;
  const fits = useTableFits(tableRem);
  const rem = useContentRem() - (isBeside ? besideRem : 0);
  const shown = useShownTable(
    record,
    { rows: heldRows.rows, headers: review.page.headers },
    rem,
    address.issue,
  );
  const fields = fits ? shown.columns.filter(isField) : usualFields;
  const entries = entriesOf(review, fields);
  const isFaded = query.isPlaceholderData;
  // With several pages, a short page is as high as a full page, so the pager does not move.
  const hasPages = hasFilter ? page.earlier || page.later : pages > 1;
  return (
    <div
      className={classes.list}
      data-rows
      data-paged={hasPages || undefined}
      data-faded={isFaded || undefined}
      aria-busy={isFaded}
    >
      {fits ? <RowTable entries={entries} shown={shown} /> : <RowCards entries={entries} />}
    </div>
  );
}

/** The issues and the gap beside them. */
const besideRem = 14;

const otherHeads: Record<OtherColumn, ColumnHead> = {
  row: { head: 'Row', className: `${table.number} nowrap to-end`, below: <PageTick /> },
  class: { head: 'Class', isHeadHidden: true },
  image: { head: 'Image', below: <FieldHead field="image" /> },
  outcome: { head: 'Outcome' },
  edit: { head: 'Edit', isHeadHidden: true },
};

function classOf(column: RowColumn): string | undefined {
  if (column === 'title') return table.stays;
  return column === 'row' || lookOf(column).isNumber ? `${table.number} nowrap to-end` : undefined;
}

function headOf(column: RowColumn, sorted: ReturnType<typeof useSortOf>): ColumnHead {
  const isCells = isFileColumn(column);
  if (!isField(column) && !isCells) return otherHeads[column];
  const isSortable = !isCells && sortFields.includes(column);
  const label = (
    <>
      {isSortable ? <SortHead field={column} /> : columnName(column)}
      <ColumnGrip column={column} />
    </>
  );
  if (isCells) {
    return {
      head: `${columnName(column)} (file)`,
      label,
      below: <div>as in the file</div>,
      className: table.ofFile,
    };
  }
  const by = sorted(column);
  return {
    ...{ head: headName(column), label, sorted: by?.place === 2 ? undefined : by?.direction },
    className: classOf(column),
    below: <FieldHead field={column} />,
  };
}

type RowTableProps = { entries: readonly RowEntry[]; shown: ShownTable };

function RowTable({ entries, shown }: RowTableProps) {
  const { columns, remOf, isWide } = shown;
  const around = useRef<HTMLDivElement>(null);
  useTableCursor(around);
  const sorted = useSortOf();
  return (
    <div ref={around} className={table.around} data-wide={isWide || undefined}>
      <Table className={table.rows} isFixed isDense hasHover hasStickyHead aria-label="Product rows">
        <TableHead
          columns={columns.map((column) => ({
            ...headOf(column, sorted),
            ...(column === 'edit' && { below: <ColumnsButton table={shown} /> }),
            rem: remOf(column),
          }))}
        />
        <tbody>
          {entries.map((entry) => (
            <ProductRow key={entry.row.row} entry={entry} columns={columns} />
          ))}
        </tbody>
      </Table>
      <CellBlocks around={around} entries={entries} fields={columns.filter(isField)} />
    </div>
  );
}

function ProductRow({ entry, columns }: { entry: RowEntry; columns: readonly RowColumn[] }) {
  const { row, isFixed } = entry;
  const editing = useInlineEdit(entry);
  const markCut = useCutMarks(editing.element);
  const cells: Record<OtherColumn, ReactNode> = {
    row: <RowNumber row={row} />,
    class: <RowClass row={row} isFixed={isFixed} />,
    image: <ImageCell key={row.values.image ?? ''} row={row} />,
    outcome: <RowOutcome row={row} />,
    edit: (
      <div className="row gap-tight end">
        <EditButtons row={row.row} editing={editing} />
      </div>
    ),
  };
  return (
    <tr
      ref={(element) => {
        editing.element.current = element;
      }}
      data-row={row.row}
      data-editing={editing.draft !== null || undefined}
      onKeyDown={editing.onKeyDown}
      onFocus={markCut}
      onMouseEnter={markCut}
      data-dimmed={row.ignored !== null || undefined}
    >
      {columns.map((column) =>
        isField(column) ? (
          <FieldCell key={column} field={column} entry={entry} editing={editing} />
        ) : (
          <td key={column} className={classOf(column)}>
            {isFileColumn(column) ? <FileCell row={row} column={column} /> : cells[column]}
          </td>
        ),
      )}
    </tr>
  );
}

function FileCell({ row, column }: { row: Row; column: FileColumn }) {
  const { headers } = useRowsReview().page;
  const text = row.cells[headers.indexOf(headerOf(column))];
  return (
    <span className={table.text} dir="auto" title={text}>
      {text}
    </span>
  );
}

function RowNumber({ row }: { row: Row }) {
  return (
    <span title={row.scanned ? undefined : `Line ${formatCount(row.line)} in the file`}>
      <RowTick row={row} />
      {formatCount(row.row)}
      {row.scanned && (
        <div>
          <ScannerLink row={row} />
        </div>
      )}
    </span>
  );
}

type FieldCellProps = { field: InlineField; entry: RowEntry; editing: InlineEdit };

function FieldCell({ field, entry, editing }: FieldCellProps) {
  const { row, groupTitle, firstOfProduct } = entry;
  const { draft } = editing;
  const ofProduct = (productFields.has(field) && firstOfProduct.values[field]) || null;
  const isTitle = field === 'title';
  return (
    <td
      className={classOf(field)}
      data-editable={editing.reason === null || undefined}
      data-field={field}
      data-note={editing.isUnchanged(field) ? markOf(row, field)?.sentence : undefined}
      tabIndex={-1}
      onMouseDown={editing.onCellPress}
      onClick={(event) => editing.onCellClick(event, field)}
      onKeyDown={(event) => editing.onCellKey(event, field)}
    >
      {draft === null || lookOf(field).isLong ? (
        <FieldValue
          row={row}
          field={field}
          inherited={isTitle ? groupTitle : ofProduct}
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
        <div className={`row-wrap ${table.underTitle} gap-x-tight`}>
          {draft === null && <ProductRowsButton row={row} />}
          <RowNotes entry={entry} />
        </div>
      )}
      {isTitle && <EditFailure editing={editing} />}
    </td>
  );
}

/** Marks cut sentences, which show in full while the row has the focus or the pointer. Returns the marking function. */
function useCutMarks(row: RefObject<HTMLElement | null>): () => void {
  const mark = () => {
    // Also where a saved edit has left no sentence.
    for (const sentences of row.current?.querySelectorAll<HTMLElement>('[data-full], [data-cut]') ?? []) {
      sentences.toggleAttribute('data-cut', sentences.hasAttribute('data-full') && isCut(sentences));
    }
  };
  // The sentences of a row with the focus change when it is saved.
  useLayoutEffect(() => {
    if (row.current?.contains(document.activeElement)) mark();
  });
  return mark;
}

function isCut(sentences: HTMLElement): boolean {
  const line = sentences.querySelector('ul') ?? sentences;
  return sentences.querySelector('[data-elsewhere]') !== null || line.scrollWidth > line.clientWidth;
}

function ColumnsButton({ table }: { table: ShownTable }) {
  const [isOpened, setOpened] = useState(false);
  return (
    <>
      <ActionIcon
        size={28}
        variant="subtle"
        color="gray"
        title="Columns"
        aria-label="Columns"
        onClick={() => setOpened(true)}
      >
        <IconColumns3 size={16} aria-hidden />
      </ActionIcon>
      <ColumnsDrawer table={table} opened={isOpened} onClose={() => setOpened(false)} />
    </>
  );
}
