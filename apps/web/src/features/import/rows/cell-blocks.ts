import type { InlineField } from '@draftshelf/domain/base/field-look';
import type { Operation } from '@draftshelf/domain/review/operations/operation';
import { useRef } from 'react';
import { countOf } from '../../../lib/intl.ts';
import { useFailureToast } from '../../../ui/feedback/toast.tsx';
import { toast } from '../../../ui/feedback/toast-state.ts';
import type { BlockEdit } from '../bulk-edit/bulk-dialog.tsx';
import { findChosenRows } from '../bulk-edit/chosen-rows.ts';
import { useCellSaveNotice } from '../edits/edits-api.ts';
import { readRowsAfter, useRowEdit } from '../rows-api.ts';
import {
  blockSizeWords,
  type CellBlock,
  type CellRange,
  type Clipboard,
  createFillOperations,
  createPasteOperations,
  createSetOperation,
  findBlockFields,
  formatHtmlTable,
  formatTsv,
  readBlock,
  tileBlock,
  tooFewRowsWords,
} from './block-text.ts';
import { findValuesToEdit, toRowDraft, toRowRequest } from './row-edit.ts';
import { type RowEntry, useRowsReview } from './rows-review.ts';

type ActionsOf = {
  entries: readonly RowEntry[];
  fields: readonly InlineField[];
  /** Opens the preview of a change of several cells. */
  open: (edit: BlockEdit) => void;
  /** Announces a sentence to screen readers. */
  announce: (sentence: string) => void;
};

/** A change of cells. `nothing`: the verb in 'Nothing to paste', shown if no cell would change. */
type CellChange = BlockEdit & {
  nothing: 'fill' | 'clear' | 'paste';
  fields: readonly InlineField[];
  block: CellBlock;
};

