import type { InlineField } from '@draftshelf/domain/base/field-look';
import type { Operation } from '@draftshelf/domain/review/operations/operation';
import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { countOf } from '../../../lib/intl.ts';
import { useFailureToast } from '../../../ui/feedback/toast.tsx';
import { overlay } from '../../../ui/later.tsx';
import type { BlockEdit } from '../bulk-edit/bulk-dialog.tsx';
import { chosenRows } from '../bulk-edit/chosen-rows.ts';
import { readRowsAfter } from '../rows-api.ts';
import { type Clipboard, htmlOf, readBlock, tsvOf } from './block-text.ts';
import { startCellRange } from './cell-range.ts';
import {
  type CellRange,
  fieldsFor,
  filling,
  pasting,
  settingTo,
  sizeWords,
  tiled,
  tooFewRows,
} from './place-block.ts';
import { editedValues } from './row-edit.ts';
import type { RowEntry } from './row-entries.ts';
import { useRowsReview } from './rows-review.ts';
import { useTextOfRow } from './text-of-row.ts';

const BlockDialog = overlay(() => import('../bulk-edit/bulk-dialog.tsx').then((chunk) => chunk.BlockDialog));

type CellBlocksProps = {
  /** The table is in it. */
  around: RefObject<HTMLElement | null>;
  entries: readonly RowEntry[];
  /** The fields of the table, in the order of its columns. */
  fields: readonly InlineField[];
};

/** Marks cells of the table, and copies, pastes, fills and clears them. */
export function CellBlocks({ around, entries, fields }: CellBlocksProps) {
  const { record, heldRows } = useRowsReview();
  useTextOfRow();
  const [said, say] = useState('');
  const [edit, setEdit] = useState<BlockEdit | null>(null);
  const [isOpened, setOpened] = useState(false);
  const open = (next: BlockEdit | null) => {
    if (next === null) return;
    setEdit(next);
    setOpened(true);
  };
  const actions = useActions({ entries, fields, say, open });
  const onMarked = useEffectEvent(actions.onMarked);
  const onCopy = useEffectEvent(actions.onCopy);
  const onPaste = useEffectEvent(actions.onPaste);
  const onFillDown = useEffectEvent(actions.onFillDown);
  const onClear = useEffectEvent(actions.onClear);
  useEffect(() => {
    if (around.current === null) return;
    return startCellRange(around.current, { onMarked, onCopy, onPaste, onFillDown, onClear });
  }, [around]);
  return (
    <>
      <div className="visually-hidden" role="status" data-marks>
        {said}
      </div>
      {edit !== null && (
        <BlockDialog
          importId={record.id}
          edit={edit}
          opened={isOpened}
          onClose={() => setOpened(false)}
          onApplied={heldRows.stay}
        />
      )}
    </>
  );
}

type ActionsOf = Pick<CellBlocksProps, 'entries' | 'fields'> & {
  say: (text: string) => void;
  open: (edit: BlockEdit | null) => void;
};

function useActions({ entries, fields, say, open }: ActionsOf) {
  const { record, lock, page, address, wanted } = useRowsReview();
  const failure = useFailureToast();
  const refuse = (title: string, sentence: string) => failure.show(title, sentence);
  const textOf = (row: number | undefined, field: InlineField): string => {
    const entry = entries.find((one) => one.row.row === row);
    return entry === undefined
      ? ''
      : (editedValues(entry.row.values, entry.firstOfProduct.values)[field] ?? '');
  };
  const targetOf = (rows: readonly number[]) => ({ rows: [...rows], run: page.run });
  return {
    onMarked: (range: CellRange | null) =>
      say(range === null ? '' : `${sizeWords(range.rows.length, range.fields.length)} selected`),
    onCopy: ({ rows, fields: copied }: CellRange, clipboard: DataTransfer) => {
      const block = rows.map((row) => copied.map((field) => textOf(row, field)));
      clipboard.setData('text/plain', tsvOf(block));
      clipboard.setData('text/html', htmlOf(block));
      say(`${countOf(rows.length * copied.length, 'cell')} copied`);
    },
    onPaste: async (range: CellRange, clipboard: Clipboard) => {
      const title = 'Nothing was pasted';
      if (lock !== null) return refuse(title, lock);
      const block = readBlock(clipboard);
      if (typeof block === 'string') return refuse(title, block);
      const lines = tiled(block, range);
      const into = fieldsFor(lines, range.fields[0] ?? 'title', fields);
      if (typeof into === 'string') return refuse(title, into);
      const first = page.rows.findIndex(({ row }) => row === range.rows[0]);
      const after = page.sorted?.last ?? Math.max(...page.rows.map(({ row }) => row));
      const read = { wanted: wanted ?? {}, shown: page.rows.slice(first), after, count: lines.length };
      const found = await readRowsAfter(record.id, read).catch((error: Error) => error.message);
      if (typeof found === 'string') return refuse(title, found);
      if (found.length < lines.length) return refuse(title, tooFewRows(lines, found.length));
      const ignored = found.filter((row) => row.ignored !== null).length;
      const rows = found.map(({ row }) => row);
      open({
        title: `Paste ${sizeWords(lines.length, into.length)}`,
        target: targetOf(rows),
        operations: pasting(lines, into, rows),
        note:
          ignored === 0 ? null : `${countOf(ignored, 'row is', 'rows are')} ignored, and left as they are.`,
        all: null,
      });
    },
    onFillDown: ({ rows, fields: filled }: CellRange, height = 1) => {
      const title = 'Nothing was filled';
      if (lock !== null) return refuse(title, lock);
      const at = entries.findIndex(({ row }) => row.row === rows[0]);
      // A single row gets the values of the row above.
      const sources = rows.length > 1 ? rows.slice(0, height) : [entries[at - 1]?.row.row];
      if (sources[0] === undefined) return refuse(title, 'There is no row above on this page.');
      const into = rows.length > 1 ? rows.slice(height) : rows;
      const block = sources.map((row) => filled.map((field) => textOf(row, field)));
      const [first = []] = block;
      const all = chosenRows({ address, page, ticked: new Set() });
      open({
        title: `Fill ${sizeWords(into.length, filled.length)}`,
        target: targetOf(into),
        operations:
          height === 1
            ? filling(filled, first)
            : pasting(
                into.map((_, line) => block[line % height] ?? first),
                filled,
                into,
              ),
        note: null,
        all:
          height > 1 || typeof all === 'string' || all.count === null || all.count <= rows.length
            ? null
            : all,
      });
    },
    onClear: ({ rows, fields: cleared }: CellRange) => {
      if (lock !== null) return refuse('Nothing was cleared', lock);
      const operations = cleared.map((field): Operation => settingTo(field, ''));
      const title = `Clear ${sizeWords(rows.length, cleared.length)}`;
      open({ title, target: targetOf(rows), operations, note: null, all: null });
    },
  };
}
