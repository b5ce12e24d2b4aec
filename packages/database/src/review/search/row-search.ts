import type { RowValues } from '@draftshelf/domain/base/canonical-fields';
import { searchedFields, searchForm, searchText, wantedForm } from '@draftshelf/domain/base/search-text';
import { readRowValues } from '@draftshelf/domain/reading/row-values';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import { unnestRows } from '../../connection/unnest-rows.ts';
import { ofRun, type RunOfRows, readParseRun } from '../../work/runs.ts';
import { overlayOf } from '../effective-rows.ts';
import { lockRows } from '../rows-lock.ts';
import type { CountedRows } from './row-filter.ts';
import { afterCursor, type Cursor, inCursorOrder, type RowSource, stepOf, windowOf } from './row-source.ts';
import { blockRowsMax, mayContain, type RowText, replaceTexts, rowEnd } from './row-texts.ts';

/** Longer cells are not searched: they hold no UPC and no item number. */
const cellBytesMax = 1000;
const textCharsMax = 1000;

/** The texts that rows after a cursor are found by. */
export async function readRowTexts(db: Db, of: RunOfRows, cursor: Cursor, limit: number): Promise<RowText[]> {
  return rowTextsWhere(db, of, sql`${afterCursor(cursor)} ${inCursorOrder(cursor)} limit ${limit}`);
}

/**
 * Postgres extracts no cell from JSON that contains a NUL or half a surrogate pair anywhere, so both are replaced.
 * Looking for an escape in the text first is much cheaper.
 */
export const readableCells = sql`
  case when strpos(rows.cells::text, '\\u') = 0 then rows.cells
    else regexp_replace(rows.cells::text, '\\\\u(0000|d[89a-f][0-9a-f]{2})', '\\\\ufffd', 'g')::json end`;

/** Reads only the few values that are searched: the cells of a record may be a megabyte. */
async function rowTextsWhere(db: Db, of: RunOfRows, which: ReturnType<typeof sql>): Promise<RowText[]> {
  const { mapping } = await readParseRun(db, of);
  const { upc = [], itemNumber = [] } = mapping.sources;
  const columns = [...new Set([...upc, ...itemNumber])];
  const cells = columns.map((column) => {
    const cell = sql`readable.cells->${sql.lit(column)}`;
    return sql`case when octet_length((${cell})::text) <= ${sql.lit(cellBytesMax)} then ${cell} end`;
  });
  const { rows } = await sql<{
    row: number;
    byte_from: number;
    ignored: string | null;
    title: string | null;
    sku: string | null;
    gtin: string | null;
    vendor: string | null;
    cells: (string | null)[];
  }>`
    select row, byte_from, ignored, gtin, left(title, ${sql.lit(textCharsMax)}) as title,
      left(sku, ${sql.lit(textCharsMax)}) as sku, left(vendor, ${sql.lit(textCharsMax)}) as vendor,
      ${cells.length > 0 ? sql`json_build_array(${sql.join(cells)})` : sql`'[]'::json`} as cells
    from rows
    cross join lateral (select ${readableCells} as cells) readable
    where import_id = ${of.import_id} and run = ${of.run} and ${which}`.execute(db);
  const overlay = await overlayOf(db, of, rows);
  const searched = { ...mapping, sources: { upc, itemNumber } };
  return rows.map((row) => {
    if (row.ignored !== null) return { row: row.row, text: '' };
    const found: string[] = [];
    for (const [at, column] of columns.entries()) found[column] = row.cells[at] ?? '';
    const values: RowValues = readRowValues(found, searched);
    if (row.title !== null) values.title = row.title;
    if (row.sku !== null) values.sku = row.sku;
    if (row.vendor !== null) values.vendor = row.vendor;
    return { row: row.row, text: searchText(overlay(row, values).values, row.gtin) };
  });
}

