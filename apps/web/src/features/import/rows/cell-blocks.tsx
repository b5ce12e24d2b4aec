import type { InlineField } from '@draftshelf/domain/base/field-look';
import type { Operation } from '@draftshelf/domain/review/operations/operation';
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { countOf } from '../../../lib/intl.ts';
import { useFailureToast, useToast } from '../../../ui/feedback/toast.tsx';
import { useListener } from '../../../ui/hooks.ts';
import { isTyping } from '../../../ui/keys.ts';
import type { BlockEdit } from '../bulk-edit/bulk-dialog.tsx';
import { BlockDialog, useOpenedWith } from '../bulk-edit/bulk-edit.tsx';
import { chosenRows } from '../bulk-edit/chosen-rows.ts';
import { useSavedToast } from '../edits/use-undo.ts';
import { filterOf, type RowsAddress } from '../rows-address.ts';
import { readRowsAfter, useRowEdit } from '../rows-api.ts';
import {
  type Block,
  type CellRange,
  type Clipboard,
  fieldsFor,
  filling,
  htmlOf,
  pasting,
  readBlock,
  settingTo,
  sizeWords,
  tiled,
  tooFewRows,
  tsvOf,
} from './block-text.ts';
import { startCellRange } from './cell-range.ts';
import { draftOf, editedValues, requestOf } from './row-edit.ts';
import { type RowEntry, useRowsReview } from './rows-review.ts';
import { pageStep, typesText } from './use-field-keys.ts';
import { rowOfElement } from './use-problems.ts';

type CellBlocksProps = {
  around: RefObject<HTMLElement | null>;
  entries: readonly RowEntry[];
  fields: readonly InlineField[];
};

export function CellBlocks({ around, entries, fields }: CellBlocksProps) {
  const { record, heldRows } = useRowsReview();
  useTextOfRow();
  usePageStep(around);
  const [said, say] = useState('');
  const dialog = useOpenedWith<BlockEdit>();
  const actions = useActions({ entries, fields, say, open: dialog.open });
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
      <div className="visually-hidden" role="status">
        {said}
      </div>
      {dialog.last !== null && (
        <BlockDialog
          {...{ importId: record.id, edit: dialog.last, onApplied: heldRows.stay }}
          {...dialog.of(dialog.last)}
        />
      )}
    </>
  );
}

type ActionsOf = Pick<CellBlocksProps, 'entries' | 'fields'> & {
  say: (text: string) => void;
  open: (edit: BlockEdit) => void;
};

/** A change of cells. `nothing`: the verb of the notification that nothing has changed. */
type CellChange = BlockEdit & {
  nothing: 'fill' | 'clear' | 'paste';
  fields: readonly InlineField[];
  block: Block;
};

