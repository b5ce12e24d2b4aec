import { currencyOfAmount, parseMoney } from '@draftshelf/domain/base/money';
import type { HeaderMapping } from '@draftshelf/domain/reading/mapping/header-mapping';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { type RunOfRows, readParseRun } from '../work/runs.ts';
import { overlayOf } from './effective-rows.ts';
import { hasNul } from './stored-cells.ts';

/** So many rows say as much about prices and pictures as all of them, and take about 10 ms. */
export const sampledRowsMax = 1000;

/** The effective price and pictures of a row, and the currency that the file names for its price. */
export type SampledRow = {
  price: string | undefined;
  image: string | undefined;
  currency: string | null;
};

/**
 * Some of an import's current rows without the ignored ones, evenly spread over the file: all of them up to
 * `sampledRowsMax`. `totalRows`: the number of its rows.
 */
export async function readSampleValues(db: Db, of: RunOfRows, totalRows: number): Promise<SampledRow[]> {
  if (totalRows === 0) return [];
  const { mapping } = await readParseRun(db, of);
  const { rows } = await sql<Sampled>`
    select row, byte_from, price, image, ${cellOf(mapping, 'price')} as price_cell,
      ${cellOf(mapping, 'currency')} as currency from rows
    where import_id = ${of.import_id} and run = ${of.run} and ignored is null
      and row = any(${spreadRows(totalRows)}::int[])
    order by row`.execute(db);
  const overlay = await overlayOf(db, of, rows);
  return rows.map((row) => {
    const parsed = {
      ...(row.price === null ? {} : { price: row.price }),
      ...(row.image === null ? {} : { image: row.image }),
      ...(row.currency === null ? {} : { currency: row.currency }),
    };
    const { values, sources } = overlay(row, parsed);
    const { price, image, currency } = values;
    const amount = parseMoney((sources.price === undefined ? row.price_cell : price) ?? '');
    return { price, image, currency: amount && currencyOfAmount(amount, currency) };
  });
}

type Sampled = { row: number; byte_from: number } & Record<
  'price' | 'image' | 'price_cell' | 'currency',
  string | null
>;

/** A field's first cell with a value, which names its currency; null where it cannot be read. */
function cellOf(
  { sources, priceCurrency }: HeaderMapping,
  field: 'price' | 'currency',
): RawBuilder<string | null> {
  const cells = (sources[field] ?? []).map((column) => sql`nullif(trim(cells ->> ${sql.lit(column)}), '')`);
  if (cells.length === 0) return sql`${field === 'currency' ? (priceCurrency ?? null) : null}::text`;
  return sql`case when not ${hasNul} then coalesce(${sql.join(cells)}) end`;
}

/** Row numbers from 1 to `total` at equal distances. */
function spreadRows(total: number): number[] {
  const count = Math.min(total, sampledRowsMax);
  return Array.from({ length: count }, (_, at) => 1 + Math.floor((at * total) / count));
}
