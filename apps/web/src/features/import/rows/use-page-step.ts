import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { filterOf, type RowsAddress } from '../rows-address.ts';
import { useRowsReview } from './rows-review.ts';

/** Down in the last row of a page goes on in the first row of the next one, and Up the other way. */
export function usePageStep(around: RefObject<HTMLElement | null>): void {
  const { page, address, goTo, hasFilter, pageNumber, pages, isLoading } = useRowsReview();
  /** The cell to focus once another page is there. */
  const going = useRef<{ field: string; isDown: boolean; from: string } | null>(null);
  const at = JSON.stringify(address);
  const pageBeside = (isDown: boolean): RowsAddress | null => {
    if (!hasFilter) {
      const next = pageNumber + (isDown ? 1 : -1);
      return next >= 1 && next <= pages ? { ...filterOf(address), page: next } : null;
    }
    if (!(isDown ? page.later : page.earlier)) return null;
    const { first, last } = page.sorted ?? { first: page.rows[0]?.row, last: page.rows.at(-1)?.row };
    return { ...filterOf(address), ...(isDown ? { after: last ?? 0 } : { before: first ?? 1 }) };
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, target } = event;
    const isDown = key === 'ArrowDown';
    if (event.shiftKey || event.ctrlKey || event.metaKey || event.altKey || !(isDown || key === 'ArrowUp'))
      return;
    if (isLoading || !(target instanceof HTMLElement) || !target.matches('td[data-field]')) return;
    const rows = around.current?.querySelectorAll('tbody tr[data-row]') ?? [];
    if (target.closest('tr') !== rows[isDown ? rows.length - 1 : 0]) return;
    const to = pageBeside(isDown);
    if (to === null || !goTo(to)) return;
    going.current = { field: target.dataset.field ?? '', isDown, from: at };
    event.preventDefault();
    event.stopPropagation();
  });
  useEffect(() => {
    const element = around.current;
    // Before the table's cursor, which goes up to the head.
    const listener = (event: KeyboardEvent) => onKey(event);
    element?.addEventListener('keydown', listener, { capture: true });
    return () => element?.removeEventListener('keydown', listener, { capture: true });
  }, [around]);
  useEffect(() => {
    if (going.current === null || isLoading || going.current.from === at) return;
    const { field, isDown } = going.current;
    going.current = null;
    const cells = around.current?.querySelectorAll<HTMLElement>(`tbody td[data-field="${field}"]`) ?? [];
    cells[isDown ? 0 : cells.length - 1]?.focus();
  });
}