function useActions({ entries, fields, say, open }: ActionsOf) {
  const { record, lock, page, address, wanted, drafts } = useRowsReview();
  const failure = useFailureToast();
  const toast = useToast();
  const saveCell = useSaveCell();
  const refuse = (title: string, sentence: string) => failure.show(title, sentence);
  const textOf = (row: number | undefined, field: InlineField): string => {
    const entry = entries.find((one) => one.row.row === row);
    return entry === undefined
      ? ''
      : (editedValues(entry.row.values, entry.firstOfProduct.values)[field] ?? '');
  };
  const targetOf = (rows: readonly number[]) => ({ rows: [...rows], run: page.run });
  /** Saves a change of one cell like a typed value; a larger one is previewed. */
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
      const read = { wanted, shown: page.rows.slice(first), after, count: lines.length };
      const found = await readRowsAfter(record.id, read).catch((error: Error) => error.message);
      if (typeof found === 'string') return refuse(title, found);
      if (found.length < lines.length) return refuse(title, tooFewRows(lines, found.length));
      const ignored = found.filter((row) => row.ignored !== null).length;
      const rows = found.map(({ row }) => row);
      change({
        ...{ nothing: 'paste', fields: into, block: lines },
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
      const lines = into.map((_, line) => block[line % height] ?? first);
      const all = chosenRows({ address, page, ticked: new Set() });
      change({
        ...{ nothing: 'fill', fields: filled, block: lines },
        title: `Fill ${sizeWords(into.length, filled.length)}`,
        target: targetOf(into),
        operations: height === 1 ? filling(filled, first) : pasting(lines, filled, into),
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
      const edit = { title, target: targetOf(rows), operations, note: null, all: null };
      change({ ...edit, nothing: 'clear', fields: cleared, block: [] });
    },
  };
}

function useSaveCell() {
  const { record, heldRows } = useRowsReview();
  const saving = useRowEdit(record.id, 'Couldn’t save the cell');
  const showSaved = useSavedToast(record.id);
  /** Cells that are being saved: until the reply, another change would be refused as one of an older value. */
  const busy = useRef(new Set<string>());
  return async ({ row, firstOfProduct }: RowEntry, field: InlineField, value: string) => {
    const before = editedValues(row.values, firstOfProduct.values);
    const request = requestOf({ draft: { ...draftOf(before), [field]: value }, before });
    const key = `${row.row} ${field}`;
    if (request === null || busy.current.has(key)) return;
    busy.current.add(key);
    try {
      const reply = await saving.mutateAsync({ row: row.row, ...request });
      showSaved([reply]);
      heldRows.keep(reply.row, row.class !== 'valid' && reply.row.class === 'valid');
    } catch {
      // A notification tells why.
    } finally {
      busy.current.delete(key);
    }
  };
}

const endsText = ({ key, ctrlKey, metaKey }: KeyboardEvent) =>
  /^(Enter|Tab|Escape|Arrow|F\d)/.test(key) || ctrlKey || metaKey;

/**
 * Keeps typed text in its row. If the focus leaves the row meanwhile, as when the row leaves the page, the rest would
 * run keys of the screen: it is dropped until a key or a press ends the text.
 */
function useTextOfRow(): void {
  const row = useRef<number | null>(null);
  const end = () => {
    row.current = null;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (endsText(event)) return end();
    const here = isTyping(event.target) ? rowOfElement(event.target) : null;
    if (row.current === null && typesText(event)) row.current = here;
    if (row.current === null || row.current === here) return;
    event.preventDefault();
    event.stopPropagation();
  };
  useListener('document', 'keydown', onKeyDown, { capture: true });
  useListener('document', 'pointerdown', end, { capture: true });
}

/** Keys are held no longer than this for a page that does not come. Then they go nowhere, not into the old cell. */
const heldMsMax = 10_000;

/** Down in the last row of a page goes on in the next page, Up the other way. Keys are held until it is there. */
function usePageStep(around: RefObject<HTMLElement | null>): void {
  const { page, address, goTo, hasFilter, pageNumber, pages, isLoading } = useRowsReview();
  const at = JSON.stringify(address);
  const going = useRef<{ field: string; isDown: boolean; from: string; held: Held } | null>(null);
  const pageBeside = (isDown: boolean): RowsAddress | null => {
    if (!hasFilter) {
      const next = pageNumber + (isDown ? 1 : -1);
      return next >= 1 && next <= pages ? { ...filterOf(address), page: next } : null;
    }
    if (!(isDown ? page.later : page.earlier)) return null;
    const { first, last } = page.sorted ?? { first: page.rows[0]?.row, last: page.rows.at(-1)?.row };
    return { ...filterOf(address), ...(isDown ? { after: last ?? 0 } : { before: first ?? 1 }) };
  };
  const step = useEffectEvent((event: Event, isDown: boolean) => {
    const { target } = event;
    if (isLoading || !(target instanceof HTMLElement) || !target.matches('td[data-field]')) return;
    const rows = around.current?.querySelectorAll('tbody tr[data-row]') ?? [];
    if (target.closest('tr') !== rows[isDown ? rows.length - 1 : 0]) return;
    const to = pageBeside(isDown);
    if (to === null || !goTo(to)) return;
    going.current = { field: target.dataset.field ?? '', isDown, from: at, held: holdTyping() };
    event.preventDefault();
    event.stopPropagation();
  });
  useEffect(() => {
    const ending = new AbortController();
    const onKey = (event: KeyboardEvent) => {
      const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
      const isPlain = !(shiftKey || ctrlKey || metaKey || altKey);
      if (isPlain && (key === 'ArrowDown' || key === 'ArrowUp')) step(event, key === 'ArrowDown');
    };
    // Before the table's cursor, which goes up to the head.
    around.current?.addEventListener('keydown', onKey, { capture: true, signal: ending.signal });
    const onStep = (event: Event) => step(event, (event as CustomEvent<boolean>).detail);
    around.current?.addEventListener(pageStep, onStep, { signal: ending.signal });
    return () => {
      ending.abort();
      going.current?.held.drop();
    };
  }, [around]);
  useEffect(() => {
    if (going.current === null || isLoading || going.current.from === at) return;
    const { field, isDown, held } = going.current;
    going.current = null;
    if (!held.isHeld()) return;
    const cells = around.current?.querySelectorAll<HTMLElement>(`tbody td[data-field="${field}"]`) ?? [];
    cells[isDown ? 0 : cells.length - 1]?.focus();
    // Each key is drawn before the next one, which React does not do in an effect.
    setTimeout(held.press);
  });
}

/** Held keys: pressed in the cell that gets the focus, or dropped after a while or by a press elsewhere. */
type Held = { press: () => void; drop: () => void; isHeld: () => boolean };

function holdTyping(): Held {
  const held: KeyboardEvent[] = [];
  const holding = new AbortController();
  const hold = (event: KeyboardEvent) => {
    held.push(event);
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  window.addEventListener('keydown', hold, { capture: true, signal: holding.signal });
  const drop = () => {
    clearTimeout(expiry);
    holding.abort();
  };
  const expiry = setTimeout(() => {
    drop();
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  }, heldMsMax);
  window.addEventListener('pointerdown', drop, { capture: true, signal: holding.signal });
  const press = () => {
    if (holding.signal.aborted) return;
    drop();
    for (const event of held) {
      const isFree = document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', event));
      // Events that a program makes enter no text. At the end of this page too, they are held again.
      const isText = [...event.key].length === 1 && !event.ctrlKey && !event.metaKey;
      if (isFree && isText && document.activeElement instanceof HTMLInputElement)
        document.execCommand('insertText', false, event.key);
    }
  };
  return { press, drop, isHeld: () => !holding.signal.aborted };
}
