import type { Row } from '@draftshelf/contract/review/rows';
import { isProductField, labelOf } from '@draftshelf/domain/base/canonical-fields';
import {
  columnHeading,
  displayOf,
  fieldsShownByDefault,
  type InlineField,
  isSortField,
} from '@draftshelf/domain/base/field-look';
import { TextInput } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { type ReactNode, use, useState } from 'react';
import { formatCount } from '../../../lib/intl.ts';
import { IconButton } from '../../../ui/basics.tsx';
import { type ColumnHead, TableHead, useContentRem, useTableFits } from '../../../ui/table/record-table.tsx';
import { TabStopGroup, TabStopsContext, useTabStop } from '../../../ui/table/tab-stops.tsx';
import { findMark } from '../cell-marks.ts';
import { FieldHead } from '../mapping/field-heads.tsx';
import { OpenProductButton, ProductRowsButton } from '../product/product-buttons.tsx';
import { ColumnsDrawer } from './columns-drawer.tsx';
import { FieldValue } from './field-value.tsx';
import { hasFillHandle, isMarked } from './grid-state.ts';
import { useGridState } from './grid-store.ts';
import { ImageCell } from './image-cell.tsx';
import { PageTick, RowCards, RowTick } from './row-cards.tsx';
import {
  columnName,
  type FileColumn,
  fileColumnHeader,
  isFieldColumn,
  isFileColumn,
  type NonFieldColumn,
  type RowColumn,
  type ShownTable,
  useShownTable,
} from './row-columns.ts';
import { RowGrid } from './row-grid.tsx';
import { EditButtons, EditFailure, RowClassMark, RowNotes, RowOutcome, ScannerLink } from './row-notes.tsx';
import table from './row-table.module.css';
import classes from './rows.module.css';
import { createEntries, type RowEntry, useRowsReview } from './rows-review.ts';
import { ColumnGrip, SortHead, useFindSort } from './sort-state.tsx';
import { type Grid, type InlineEdit, useGrid, useInlineEdit } from './use-grid.ts';
import { tableRemMin } from './use-problems.ts';

export function RowList() {
  const review = useRowsReview();
  const { record, heldRows, address, query, page, pages, hasFilter, isBeside } = review;
  const fits = useTableFits(tableRemMin);
  const rem = useContentRem() - (isBeside ? besideRem : 0);
  const shown = useShownTable(
    record,
    { rows: heldRows.rows, headers: review.page.headers },
    rem,
    address.issue,
  );
  const fields = fits ? shown.columns.filter(isFieldColumn) : fieldsShownByDefault;
  const entries = createEntries(review, fields);
  const grid = useGrid(entries, fits ? stopsOf(shown.columns) : []);
  const isFaded = query.isPlaceholderData;
  // If there are several pages, a short page has the height of a full one, so that the pager does not move.
  const hasPages = hasFilter ? page.earlier || page.later : pages > 1;
  return (
    <div
      className={classes.list}
      data-rows
      data-paged={hasPages || undefined}
      data-faded={isFaded || undefined}
      aria-busy={isFaded}
    >
      {fits ? <RowTable {...{ grid, entries, shown }} /> : <RowCards {...{ grid, entries }} />}
    </div>
  );
}

/** Returns the field of each column that can have the focus. Null stands for a column of controls. */
const stopsOf = (columns: readonly RowColumn[]) =>
  columns
    .filter((column) => column !== 'class' && !isFileColumn(column))
    .map((column) => (isFieldColumn(column) ? column : null));

/** Width in rem of the issues beside the rows, including the gap. */
const besideRem = 14;

const otherHeads: Record<NonFieldColumn, ColumnHead> = {
  row: { head: 'Row', className: `${table.number} nowrap to-end`, below: <PageTick /> },
  class: { head: 'Class', isHeadHidden: true },
  image: { head: 'Image', below: <FieldHead field="image" /> },
  outcome: { head: 'Outcome' },
  edit: { head: 'Edit', isHeadHidden: true },
};

function classOf(column: RowColumn): string | undefined {
  if (column === 'title') return table.stays;
  return column === 'row' || displayOf(column).isNumber ? `${table.number} nowrap to-end` : undefined;
}