/** Returns functions that copy, paste, fill and clear cells. */
export function useCellBlocks({ entries, fields, open, announce }: ActionsOf) {
  const { record, lock, page, address, wanted, drafts } = useRowsReview();
  const failure = useFailureToast();
  const saveCell = useSaveCell(announce);
  const refuse = (title: string, sentence: string) => failure.show(title, sentence);
  const textOf = (row: number | undefined, field: InlineField): string => {
    const entry = entries.find((one) => one.row.row === row);
    return entry === undefined
      ? ''
      : (findValuesToEdit(entry.row.values, entry.firstOfProduct.values)[field] ?? '');
  };
  const targetOf = (rows: readonly number[]) => ({ rows: [...rows], run: page.run });
  /** Changes cells. If only one cell differs, saves it like a typed value. Otherwise previews the change first. */
  const change = ({ nothing, fields: changed, block, ...edit }: CellChange) => {
    const cells = edit.target.rows.flatMap((row, line) => {
      const entry = entries.find((one) => one.row.row === row);
      return changed.flatMap((field, column) => {
        const value = (block[line]?.[column] ?? '').trim();
        return entry !== undefined && textOf(row, field) === value ? [] : [{ entry, field, value }];
      });
    });
    const [cell] = cells;
    if (cell === undefined) {
      const text = `The ${edit.target.rows.length * changed.length === 1 ? 'cell has this value' : 'cells have these values'} already.`;
      return void toast({ title: `Nothing to ${nothing}`, text, tone: 'neutral', isRoutine: true });
    }
    const { entry, field, value } = cell;
    const isSaved = cells.length === 1 && entry !== undefined && entry.row.ignored === null;
    if (isSaved && drafts.newestOf(entry.row) === null) saveCell(entry, field, value);
    else open(edit);
  };
  return {
    /** Copies cells, and returns the announcement for screen readers. */
    copy: ({ rows, fields: copied }: CellRange, clipboard: DataTransfer): string => {
      const block = rows.map((row) => copied.map((field) => textOf(row, field)));
      clipboard.setData('text/plain', formatTsv(block));
      clipboard.setData('text/html', formatHtmlTable(block));
      return `${countOf(rows.length * copied.length, 'cell')} copied`;
    },
    paste: async (range: CellRange, clipboard: Clipboard) => {
      const title = 'Nothing was pasted';
      if (lock !== null) return refuse(title, lock);
      const block = readBlock(clipboard);
      if (typeof block === 'string') return refuse(title, block);
      const lines = tileBlock(block, range);
      const into = findBlockFields(lines, range.fields[0] ?? 'title', fields);
      if (typeof into === 'string') return refuse(title, into);
      const first = page.rows.findIndex(({ row }) => row === range.rows[0]);
      const after = page.sorted?.last ?? Math.max(...page.rows.map(({ row }) => row));
      const read = { wanted, shown: page.rows.slice(first), after, count: lines.length };
      const found = await readRowsAfter(record.id, read).catch((error: Error) => error.message);
      if (typeof found === 'string') return refuse(title, found);
      if (found.length < lines.length) return refuse(title, tooFewRowsWords(lines, found.length));
      const ignored = found.filter((row) => row.ignored !== null).length;
      const rows = found.map(({ row }) => row);
      change({
        ...{ nothing: 'paste', fields: into, block: lines },
        title: `Paste ${blockSizeWords(lines.length, into.length)}`,
        target: targetOf(rows),
        operations: createPasteOperations(lines, into, rows),
        note: ignored === 0 ? null : `${countOf(ignored, 'row is', 'rows are')} ignored and not changed.`,
        all: null,
      });
    },
    /** `height`: number of rows at the top of the range. The rows below are filled with their values. */
    fill: ({ rows, fields: filled }: CellRange, height: number) => {
      const title = 'Nothing was filled';
      if (lock !== null) return refuse(title, lock);
      const at = entries.findIndex(({ row }) => row.row === rows[0]);
      // If only one row is marked, its cells are filled from the row above.
      const sources = rows.length > 1 ? rows.slice(0, height) : [entries[at - 1]?.row.row];
      if (sources[0] === undefined) return refuse(title, 'There is no row above on this page.');
      const into = rows.length > 1 ? rows.slice(height) : rows;
      const block = sources.map((row) => filled.map((field) => textOf(row, field)));
      const [first = []] = block;
      const lines = into.map((_, line) => block[line % height] ?? first);
      const all = findChosenRows({ address, page, ticked: new Set() });
      change({
        ...{ nothing: 'fill', fields: filled, block: lines },
        title: `Fill ${blockSizeWords(into.length, filled.length)}`,
        target: targetOf(into),
        operations:
          height === 1 ? createFillOperations(filled, first) : createPasteOperations(lines, filled, into),
        note: null,
        all:
          height > 1 || typeof all === 'string' || all.count === null || all.count <= rows.length
            ? null
            : all,
      });
    },
    clear: ({ rows, fields: cleared }: CellRange) => {
      if (lock !== null) return refuse('Nothing was cleared', lock);
      const operations = cleared.map((field): Operation => createSetOperation(field, ''));
      const title = `Clear ${blockSizeWords(rows.length, cleared.length)}`;
      const edit = { title, target: targetOf(rows), operations, note: null, all: null };
      change({ ...edit, nothing: 'clear', fields: cleared, block: [] });
    },
  };
}

function useSaveCell(announce: ActionsOf['announce']) {
  const { record, heldRows } = useRowsReview();
  const saving = useRowEdit(record.id, 'Couldn’t save the cell');
  const cellSaved = useCellSaveNotice(record.id, announce);
  /** Cells that are being saved. The server would refuse another change, because the change expects the old value. */
  const busy = useRef(new Set<string>());
  return async ({ row, firstOfProduct }: RowEntry, field: InlineField, value: string) => {
    const before = findValuesToEdit(row.values, firstOfProduct.values);
    const request = toRowRequest({ draft: { ...toRowDraft(before), [field]: value }, before });
    const key = `${row.row} ${field}`;
    if (request === null || busy.current.has(key)) return;
    busy.current.add(key);
    try {
      const reply = await saving.mutateAsync({ row: row.row, ...request });
      cellSaved(reply);
      heldRows.keep(reply.row, row.class !== 'valid' && reply.row.class === 'valid');
    } catch {
      // Already reported: the call shows a notification of the error.
    } finally {
      busy.current.delete(key);
    }
  };
}
