import { currencyOfAmount, parseMoney } from '@draftshelf/domain/base/money';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { RunOfRows } from '../work/runs.ts';
import { ownValue } from './search/row-sql.ts';

/** This many rows are enough to judge prices and pictures, and take about 10 ms. */
export const sampledRowsMax = 1000;

/** `price`: the amount; `currency`: null if the file names none. */
export type SampleValues = { price: string | undefined; image: string | undefined; currency: string | null };

/** Some current rows without ignored ones, evenly spread over the file. `totalRows`: the number of its rows. */
export async function readSampleValues(db: Db, of: RunOfRows, totalRows: number): Promise<SampleValues[]> {
  const { rows } = await sql<Record<'price' | 'image' | 'currency', string | null>>`
    select ${ownValue('price')} as price, image, ${ownValue('currency')} as currency from rows
    where import_id = ${of.import_id} and run = ${of.run} and ignored is null
      and row = any(${spreadRows(totalRows)}::int[])
    order by row`.execute(db);
  return rows.map(({ price, image, currency }) => {
    const amount = parseMoney(price ?? '');
    return {
      price: amount?.amount,
      image: image ?? undefined,
      currency: amount && currencyOfAmount(amount, currency ?? undefined),
    };
  });
}

function spreadRows(total: number): number[] {
  const count = Math.min(total, sampledRowsMax);
  return Array.from({ length: count }, (_, at) => 1 + Math.floor((at * total) / count));
}