/** Updates the texts of rows in a range for which values were found. Locks the rows if there are any. */
export async function refreshFoundTexts(
  db: Db,
  of: RunOfRows,
  range: { firstRow: number; rows: number },
): Promise<void> {
  const found = await db
    .selectFrom('found_values')
    .select('row')
    .where('import_id', '=', of.import_id)
    .where('run', '=', of.run)
    .where('row', '>=', range.firstRow)
    .where('row', '<', range.firstRow + range.rows)
    .where('field', 'in', searchedFields)
    .execute();
  if (found.length === 0) return;
  await lockRows(db, of.import_id);
  const numbers = found.map(({ row }) => row);
  await replaceTexts(db, of, await rowTextsWhere(db, of, sql`row = any(${numbers}::int[])`));
}

/** The rows that contain a text: from the stored texts, or read row by row until all are stored. */
export async function searchSource(db: Db, of: CountedRows, wanted: string): Promise<RowSource> {
  const form = wantedForm(wanted);
  return (await hasTexts(db, of)) ? textSource(db, of, form) : rowsSource(db, of, form);
}

async function hasTexts(db: Db, { import_id, run }: RunOfRows): Promise<boolean> {
  const found = await db
    .selectFrom('runs')
    .select('texts_stored')
    .where(ofRun({ import_id, stage: 'parse', run }))
    .executeTakeFirst();
  return found?.texts_stored ?? false;
}

/** With more rows than this, reading all rows is no slower. */
const heldRowsMax = 10_000;
/** Each key is compared with all signatures. */
const heldKeysMax = 50;

/**
 * A small set of rows that includes every row with one of these SKUs or GTINs. Null when the search cannot find them:
 * the texts are not stored yet, or the keys are many or in too many rows.
 */
export async function rowsThatMayHold(
  db: Db,
  of: RunOfRows,
  keys: readonly string[],
): Promise<number[] | null> {
  if (keys.length > heldKeysMax || !(await hasTexts(db, of))) return null;
  const forms = [...new Set(keys.map((key) => wantedForm(key.slice(0, textCharsMax))))];
  if (forms.length === 0) return [];
  const ofRows = sql`import_id = ${of.import_id} and run = ${of.run}`;
  const tests = forms.map(mayContain);
  const { rows: blocks } = await sql<{ row_from: number; places: number[] }>`
    select row_from, array_positions(array[${sql.join(tests)}], true) as places from row_text_signs
    where ${ofRows} and (${sql.join(tests, sql` or `)})`.execute(db);
  const pairs = blocks.flatMap(({ row_from, places }) =>
    places.map((place) => ({ block: row_from, form: forms[place - 1] ?? '' })),
  );
  const { rows } = await sql<{ row: number }>`
    select distinct row_from + place::int - 1 as row
    from ${unnestRows('pair', pairs, { block: 'int', form: 'text' })} cross join lateral (
      select row_from, text from row_texts where ${ofRows} and row_from = block and strpos(text, form) > 0 offset 0
    ) block
    cross join lateral string_to_table(block.text, ${rowEnd}) with ordinality as one (text, place)
    where strpos(one.text, form) > 0 limit ${sql.lit(heldRowsMax + 1)}`.execute(db);
  return rows.length > heldRowsMax ? null : rows.map(({ row }) => row);
}

/** So many row numbers are scanned in order before the signatures are read: a common word fills the page from these. */
const headRows = 5_000;
/** Blocks that are read after that: twice as many with each step, up to the maximum. */
const blocksPerFirstStep = 64;
const blocksPerStepMax = 1_024;

/** Rows sampled to estimate how many rows contain a text. */
const sampleRows = 1_000;

