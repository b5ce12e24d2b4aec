import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { filterOf, type RowsAddress } from '../rows-address.ts';
import { useRowsReview } from './rows-review.ts';
import { pageStep } from './use-field-keys.ts';

/** Keys are held no longer than this for a page that does not come. Then they go nowhere, not into the old cell. */
const heldMsMax = 10_000;

/**
 * Down in the last row of a page goes on in the first row of the next one, and Up the other way. What is typed until
 * the page is there is typed into it.
 */
export function usePageStep(around: RefObject<HTMLElement | null>): void {
  const { page, address, goTo, hasFilter, pageNumber, pages, isLoading } = useRowsReview();
  const at = JSON.stringify(address);
  /** The cell to focus once another page is there. */
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
    const cells = around.current?.querySelectorAll<HTMLElement>(`tbody td[data-field="${field}"]`) ?? [];
    cells[isDown ? 0 : cells.length - 1]?.focus();
    // Each key is drawn before the next one, which React does not do in an effect.
    setTimeout(held.press);
  });
}

/** Keys that are held, until they are pressed in the cell that has the focus then, or dropped. */
type Held = { press: () => void; drop: () => void };

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
  return { press, drop };
}
