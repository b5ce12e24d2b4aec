import type { Row } from '@draftshelf/contract/rows';
import { useState } from 'react';

/** The rows on the screen. `key` names their filter and page, `source` is the reply that they come from. */
export type HeldRows = { key: string; source: readonly Row[]; rows: readonly Row[] };

/**
 * The rows to show after a reply. Once a row has been fixed, the same rows stay in their places, because a row that
 * leaves the filter would pull the next one under the pointer.
 */
export function holdRows(
  held: HeldRows | null,
  key: string,
  source: readonly Row[],
  hold: boolean,
): HeldRows {
  if (held === null || held.key !== key || !hold) return { key, source, rows: source };
  const fresh = new Map(source.map((row) => [row.row, row]));
  return { key, source, rows: held.rows.map((row) => fresh.get(row.row) ?? row) };
}

/** Rows that were saved, and whether that has fixed them. */
type Saved = { key: string; rows: ReadonlyMap<number, boolean> };
const none: Saved['rows'] = new Map();

/** Keeps the rows of a page in place while rows are fixed, and lists the fixed ones. */
export function useHeldRows(key: string, source: readonly Row[], isOfOtherPage: boolean) {
  const [held, setHeld] = useState<HeldRows | null>(null);
  const [saved, setSaved] = useState<Saved>({ key, rows: none });
  const savedRows = saved.key === key ? saved.rows : none;
  if (!isOfOtherPage && (held?.key !== key || held.source !== source)) {
    setHeld(holdRows(held, key, source, savedRows.size > 0));
  }
  return {
    rows: held === null ? source : held.rows,
    fixed: new Set([...savedRows].filter(([, isFixed]) => isFixed).map(([row]) => row)),
    /** Takes a row that was just saved. `isFixed`: it had a problem and has none now. */
    keep(row: Row, isFixed: boolean) {
      setHeld((now) => now && { ...now, rows: now.rows.map((one) => (one.row === row.row ? row : one)) });
      setSaved((now) => {
        const rows = now.key === key ? now.rows : none;
        return { key, rows: new Map(rows).set(row.row, isFixed || rows.get(row.row) === true) };
      });
    },
    /** Shows the current rows of the filter again. */
    release() {
      setSaved({ key, rows: none });
      setHeld(null);
    },
  };
}