/** Each step is a statement of its own: in a joint one, the planner sorts all blocks, 420 ms for a common word. */
function textSource(db: Db, of: CountedRows, form: string): RowSource {
  const ofRows = sql`import_id = ${of.import_id} and run = ${of.run}`;
  let blocksPerStep = blocksPerFirstStep;
  let passing: number[] | undefined;

  /** The first rows of the blocks that may contain the text, in order. */
  async function passingBlocks(): Promise<number[]> {
    if (passing) return passing;
    const { rows } = await sql<{ row_from: number }>`
      select row_from from row_text_signs where ${ofRows} and ${mayContain(form)} order by row_from`.execute(
      db,
    );
    passing = rows.map(({ row_from }) => row_from);
    return passing;
  }

  async function find(
    blocks: RawBuilder<SqlBool>,
    which: RawBuilder<SqlBool>,
    { back, limit }: { back: boolean; limit: number },
  ): Promise<number[]> {
    const direction = sql.raw(back ? 'desc' : 'asc');
    const { rows } = await sql<{ row: number }>`
      select row from row_texts
      cross join lateral string_to_table(text, ${rowEnd}) with ordinality as one (row_text, place)
      cross join lateral (select row_from + place::int - 1 as row) numbered
      where ${ofRows} and ${blocks} and strpos(text, ${form}) > 0 and strpos(row_text, ${form}) > 0 and ${which}
      order by row_from ${direction}, place ${direction} limit ${limit}`.execute(db);
    return rows.map(({ row }) => row);
  }

  const among = (blocks: readonly number[]) => sql<SqlBool>`row_from = any(${blocks}::int[])`;
  const within = ({ first, last }: { first: number; last: number }) =>
    sql<SqlBool>`row_from > ${first - blockRowsMax} and row_from <= ${last}`;

  return {
    async count(cursor) {
      const { rows } = await sql<{ read: number; found: number }>`
        select coalesce(sum(row_to - row_from + 1), 0)::int as read, coalesce(sum((
            select count(*) from string_to_table(text, ${rowEnd}) as one (row_text) where strpos(row_text, ${form}) > 0
          )), 0)::int as found
        from row_texts where ${ofRows} and ${within(windowOf(cursor, sampleRows, of.total_rows))}`.execute(
        db,
      );
      const { read = 0, found = 0 } = rows[0] ?? {};
      return (found / Math.max(1, read)) * of.total_rows;
    },
    async scan(cursor, limit) {
      if (passing === undefined) {
        const head = windowOf(cursor, headRows, of.total_rows);
        const rows = await find(within(head), head.within, { ...cursor, limit });
        if (rows.length === limit) return stepOf(rows, limit, cursor);
        if (!head.ended) await passingBlocks();
        return { rows, scannedTo: head.end, ended: head.ended };
      }
      const ahead = cursor.back
        ? passing.filter((first) => first < cursor.from).reverse()
        : passing.slice(
            Math.max(
              0,
              passing.findLastIndex((first) => first <= cursor.from),
            ),
          );
      const blocks = ahead.slice(0, blocksPerStep);
      blocksPerStep = Math.min(2 * blocksPerStep, blocksPerStepMax);
      const rows = await find(among(blocks), afterCursor(cursor), { ...cursor, limit });
      if (rows.length === limit) return stepOf(rows, limit, cursor);
      const next = ahead[blocks.length];
      if (next === undefined) return { rows, scannedTo: cursor.from, ended: true };
      return { rows, scannedTo: cursor.back ? (blocks.at(-1) ?? next) : next - 1, ended: false };
    },
    async intersect(numbers) {
      const all = await passingBlocks();
      const blocks = new Set<number>();
      let at = 0;
      for (const row of numbers.toSorted((a, b) => a - b)) {
        while ((all[at + 1] ?? Number.POSITIVE_INFINITY) <= row) at += 1;
        const first = all[at] ?? row + 1;
        if (first <= row && row < first + blockRowsMax) blocks.add(first);
      }
      const which = sql<SqlBool>`row = any(${numbers}::int[])`;
      return new Set(await find(among([...blocks]), which, { back: false, limit: numbers.length }));
    },
  };
}

const rowsPerRead = 1_000;

function rowsSource(db: Db, of: RunOfRows, form: string): RowSource {
  const holding = (rows: readonly RowText[]) =>
    rows.flatMap(({ row, text }) => (searchForm(text).includes(form) ? [row] : []));
  return {
    // Every other source has fewer rows to read.
    count: async () => Number.POSITIVE_INFINITY,
    async scan(cursor, limit) {
      const read = await readRowTexts(db, of, cursor, rowsPerRead);
      const rows = holding(read);
      if (rows.length >= limit) return stepOf(rows.slice(0, limit), limit, cursor);
      return { rows, scannedTo: read.at(-1)?.row ?? cursor.from, ended: read.length < rowsPerRead };
    },
    async intersect(numbers) {
      return new Set(holding(await rowTextsWhere(db, of, sql`row = any(${numbers}::int[])`)));
    },
  };
}
