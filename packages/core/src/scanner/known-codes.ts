import { photoAddress } from '@draftshelf/domain/base/photo-address';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { findRow, findValue, queryRows } from '../connection/query-rows.ts';
import { connectedShop } from '../enrich/store-answers.ts';
import { findRowWithCode } from '../review/rows-with-keys.ts';

/** A code to search for, by its GTIN of 14 digits or, if `gtin` is null, as a SKU. */
export type SearchedCode = { gtin: string | null; text: string };

/** Finds the newest product with a code: by UPC, else by SKU, because many shops use product numbers as SKUs. */
export const findScannedByCode = (db: Db, { gtin, text }: SearchedCode) =>
  findValue<string>(db)`
    select id from (
      (select id, 1 as rank from scanned_products where gtin = ${gtin} and deleted_at is null
        order by created_at desc, id limit 1)
      union all
      (select id, 2 as rank from scanned_products where lower(sku) = lower(${text}) and deleted_at is null
        order by created_at desc, id limit 1)
    ) found order by rank limit 1`;

export const findScannedByPhoto = (db: Db, photoId: string) =>
  findValue<string>(db)`
    select id from scanned_products where photos @> array[${photoAddress(photoId)}] and deleted_at is null
    order by created_at desc, id limit 1`;

/** Finds the newest product with a code in our copy of the connected store. */
export async function findStoreProduct(db: Db, { gtin, text }: SearchedCode) {
  const key = gtin === null ? sql`skus @> array[${text}]` : sql`gtins @> array[${gtin}]`;
  return findRow<{ id: string; title: string }>(db)`
    select id, title from store_products where shop in ${connectedShop} and ${key}
    order by updated_at desc, id limit 1`;
}

const importsMax = 20;
const rowsMax = 5;

export type WaitingRow = { import_id: string; run: number; filename: string; row: number };

/** Finds the first row with a code in each of the newest imports that wait to be pushed. */
export async function findWaitingRows(db: Db, { gtin, text }: SearchedCode): Promise<WaitingRow[]> {
  const code = gtin === null ? ({ column: 'sku', text } as const) : ({ column: 'gtin', text: gtin } as const);
  const waiting = await queryRows<Omit<WaitingRow, 'row'>>(db)`
    select id as import_id, rows_run as run, filename from imports
    where status in ('queued', 'processed') and not test_mode
    order by created_at desc, id limit ${importsMax}`;
  const found: WaitingRow[] = [];
  for (const of of waiting) {
    const row = await findRowWithCode(db, of, code);
    if (row !== undefined) found.push({ ...of, row });
    if (found.length === rowsMax) break;
  }
  return found;
}
