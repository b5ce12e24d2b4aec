import { pipeline } from 'node:stream/promises';
import type { RowClass } from '@draftshelf/domain/row-rule';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

/** One row as a parse worker hands it to the database. `price` is decimal text; `cells` are the original ones. */
export type NewRow = {
  row: number;
  line: number;
  byteFrom: number;
  product: number;
  class: RowClass;
  enrichable: boolean;
  ignored: string | null;
  title: string | null;
  price: string | null;
  sku: string | null;
  gtin: string | null;
  vendor: string | null;
  image: string | null;
  groupKey: string | null;
  issues: readonly string[] | null;
  cells: readonly string[];
};

const columns =
  'import_id, run, row, line, byte_from, product, class, enrichable, ignored, title, price, sku, gtin, vendor, image, group_key, issues, cells';

/** Pieces of about this many characters: one long string per batch made COPY 2–3 times slower. */
const pieceCharsMax = 64 * 1024;

/**
 * Stores rows by COPY on a connection that is in a transaction. Returns when Postgres has them all; throws what
 * Postgres throws (a duplicate key among them).
 */
export async function copyRows(
  client: pg.ClientBase,
  into: { importId: string; run: number },
  rows: Iterable<NewRow>,
): Promise<void> {
  const copy = client.query(copyFrom(`copy rows (${columns}) from stdin`));
  await pipeline(copyText(into, rows), copy);
}

function* copyText(into: { importId: string; run: number }, rows: Iterable<NewRow>): Generator<Buffer> {
  const prefix = `${into.importId}\t${into.run}\t`;
  let piece = '';
  for (const row of rows) {
    piece += `${prefix}${row.row}\t${row.line}\t${row.byteFrom}\t${row.product}\t${row.class}\t${row.enrichable ? 't' : 'f'}\t${text(row.ignored)}\t${text(row.title)}\t${text(row.price)}\t${text(row.sku)}\t${text(row.gtin)}\t${text(row.vendor)}\t${text(row.image)}\t${text(row.groupKey)}\t${row.issues ? json(row.issues) : '\\N'}\t${json(row.cells)}\n`;
    if (piece.length >= pieceCharsMax) {
      yield Buffer.from(piece);
      piece = '';
    }
  }
  if (piece) yield Buffer.from(piece);
}

const special = /[\0\\\t\n\r]/;
const specials = /[\\\t\n\r]/g;
const nul = /\0/g;
const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** COPY text of a value; null is \N. Postgres text cannot hold NUL: the cell keeps it, as JSON keeps it, marked. */
function text(value: string | null): string {
  if (value === null) return '\\N';
  if (!special.test(value)) return value;
  return value.replace(nul, '\uFFFD').replace(specials, (c) => escapes[c] ?? c);
}

/** JSON writes a NUL as \u0000, which a json column (unlike jsonb) stores as it is. */
function json(value: readonly string[]): string {
  const written = JSON.stringify(value);
  return written.includes('\\') ? written.replaceAll('\\', '\\\\') : written;
}
