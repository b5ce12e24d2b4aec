import type { Row } from '@draftshelf/contract/review/rows';
import { useState } from 'react';

/** The rows on the screen. `key` names their filter and page, `source` is the reply that they come from. */
export type HeldRows = {
  key: string;
  source: readonly Row[];
  rows: readonly Row[];
  /** Rows with an edit that is not saved. */
  edited: ReadonlySet<number>;
};

/** The rows of a page that keep their places: saved rows, and rows that are being edited. */
type Staying = { saved: ReadonlySet<number>; edited: ReadonlySet<number> };

/**
 * The rows to show after a reply, or after a change of what is edited. Rows that are edited or were saved stay in their
 * places, because a row that leaves the filter would pull the next row under the pointer. A row that has left the
 * filter in another way goes. A row that was edited meanwhile goes when its edit is discarded.
 */
export function holdRows(
  heldRows: HeldRows | null,
  key: string,
  source: readonly Row[],
  { saved, edited }: Staying,
): HeldRows {
  if (heldRows?.key !== key || saved.size + edited.size === 0) return { key, source, rows: source, edited };
  const fresh = new Map(source.map((row) => [row.row, row]));
  const stays = ({ row }: Row) => saved.has(row) || edited.has(row);
  const rows = heldRows.rows.flatMap((row) => fresh.get(row.row) ?? (stays(row) ? row : []));
  return { key, source, rows, edited };
}

/** The rows of the reply again, and the edited rows that have left the filter. */
export function releaseRows({ source, rows, edited, ...heldRows }: HeldRows): HeldRows {
  const fresh = new Set(source.map(({ row }) => row));
  const unsaved = rows.filter(({ row }) => edited.has(row) && !fresh.has(row));
  const isInFileOrder = source.every(({ row }, at) => row > (source[at - 1]?.row ?? 0));
  const all = [...source, ...unsaved];
  const next = isInFileOrder ? all.sort((a, b) => a.row - b.row) : all;
  return { ...heldRows, source, edited, rows: next };
}

/**
 * The rows of a reply that needed the operator when they were last shown and no longer do, and whether they were fixed;
 * the other rows were left out of the push. They were saved outside the table, as in the dialog of their product.
 */
export function resolvedRows(
  heldRows: HeldRows | null,
  key: string,
  source: readonly Row[],
): Map<number, boolean> {
  const before = new Map((heldRows?.key === key ? heldRows.rows : []).map((row) => [row.row, row]));
  return new Map(
    source.flatMap((now) => {
      const then = before.get(now.row);
      if (then === undefined || then.class === 'valid') return [];
      const isFixed = now.class === 'valid';
      return isFixed || (now.leftOut && !then.leftOut) ? [[now.row, isFixed]] : [];
    }),
  );
}

export function countStillMatching({ source, rows }: Pick<HeldRows, 'source' | 'rows'>): number {
  const fresh = new Set(source.map(({ row }) => row));
  return rows.filter(({ row }) => fresh.has(row)).length;
}

export function countLeftOut({ source, rows }: Pick<HeldRows, 'source' | 'rows'>): number {
  const fresh = new Set(source.map(({ row }) => row));
  return rows.filter(({ row, leftOut }) => leftOut && !fresh.has(row)).length;
}

/** Rows that were saved or are being changed with others, and whether that has fixed them. */
type Saved = { key: string; rows: ReadonlyMap<number, boolean> };
const none: Saved['rows'] = new Map();
const noNumbers: readonly number[] = [];

/** The rows that were fixed and still are: a fix may have been undone since. */
export function fixedRows(rows: readonly Row[], saved: Saved['rows']): Set<number> {
  const isFixed = (row: Row) => saved.get(row.row) === true && row.class === 'valid';
  return new Set(rows.filter(isFixed).map(({ row }) => row));
}

/** The rows that stay although they have left the filter: its reply no longer says what is in them. */
export function unreadRows(
  { source, rows }: Pick<HeldRows, 'source' | 'rows'>,
  saved: Saved['rows'],
): number[] {
  const fresh = new Set(source.map(({ row }) => row));
  return rows.flatMap(({ row }) => (!fresh.has(row) && saved.has(row) ? [row] : []));
}

/** Keeps the rows of a page in place while rows are edited and fixed, and lists the fixed ones. */
export function useHeldRows(
  key: string,
  source: readonly Row[],
  isLoading: boolean,
  isEdited: (row: Row) => boolean,
) {
  const [heldRows, setHeldRows] = useState<HeldRows | null>(null);
  const [saved, setSaved] = useState<Saved>({ key, rows: none });
  // Rows stay while their page is shown: the page that was left may have other rows, or another order.
  if (!isLoading && saved.key !== key) setSaved({ key, rows: none });
  const savedRows = saved.key === key ? saved.rows : none;
  const edited = new Set((heldRows?.rows ?? source).filter(isEdited).map(({ row }) => row));
  const isCurrent = heldRows?.key === key && heldRows.source === source && isSame(heldRows.edited, edited);
  if (!isLoading && !isCurrent) {
    const settled = resolvedRows(heldRows, key, source);
    const rows: Saved['rows'] = settled.size === 0 ? savedRows : new Map([...savedRows, ...settled]);
    if (rows !== savedRows) setSaved({ key, rows });
    setHeldRows(holdRows(heldRows, key, source, { saved: new Set(rows.keys()), edited }));
  }
  return {
    rows: heldRows === null ? source : heldRows.rows,
    /** How many rows still match the filter. */
    stillMatch: heldRows === null ? source.length : countStillMatching(heldRows),
    fixed: fixedRows(heldRows?.rows ?? source, savedRows),
    /** How many rows have left the filter because they were left out of the push. */
    leftOut: heldRows === null ? 0 : countLeftOut(heldRows),
    /** Rows to read by their numbers, as long as they stay. */
    unread: heldRows === null ? noNumbers : unreadRows(heldRows, savedRows),
    /** Lets all rows stay, because many are being changed. */
    stay() {
      setSaved((now) => {
        if (now.key !== key) return now;
        const rows = new Map<number, boolean>((heldRows?.rows ?? []).map(({ row }) => [row, false]));
        return { key, rows: new Map([...rows, ...now.rows]) };
      });
    },
    /** Takes a row that was just saved. `isFixed`: it had a problem and has none now. */
    keep(row: Row, isFixed: boolean) {
      setHeldRows(
        (now) => now && { ...now, rows: now.rows.map((other) => (other.row === row.row ? row : other)) },
      );
      setSaved((now) => {
        if (now.key !== key) return now;
        return { key, rows: new Map(now.rows).set(row.row, isFixed || now.rows.get(row.row) === true) };
      });
    },
    /** Shows the current rows of the filter again. */
    release() {
      setSaved({ key, rows: none });
      setHeldRows((now) => now && releaseRows(now));
    },
  };
}

const isSame = (a: ReadonlySet<number>, b: ReadonlySet<number>) =>
  a.size === b.size && [...a].every((row) => b.has(row));
