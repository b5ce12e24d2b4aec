import { pipeline } from 'node:stream/promises';
import type { RowValues } from '@draftshelf/domain/base/canonical-fields';
import type { IssueSet } from '@draftshelf/domain/review/issue-set';
import type { RowClass } from '@draftshelf/domain/review/row-rule';
import {
  furtherValues,
  sizedFields,
  storedFields,
  storedSize,
} from '@draftshelf/domain/review/stored-values';
import type { Item } from '@draftshelf/domain/suppliers/item-hashes';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { storedColumns } from '../review/validated-rows.ts';
import type { RunOfRows } from '../work/runs.ts';
import { CopyBuffer, copyHeader, copyTrailer } from './copy-piece.ts';

/** `price`: decimal text. `cellsAsRead`: the cells before a repair; null if `cells` are unrepaired. */
export type NewRow = {
  row: number;
  line: number;
  byteFrom: number;
  product: number;
  isFirst: boolean;
  class: RowClass;
  enrichable: boolean;
  ignored: string | null;
  price: string | null;
  gtin: string | null;
  values: RowValues;
  options: string[] | null;
  /** Null for an ignored row. */
  search: string | null;
  groupKey: string | null;
  issues: IssueSet;
  cells: readonly string[];
  cellsAsRead: readonly string[] | null;
  item: Item | null;
};

const rowColumns = [
  'row, line, product, byte_from, issues, class, enrichable, ignored, price, gtin, options, is_first, search',
  'group_key, cells, cells_as_read, item_key, item_hashes, item_price, item_quantity, item_gtin',
  ...storedColumns,
].join(', ');

/** Stores rows by COPY BINARY, which costs Postgres 14 % less work than COPY of text. Throws the errors of Postgres. */
export async function copyRows(client: pg.ClientBase, of: RunOfRows, rows: Iterable<NewRow>): Promise<void> {
  const copy = copyFrom(`copy rows (import_id, run, ${rowColumns}) from stdin (format binary)`);
  await pipeline(copyBytes(of, rows), client.query(copy));
}

function* copyBytes(of: RunOfRows, rows: Iterable<NewRow>): Generator<Buffer> {
  yield copyHeader;
  const columnCount = 2 + rowColumns.split(',').length;
  const importId = Buffer.from(of.import_id.replaceAll('-', ''), 'hex');
  let piece = new CopyBuffer();
  for (const row of rows) {
    piece.beginRow(columnCount);
    piece.bytes(importId);
    piece.integer(of.run);
    writeRow(piece, row);
    if (!piece.isFull) continue;
    yield piece.written();
    piece = new CopyBuffer();
  }
  yield piece.written();
  yield copyTrailer;
}

/** Writes the fields of a row in the order of `rowColumns`. */
function writeRow(piece: CopyBuffer, row: NewRow): void {
  piece.integer(row.row);
  piece.integer(row.line);
  piece.integer(row.product);
  piece.bigInteger(row.byteFrom);
  piece.bigInteger(row.issues);
  piece.text(row.class);
  piece.boolean(row.enrichable);
  piece.text(row.ignored);
  piece.text(row.price);
  piece.text(row.gtin);
  piece.texts(row.options);
  piece.boolean(row.isFirst);
  piece.text(row.search);
  piece.text(row.groupKey);
  piece.json(row.cells);
  piece.json(row.cellsAsRead);
  const { key, hashes, price, quantity, gtin } = row.item ?? noItem;
  piece.text(key);
  piece.words(hashes);
  piece.bigInteger(price);
  piece.integer(quantity);
  piece.bigInteger(gtin);
  for (const field of storedFields) piece.text(row.values[field] ?? null);
  for (const field of sizedFields) piece.number(storedSize(field, row.values));
  piece.json(furtherValues(row.values));
}

const noItem: Record<keyof Item, null> = { key: null, hashes: null, price: null, quantity: null, gtin: null };
