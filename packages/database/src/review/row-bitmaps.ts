import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { FacetClass, FacetIssue, RowBitmapsTable } from '../connection/schema.ts';
import { unnestRows } from '../connection/unnest-rows.ts';
import type { RunOfRows } from '../work/runs.ts';
import { type FacetedRow, facetClassOf, facetIssuesOf } from './row-facets.ts';

/**
 * A block: rows whose numbers have the same whole part when divided by this. A bitmap has a bit for each of them; the
 * column's type is bit(1024).
 */
export const rowsPerBlock = 1024;

/** The block of a row number. */
export const blockOf = (row: number): number => Math.floor(row / rowsPerBlock);

/** SQL value: the block of a row number. */
export const sqlBlockOf = (row: RawBuilder<unknown>) => sql`${row} / ${sql.lit(rowsPerBlock)}`;

/** SQL aggregate: the bitmap of the row numbers of a block. */
export const sqlBitmapOf = (row: RawBuilder<unknown>) =>
  sql`bit_or(set_bit(0::bit(${sql.lit(rowsPerBlock)}), ${row} % ${sql.lit(rowsPerBlock)}, 1))`;

/** New bits of a bitmap. */
type RowBitmap = Pick<RowBitmapsTable, 'class' | 'issue' | 'block'> & { bits: Uint8Array };

/** Collects bitmaps of rows by class, issue and block. */
function bitmapCollector() {
  const bitmaps = new Map<string, RowBitmap>();
  return {
    bitmaps: (): RowBitmap[] => [...bitmaps.values()],
    /** The bits of some issues in a class and block, for `setBit`. */
    bitsOf(name: FacetClass, issues: readonly FacetIssue[], block: number): Uint8Array[] {
      return issues.map((issue) => {
        const key = `${name} ${issue} ${block}`;
        const found = bitmaps.get(key);
        if (found) return found.bits;
        const bits = new Uint8Array(rowsPerBlock / 8);
        bitmaps.set(key, { class: name, issue, block, bits });
        return bits;
      });
    },
  };
}

/** Postgres counts the bits of a bit string from the left. */
function setBit(bits: Uint8Array, row: number): void {
  const at = row % rowsPerBlock;
  bits[at >> 3] = (bits[at >> 3] ?? 0) | (0x80 >> (at & 7));
}

/** Collects the bitmaps of new rows, which come in order. */
export function newRowBitmaps() {
  const { bitsOf, bitmaps } = bitmapCollector();
  /** The bits to set for rows of the current block, by class and issues. */
  const known = new Map<string, Uint8Array[]>();
  let last: { block: number; kind: string; issues: number; bits: Uint8Array[] } | undefined;
  return {
    bitmaps,
    add(row: FacetedRow & { row: number }): void {
      const block = blockOf(row.row);
      const kind = row.ignored ?? row.class;
      if (last?.block !== block) known.clear();
      if (last?.block !== block || last.kind !== kind || last.issues !== row.issues) {
        const key = `${kind} ${row.issues}`;
        const bits = known.get(key) ?? bitsOf(facetClassOf(row), facetIssuesOf(row, false), block);
        known.set(key, bits);
        last = { block, kind, issues: row.issues, bits };
      }
      for (const bits of last.bits) setBit(bits, row.row);
    },
  };
}

/**
 * Adds bits to the bitmaps of a run. The caller's transaction holds the lock of the import or of its rows, so two
 * callers never deadlock.
 */
export async function addBitmaps(db: Db, of: RunOfRows, added: readonly RowBitmap[]): Promise<void> {
  if (added.length === 0) return;
  await sql`
    insert into row_bitmaps (import_id, run, class, issue, block, rows)
    select ${of.import_id}, ${of.run}, added.* from ${unnestBitmaps('added', added)}
    on conflict (import_id, run, issue, block, class) do update set rows = row_bitmaps.rows | excluded.rows`.execute(
    db,
  );
}

/**
 * Moves rows whose class or issues have changed to their other bitmaps. The caller holds the lock of the import's rows.
 */
export async function moveBits(
  db: Db,
  of: RunOfRows,
  moved: readonly { row: number; before: FacetedRow; after: FacetedRow }[],
): Promise<void> {
  const [gone, added] = [bitmapCollector(), bitmapCollector()];
  for (const { row, before, after } of moved) {
    const [from, to] = [facetClassOf(before), facetClassOf(after)];
    const [had, has] = [facetIssuesOf(before, false), facetIssuesOf(after, false)];
    const isSame = (issue: FacetIssue) => from === to && had.includes(issue) && has.includes(issue);
    const block = blockOf(row);
    const differing = (issues: readonly FacetIssue[]) => issues.filter((issue) => !isSame(issue));
    for (const bits of gone.bitsOf(from, differing(had), block)) setBit(bits, row);
    for (const bits of added.bitsOf(to, differing(has), block)) setBit(bits, row);
  }
  await sql`
    update row_bitmaps set rows = row_bitmaps.rows & ~gone.rows
    from ${unnestBitmaps('gone', gone.bitmaps())}
    where import_id = ${of.import_id} and run = ${of.run} and row_bitmaps.class = gone.class
      and row_bitmaps.issue = gone.issue and row_bitmaps.block = gone.block`.execute(db);
  await addBitmaps(db, of, added.bitmaps());
}

function unnestBitmaps(table: string, bitmaps: readonly RowBitmap[]) {
  const rows = bitmaps.map(({ bits, ...bitmap }) => ({
    ...bitmap,
    rows: `x${Buffer.from(bits).toString('hex')}`,
  }));
  const types = { class: 'text', issue: 'text', block: 'int', rows: `bit(${rowsPerBlock})` } as const;
  return unnestRows(table, rows, types);
}

/** The row numbers of a bitmap, in order. */
export function rowsInBitmap({ block, rows }: Pick<RowBitmapsTable, 'block' | 'rows'>): number[] {
  const found: number[] = [];
  for (let at = rows.indexOf('1'); at !== -1; at = rows.indexOf('1', at + 1))
    found.push(block * rowsPerBlock + at);
  return found;
}