function headOf(column: RowColumn, sorted: ReturnType<typeof useFindSort>): ColumnHead {
  const isCells = isFileColumn(column);
  if (!isFieldColumn(column) && !isCells) return otherHeads[column];
  const label = (
    <>
      {isSortField(column) ? <SortHead field={column} /> : columnName(column)}
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
  const by = isSortField(column) ? sorted(column) : undefined;
  return {
    ...{ head: columnHeading(column), label, sorted: by?.place === 2 ? undefined : by?.direction },
    className: classOf(column),
    below: <FieldHead field={column} />,
  };
}

function RowTable({ grid, entries, shown }: { grid: Grid; entries: readonly RowEntry[]; shown: ShownTable }) {
  const { columns, remOf, isWide } = shown;
  const sorted = useFindSort();
  return (
    <RowGrid {...{ grid, isWide }}>
      <TableHead
        isOneStop
        columns={columns.map((column) => ({
          ...headOf(column, sorted),
          ...(column === 'edit' && { below: <ColumnsButton table={shown} /> }),
          rem: remOf(column),
        }))}
      />
      <TabStopGroup as="tbody">
        {entries.map((entry) => (
          <ProductRow key={entry.row.row} {...{ grid, entry, columns }} />
        ))}
      </TabStopGroup>
    </RowGrid>
  );
}

type ProductRowProps = { grid: Grid; entry: RowEntry; columns: readonly RowColumn[] };

function ProductRow({ grid, entry, columns }: ProductRowProps) {
  const { row, isFixed } = entry;
  const editing = useInlineEdit(grid, entry);
  const stops = use(TabStopsContext);
  const isEdited = editing.draft !== null;
  const cells: Record<NonFieldColumn, ReactNode> = {
    row: (
      <span title={row.scanned ? undefined : `Line ${formatCount(row.line)} in the file`}>
        <RowTick row={row} />
        {formatCount(row.row)}
        {row.scanned && (
          <div>
            <ScannerLink row={row} />
          </div>
        )}
      </span>
    ),
    class: <RowClassMark row={row} isFixed={isFixed} />,
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
      data-row={row.row}
      data-editing={isEdited || undefined}
      data-dimmed={row.ignored !== null || undefined}
    >
      {/* An edited row is a form, so its fields and buttons stay in the Tab order. */}
      <TabStopsContext value={isEdited ? null : stops}>
        {columns.map((column) =>
          isFieldColumn(column) ? (
            <FieldCell key={column} field={column} {...{ grid, entry, editing }} />
          ) : (
            <td key={column} className={classOf(column)}>
              {isFileColumn(column) ? <FileCell row={row} column={column} /> : cells[column]}
            </td>
          ),
        )}
      </TabStopsContext>
    </tr>
  );
}

function FileCell({ row, column }: { row: Row; column: FileColumn }) {
  const { headers } = useRowsReview().page;
  const text = row.cells[headers.indexOf(fileColumnHeader(column))];
  return (
    <span className={table.text} dir="auto" title={text}>
      {text}
    </span>
  );
}

type FieldCellProps = { field: InlineField; grid: Grid; entry: RowEntry; editing: InlineEdit };

function FieldCell({ field, grid, entry, editing }: FieldCellProps) {
  const { row, groupTitle, firstOfProduct } = entry;
  const { draft } = editing;
  const cell = { row: row.row, field };
  const isSelected = useGridState(grid, (state) => isMarked(state, cell));
  const hasHandle = useGridState(grid, (state) => hasFillHandle(state, cell)) && editing.reason === null;
  const ofProduct = (isProductField(field) && firstOfProduct.values[field]) || null;
  const isTitle = field === 'title';
  const stop = useTabStop();
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: with marked cells, the table is a grid
    <td
      className={classOf(field)}
      data-editable={editing.reason === null || undefined}
      data-field={field}
      data-note={editing.isUnchanged(field) ? findMark(row, field)?.sentence : undefined}
      aria-selected={isSelected || undefined}
      tabIndex={-1}
      {...stop}
    >
      {draft === null || displayOf(field).isLong ? (
        <FieldValue
          row={row}
          field={field}
          inherited={isTitle ? groupTitle : ofProduct}
          undoEdit={editing.undoEdit}
          wrap={
            isTitle
              ? (value) => <OpenProductButton {...{ row, groupTitle }}>{value}</OpenProductButton>
              : undefined
          }
        />
      ) : (
        <TextInput
          size="xs"
          aria-label={`${labelOf(field)} of row ${row.row}`}
          data-field={field}
          enterKeyHint="next"
          value={draft[field] ?? ''}
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
      {hasHandle && (
        <span className={table.handle} title="Drag to fill the rows below" data-fill aria-hidden />
      )}
    </td>
  );
}

function ColumnsButton({ table }: { table: ShownTable }) {
  const [isOpened, setOpened] = useState(false);
  return (
    <>
      <IconButton
        icon={IconColumns3}
        size={28}
        title="Columns"
        label="Columns"
        onClick={() => setOpened(true)}
      />
      <ColumnsDrawer table={table} opened={isOpened} onClose={() => setOpened(false)} />
    </>
  );
}
