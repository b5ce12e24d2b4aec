import { sql } from 'kysely';
import type { RunOfRows } from '../chunks/runs.ts';
import type { Db } from '../connection/database.ts';
import { overlayOf } from './effective-rows.ts';

/** So many rows say as much about prices and pictures as all of them, and take about 10 ms. */
export const sampledRowsMax = 1000;

/** The effective price and pictures of a row. */
export type SampledRow = { price: string | undefined; image: string | undefined };

/**
 * Some of an import's current rows without the ignored ones, evenly spread over the file: all of them up to
 * `sampledRowsMax`. `totalRows`: the number of its rows.
 */
export async function readSampleValues(db: Db, of: RunOfRows, totalRows: number): Promise<SampledRow[]> {
  if (totalRows === 0) return [];
  const { rows } = await sql<{ row: number; byte_from: number; price: string | null; image: string | null }>`
    select row, byte_from, price, image from rows
    where import_id = ${of.import_id} and run = ${of.run} and ignored is null
      and row = any(${spreadRows(totalRows)}::int[])
    order by row`.execute(db);
  const overlay = await overlayOf(db, of, rows);
  return rows.map((row) => {
    const parsed = {
      ...(row.price === null ? {} : { price: row.price }),
      ...(row.image === null ? {} : { image: row.image }),
    };
    const { price, image } = overlay(row, parsed).values;
    return { price, image };
  });
}

/** Row numbers from 1 to `total` at equal distances. */
function spreadRows(total: number): number[] {
  const count = Math.min(total, sampledRowsMax);
  return Array.from({ length: count }, (_, at) => 1 + Math.floor((at * total) / count));
}
