import { rowSeparator, searchForm } from '@draftshelf/domain/base/search-text';
import { sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import { unnestRows } from '../../connection/unnest-rows.ts';
import type { RunOfRows } from '../../work/runs.ts';

/** A row with what it is searched by, before searchForm; '' for an ignored row. */
export type RowText = { row: number; text: string };

/** The texts of adjacent rows in searchForm, and their signature. */
export type TextBlock = { rowFrom: number; rowTo: number; text: string; sign: Buffer };

/** No block has more rows, so the block of a row begins less than so many rows before it. Most are bounded by bytes. */
export const blockRowsMax = 128;
/** With its columns, so much text fills a page of Postgres. The text of a single row may be longer. */
const blockBytesMax = 7_900;

/** Collects the texts of rows with consecutive numbers as they stream by. */
export function collectTexts() {
  const blocks: TextBlock[] = [];
  let texts: string[] = [];
  let rowFrom = 0;
  let chars = 0;
  const end = () => {
    // One call for all rows takes a fifth of the time.
    if (texts.length > 0) blocks.push(...blocksOf(rowFrom, searchForm(texts.join(rowSeparator))));
    texts = [];
    chars = 0;
  };
  return {
    *passed<R extends RowText>(rows: Iterable<R>): Generator<R> {
      for (const row of rows) {
        if (texts.length === blockRowsMax || chars + row.text.length > blockBytesMax) end();
        if (texts.length === 0) rowFrom = row.row;
        texts.push(row.text);
        chars += row.text.length + 1;
        yield row;
      }
    },
    blocks(): TextBlock[] {
      end();
      return blocks;
    },
  };
}

/** The blocks of texts in searchForm: halves where the whole is too long. */
function blocksOf(rowFrom: number, text: string): TextBlock[] {
  const texts = text.split(rowSeparator);
  if (text.length <= blockBytesMax || texts.length === 1) {
    return [{ rowFrom, rowTo: rowFrom + texts.length - 1, text, sign: signOf(text) }];
  }
  const half = texts.length >> 1;
  const joined = (part: readonly string[]) => part.join(rowSeparator);
  return [
    ...blocksOf(rowFrom, joined(texts.slice(0, half))),
    ...blocksOf(rowFrom + half, joined(texts.slice(half))),
  ];
}

/** SQL: separates the texts in a block. */
export const rowEnd = sql.raw(`E'\\x1e'`);

/** A piece of four bytes has one of 8,192 bits. In a full block, four of ten bits are set. */
const signBytes = 1024;
const pieceBytes = 4;
const bitOf = (piece: number): number => Math.imul(piece, 0x9e3779b1) >>> 19;

function signOf(text: string): Buffer {
  const sign = Buffer.alloc(signBytes);
  let piece = 0;
  for (let at = 0; at < text.length; at += 1) {
    piece = (piece << 8) | text.charCodeAt(at);
    if (at < pieceBytes - 1) continue;
    const bit = bitOf(piece);
    sign[bit >> 3] = (sign[bit >> 3] ?? 0) | (1 << (bit & 7));
  }
  return sign;
}

/** More of them hardly exclude more blocks. */
const testedBitsMax = 10;

/** SQL condition on a signature: its block may contain a text in searchForm. True for texts of three characters. */
export function mayContain(form: string) {
  const bits = new Set<number>();
  const pieces = form.length - pieceBytes + 1;
  const step = Math.max(1, pieces / testedBitsMax);
  for (let at = 0; at < pieces; at += step) {
    const from = Math.floor(at);
    let piece = 0;
    for (let next = from; next < from + pieceBytes; next += 1) piece = (piece << 8) | form.charCodeAt(next);
    bits.add(bitOf(piece));
  }
  const tests = [...bits].map((bit) => sql`get_bit(sign, ${sql.lit(bit)}) = 1`);
  return tests.length > 0 ? sql`(${sql.join(tests, sql` and `)})` : sql`true`;
}

/** Stores blocks, in place of those that begin at the same rows. */
async function storeBlocks(db: Db, of: RunOfRows, blocks: readonly TextBlock[]): Promise<void> {
  if (blocks.length === 0) return;
  const types = { rowFrom: 'int', rowTo: 'int', text: 'text', sign: 'bytea' } as const;
  await sql`
    with stored as materialized (select * from ${unnestRows('stored', blocks, types)}), signs as (
      insert into row_text_signs (import_id, run, row_from, sign)
      select ${of.import_id}, ${of.run}, row_from, sign from stored
      on conflict (import_id, run, row_from) do update set sign = excluded.sign
    )
    insert into row_texts (import_id, run, row_from, row_to, text)
    select ${of.import_id}, ${of.run}, row_from, row_to, text from stored
    on conflict (import_id, run, row_from) do update set row_to = excluded.row_to, text = excluded.text`.execute(
    db,
  );
}

/** Stores the texts of rows behind the last one of a run, with consecutive numbers. */
export async function appendTexts(db: Db, of: RunOfRows, rows: readonly RowText[]): Promise<void> {
  const texts = collectTexts();
  for (const _ of texts.passed(rows));
  await storeBlocks(db, of, texts.blocks());
}

/**
 * Replaces the texts of rows where they differ. Rows whose texts are not stored yet are left to the task that stores
 * them. The caller holds the lock of the import's rows.
 */
export async function replaceTexts(db: Db, of: RunOfRows, rows: readonly RowText[]): Promise<void> {
  const forms = new Map(rows.map(({ row, text }) => [row, searchForm(text)]));
  const changed: TextBlock[] = [];
  for (const { row_from: rowFrom, text } of await readBlocks(db, of, [...forms.keys()])) {
    const before = text.split(rowSeparator);
    const after = before.map((one, at) => forms.get(rowFrom + at) ?? one).join(rowSeparator);
    if (after !== text) changed.push(...blocksOf(rowFrom, after));
  }
  await storeBlocks(db, of, changed);
}

/** The blocks of some rows. */
async function readBlocks(
  db: Db,
  { import_id, run }: RunOfRows,
  numbers: readonly number[],
): Promise<{ row_from: number; text: string }[]> {
  const stretches: { first: number; last: number }[] = [];
  for (const row of numbers.toSorted((a, b) => a - b)) {
    const latest = stretches.at(-1);
    if (latest && row - latest.last < blockRowsMax) latest.last = row;
    else stretches.push({ first: row, last: row });
  }
  if (stretches.length === 0) return [];
  const { rows } = await sql<{ row_from: number; text: string }>`
    select row_from, text from ${unnestRows('stretch', stretches, { first: 'int', last: 'int' })} cross join lateral (
      select row_from, text from row_texts
      where import_id = ${import_id} and run = ${run}
        and row_from > first - ${sql.lit(blockRowsMax)} and row_from <= last and row_to >= first
      offset 0
    ) block`.execute(db);
  return rows;
}
