import { currencyOfAmount, parseMoney } from '@draftshelf/domain/base/money';
import type { Db } from '../connection/database.ts';
import { queryRows } from '../connection/query-rows.ts';
import type { RunOfRows } from '../work/runs.ts';
import { ownValue } from './search/row-sql.ts';
import { isTextArray } from './stored-cells.ts';

/** Rows of a sample. They are enough to judge prices and pictures, and take about 10 ms to read. */
export const sampledRowsMax = 1000;

/** `price`: the amount without its currency. `currency`: null if the file names no currency. */
export type SampleValues = { price: string | undefined; image: string | undefined; currency: string | null };

/** Reads rows spread evenly over the file, except ignored rows. `totalRows`: the number of rows in the file. */
export async function readSampleValues(db: Db, of: RunOfRows, totalRows: number): Promise<SampleValues[]> {
  const rows = await queryRows<Record<'price' | 'image' | 'currency', string | null>>(db)`
    select ${ownValue('price')} as price, image, ${ownValue('currency')} as currency from rows
    where import_id = ${of.import_id} and run = ${of.run} and ignored is null
      and row = any(${spreadRows(totalRows)}::int[])
    order by row`;
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

/** Maximum number of rows in a sample of cells, the same as in the mapper. */
const rowsMax = 200;
/** Maximum bytes of a sample in memory. A row may have a megabyte, so the first row is returned whatever its size. */
const textBytesMax = 2 * 1024 * 1024;

/** Reads the cells of the first rows of a run, without ignored and damaged rows. */
export async function readSampleCells(db: Db, of: RunOfRows): Promise<string[][]> {
  const rows = await queryRows<{ cells: string[] }>(db)`
    select cells from (
      select row, cells, sum(octet_length(cells::text)) over (order by row) as bytes from (
        select row, cells from rows
        where import_id = ${of.import_id} and run = ${of.run} and ignored is null
        order by row limit ${rowsMax}
      ) first
    ) sized where bytes <= ${textBytesMax} or row = (
      select min(row) from rows where import_id = ${of.import_id} and run = ${of.run} and ignored is null
    ) order by row`;
  return rows.flatMap(({ cells }) => (isTextArray(cells) ? [cells] : []));
}
