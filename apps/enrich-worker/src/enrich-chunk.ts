import { readCoverage } from '@draftshelf/core/enrich/coverage';
import {
  type EnrichableRow,
  type FoundValue,
  insertFoundValues,
  readEnrichableRows,
} from '@draftshelf/core/enrich/found-values';
import { lookUpProductsInRange } from '@draftshelf/core/enrich/lookups/look-up-range';
import { refreshRows } from '@draftshelf/core/reading/refresh-products';
import { lockRows } from '@draftshelf/core/review/rows-lock';
import { markDone } from '@draftshelf/core/work/claim-chunk';
import { closeWorkChunk } from '@draftshelf/core/work/complete-chunk';
import { currentRows } from '@draftshelf/core/work/runs';
import type { PinnedWork } from '@draftshelf/queues/run-chunk';

/** Fills gaps from the row's own text ('AI Validation & Enhancement'), then from cached look-ups. Calls no source. */
export async function enrichChunk({ chunk, import: record, connection }: PinnedWork): Promise<void> {
  const of = currentRows(record);
  const range = { firstRow: chunk.first_row ?? 0, rows: chunk.rows ?? 0 };
  const rows = await readEnrichableRows(connection.db, of, range);
  const found = record.enable_ai ? rows.flatMap(findInRow) : [];
  const isLookedUp = (await readCoverage(connection.db, of)).length > 0;
  await connection.db.transaction().execute(async (trx) => {
    await markDone(trx, chunk);
    await insertFoundValues(trx, of, found);
    const numbers = found.map(({ row }) => row);
    if (isLookedUp || numbers.length > 0) await lockRows(trx, of.import_id);
    await refreshRows(trx, record, numbers);
    const { filled } = isLookedUp
      ? await lookUpProductsInRange(trx, of, { ...range, counted: false })
      : { filled: [] };
    await refreshRows(trx, record, filled);
    await closeWorkChunk(trx, chunk, { enriched_rows: isLookedUp ? range.rows : rows.length });
  });
}

/** Matches a brand such as 'Brand: Threshold', up to the end of the sentence, line or tag. */
const brandPhrase =
  /\b(?:brand|manufacturer|made by|marke|marque|marca)\s*[:=]\s*([^\s<>.;,|\n][^<>.;,|\n]{0,79})/i;

/** Finds a missing image address and a missing brand in the cells of a row. */
export function findInRow(row: EnrichableRow): FoundValue[] {
  const found: FoundValue[] = [];
  if (row.image === null) {
    const value = firstOf(row.cells, taggedImage) ?? firstOf(row.cells, imageAddress);
    if (value)
      found.push({ row: row.row, field: 'image', value: value.replaceAll('&amp;', '&'), source: 'row' });
  }
  if (row.vendor === null) {
    const value = firstOf(row.cells, namedBrand);
    if (value) found.push({ row: row.row, field: 'vendor', value, source: 'row' });
  }
  return found;
}

/** Returns the first value found in a cell. Later cells are not read. */
const firstOf = (cells: readonly string[], find: (cell: string) => string | undefined): string | undefined =>
  cells.values().map(find).find(Boolean);

const imageTag = /<img/gi;
const imageSource = /\ssrc\s*=\s*["']?(https?:\/\/[^"'\s>]+)/i;

/** Returns the address of the first image tag. Scans tag by tag: a cell may open 200,000 tags and close none. */
function taggedImage(cell: string): string | undefined {
  let closed = 0;
  for (const { index } of cell.matchAll(imageTag)) {
    if (index < closed) continue;
    const close = cell.indexOf('>', index);
    closed = close < 0 ? cell.length : close;
    const source = imageSource.exec(cell.slice(index, closed))?.[1];
    if (source) return source;
  }
  return undefined;
}

const address = /https?:\/\/([^\s"'<>|,;]+)/gi;
const imageEnding = /\.(?:jpe?g|png|webp|gif|avif)/gi;

/** Returns the first address with an image extension. Cuts off the text after the last extension, except a query. */
function imageAddress(cell: string): string | undefined {
  for (const { 0: found, 1: rest = '' } of cell.matchAll(address)) {
    const last = [...rest.matchAll(imageEnding)].filter(({ index }) => index > 0).at(-1);
    if (!last) continue;
    const end = found.length - rest.length + last.index + last[0].length;
    return found[end] === '?' ? found : found.slice(0, end);
  }
  return undefined;
}

const namedBrand = (cell: string): string | undefined => brandPhrase.exec(cell)?.[1]?.trim();
