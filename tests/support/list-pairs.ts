import type { Db } from '@draftshelf/core/connection/database';
import { fingerprintHeaders } from '@draftshelf/core/reading/mappings';
import { addSigns, proposeByEvidence } from '@draftshelf/core/suppliers/evidence';
import { insertSupplier } from '@draftshelf/core/suppliers/suppliers';
import { readLimitsDefault } from '@draftshelf/csv/limits';
import { readFile } from '@draftshelf/csv/read-file';
import type { CanonicalField } from '@draftshelf/domain/base/canonical-fields';
import { findGtin } from '@draftshelf/domain/base/gtin';
import { type HeaderMapping, mapHeaders } from '@draftshelf/domain/reading/mapping/header-mapping';
import { readRowValues } from '@draftshelf/domain/reading/row-values';
import { type Item, itemOf } from '@draftshelf/domain/suppliers/item-hashes';
import { supplierSignsOf } from '@draftshelf/domain/suppliers/list-signs';
import type { SupplierProposal } from '@draftshelf/domain/suppliers/propose-supplier';
import { createRandom } from '../faults/fault-random.ts';

/** A list as a table, and its columns of keys, titles and prices. */
export type ListTable = {
  headers: string[];
  rows: string[][];
  keys: number[];
  titles: number[];
  prices: number[];
};

/** Numbers between 0 and 1 that are the same for the same seed. */
export function randomFrom(seed: number): () => number {
  const { between } = createRandom(seed);
  return () => between(0, 1);
}

type ReadList = { headers: string[]; mapping: HeaderMapping; rows: string[][] };

/** Reads a file as an upload does. */
export async function readList(bytes: Buffer): Promise<ReadList> {
  const read: ReadList = { headers: [], mapping: { columns: [], sources: {} }, rows: [] };
  const reading = readFile({
    limits: readLimitsDefault,
    onHeader(headers, _record, sample) {
      read.headers = headers;
      read.mapping = mapHeaders(headers, sample);
    },
    onRow({ record, ignored }) {
      if (!ignored) read.rows.push(record.cells());
    },
  });
  await reading.push(bytes);
  await reading.end();
  return read;
}

/** The table of a file. Lists without keys get item numbers. */
export async function tableOf(bytes: Buffer): Promise<ListTable> {
  const { headers, mapping, rows } = await readList(bytes);
  const columnsOf = (field: CanonicalField) => mapping.sources[field] ?? [];
  const keys = [...columnsOf('sku'), ...columnsOf('itemNumber'), ...columnsOf('upc')];
  const table = { headers, rows, keys, titles: columnsOf('title'), prices: columnsOf('price') };
  return keys.length > 0 ? table : withKeys({ ...table, headers: ['SKU', ...headers] });
}

function withKeys(table: ListTable): ListTable {
  const rows = table.rows.map((row, at) => [`K-${at}-${row.join('').length}`, ...row]);
  const moved = (columns: number[]) => columns.map((column) => column + 1);
  return { ...table, rows, keys: [0], titles: moved(table.titles), prices: moved(table.prices) };
}

/** How a table is written. */
export type Format = { delimiter: string; comma: boolean; encoding: 'utf8' | 'bom' | 'latin1' };

/** The bytes of a table as a file. */
export function bytesOf(
  { headers, rows, prices }: ListTable,
  { delimiter, comma, encoding }: Format,
): Buffer {
  const priced = rows.map((row) =>
    row.map((cell, at) =>
      comma && prices.includes(at) && /^\d+\.\d+$/.test(cell) ? cell.replace('.', ',') : cell,
    ),
  );
  const quoted = (cell: string) =>
    /["\r\n]/.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell;
  const text = [headers, ...priced].map((row) => `${row.map(quoted).join(delimiter)}\r\n`).join('');
  const canBeLatin = ![...text].some((char) => (char.codePointAt(0) ?? 0) > 0xff);
  if (encoding === 'latin1' && canBeLatin) return Buffer.from(text, 'latin1');
  return Buffer.from(encoding === 'bom' ? `\ufeff${text}` : text);
}

type File = { filename: string; bytes: Buffer };

/** The hashes of an item as rows and items have them. */
function bytesOfHashes({ hashes }: Item): Buffer {
  const bytes = Buffer.alloc(hashes.length * 4);
  for (const [at, hash] of hashes.entries()) bytes.writeInt32BE(hash, at * 4);
  return bytes;
}

/** A sample of a file and its signs, as finalizing finds them. */
async function sampled({ filename, bytes }: File) {
  const { headers, mapping, rows } = await readList(bytes);
  const items = rows.map((cells) => {
    const values = readRowValues(cells, mapping);
    const gtin = findGtin(values.upc ?? '')?.gtin ?? null;
    return { item: itemOf(values, { price: null, gtin }), values };
  });
  const sample = items.map(({ item, values }) => {
    const hashes = item && bytesOfHashes(item).toString('hex');
    const part = (from: number) =>
      hashes === null || hashes.slice(from, from + 8) === '00000000' ? null : hashes.slice(from, from + 8);
    const { title = null } = values;
    return {
      key: item?.key ?? null,
      gtin: item?.gtin ?? null,
      letters: part(56),
      text: part(16),
      title,
    };
  });
  const signs = supplierSignsOf({ layout: fingerprintHeaders(headers), filename, path: null });
  return { items, sample, signs };
}

/** Begins a supplier that has these lists, oldest first. Returns its id. */
export async function insertWithLists(db: Db, name: string, files: readonly File[]): Promise<number> {
  const supplier = await insertSupplier(db, name);
  for (const file of files) {
    const { items, signs } = await sampled(file);
    await addSigns(db, supplier, signs);
    const byKey = new Map(items.flatMap(({ item, values }) => (item ? [[item.key, { item, values }]] : [])));
    const rows = [...byKey.values()].map(({ item, values }) => ({
      ...{ supplier, key: item.key, our_id: item.key, first_list: 1 },
      ...{ title: values.title?.slice(0, 80) ?? null, hashes: bytesOfHashes(item), gtin: item.gtin },
    }));
    if (rows.length === 0) continue;
    await db
      .insertInto('supplier_items')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  return supplier;
}

/** Whose list a file is. */
export async function proposalFor(db: Db, file: File): Promise<SupplierProposal> {
  const { sample, signs } = await sampled(file);
  const rowsMax = 500;
  const rows = sample.filter(
    (_, at) =>
      Math.floor((at * rowsMax) / sample.length) !== Math.floor(((at - 1) * rowsMax) / sample.length) ||
      sample.length <= rowsMax,
  );
  const list = { rows, signs, name: null, sameBytes: null, except: null };
  return (await proposeByEvidence(db, list)).proposal;
}
