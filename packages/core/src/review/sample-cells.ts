import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { RunOfRows } from '../work/runs.ts';
import { isReadable } from './stored-cells.ts';

/** As many rows as the mapper sees. */
const rowsMax = 200;
/** Rows may have a megabyte, and the sample is held in memory. The first row is returned whatever its size. */
const textBytesMax = 2 * 1024 * 1024;

/** The cells of the first current rows of an import, without ignored and damaged ones. */
export async function readSampleCells(db: Db, of: RunOfRows): Promise<string[][]> {
  const { rows } = await sql<{ cells: string[] }>`
    select cells from (
      select row, cells, sum(octet_length(cells::text)) over (order by row) as bytes from (
        select row, cells from rows
        where import_id = ${of.import_id} and run = ${of.run} and ignored is null
        order by row limit ${rowsMax}
      ) first
    ) sized where bytes <= ${textBytesMax} or row = (
      select min(row) from rows where import_id = ${of.import_id} and run = ${of.run} and ignored is null
    ) order by row`.execute(db);
  return rows.flatMap(({ cells }) => (isReadable(cells) ? [cells] : []));
}
