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

type Fixed = { key: string; rows: ReadonlySet<number> };
const none: ReadonlySet<number> = new Set();

/** Keeps the rows of a page in place while rows are fixed, and knows which were. */
export function useHeldRows(key: string, source: readonly Row[], isOfOtherPage: boolean) {
  const [held, setHeld] = useState<HeldRows | null>(null);
  const [fixed, setFixed] = useState<Fixed>({ key, rows: none });
  const fixedRows = fixed.key === key ? fixed.rows : none;
  if (!isOfOtherPage && (held?.key !== key || held.source !== source)) {
    setHeld(holdRows(held, key, source, fixedRows.size > 0));
  }
  return {
    rows: held === null ? source : held.rows,
    fixed: fixedRows,
    /** Takes a row that was just saved. */
    keep(saved: Row) {
      setHeld((now) => now && { ...now, rows: now.rows.map((row) => (row.row === saved.row ? saved : row)) });
      setFixed((now) => ({ key, rows: new Set([...(now.key === key ? now.rows : none), saved.row]) }));
    },
    /** Shows what the filter shows now. */
    release() {
      setFixed({ key, rows: none });
      setHeld(null);
    },
  };
}
