import type { RowValues } from '@draftshelf/domain/base/canonical-fields';
import { searchForm, searchText } from '@draftshelf/domain/base/search-text';
import { readRowValues } from '@draftshelf/domain/reading/row-values';
import { sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import { unnestRows } from '../../connection/unnest-rows.ts';
import { type RunOfRows, readParseRun } from '../../work/runs.ts';
import { overlayOf } from '../effective-rows.ts';
import type { CountedRows } from './row-filter.ts';
import { afterCursor, type Cursor, inCursorOrder, type RowSource, stepOf, windowOf } from './row-source.ts';

/** `code`: its SKU, if the trigram index cannot find it. */
export type SearchRow = { row: number; text: string; code: string | null };

/** Longer cells are not searched: they hold no UPC and no item number. */
const cellBytesMax = 1000;
const textCharsMax = 1000;

/** What a row is found by: its effective values, and the SKU and GTIN of its typed columns. */
export const searchRowOf = (
  row: number,
  values: RowValues,
  { sku, gtin }: { sku: string | null; gtin: string | null },
): SearchRow => ({ row, text: searchText(values, gtin), code: codeOf(sku) });

/** A SKU that the trigram index cannot find; null for others. */
export function codeOf(sku: string | null): string | null {
  const code = sku?.slice(0, textCharsMax) ?? null;
  return code !== null && indexPattern(searchForm(code)) === null ? code : null;
}

/** The texts that rows after a cursor are found by. Ignored rows have an empty text, which is never found. */
export async function readSearchRows(
  db: Db,
  of: RunOfRows,
  cursor: Cursor,
  limit: number,
): Promise<SearchRow[]> {
  return searchRowsWhere(db, of, sql`${afterCursor(cursor)} ${inCursorOrder(cursor)} limit ${limit}`);
}

/**
 * Postgres extracts no cell from JSON that contains a NUL or half a surrogate pair anywhere, so both are replaced.
 * Looking for an escape in the text first is much cheaper.
 */
export const readableCells = sql`
  case when strpos(rows.cells::text, '\\u') = 0 then rows.cells
    else regexp_replace(rows.cells::text, '\\\\u(0000|d[89a-f][0-9a-f]{2})', '\\\\ufffd', 'g')::json end`;

/** Reads only the few values that are searched: the cells of a record may be a megabyte. */
async function searchRowsWhere(db: Db, of: RunOfRows, which: ReturnType<typeof sql>): Promise<SearchRow[]> {
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
    if (row.ignored !== null) return { row: row.row, text: '', code: null };
    const found: string[] = [];
    for (const [at, column] of columns.entries()) found[column] = row.cells[at] ?? '';
    const values = readRowValues(found, searched);
    if (row.title !== null) values.title = row.title;
    if (row.sku !== null) values.sku = row.sku;
    if (row.vendor !== null) values.vendor = row.vendor;
    return searchRowOf(row.row, overlay(row, values).values, row);
  });
}

/** Adds rows to the search. A row that is already there has been edited since, and is kept. */
export async function addSearchRows(db: Db, of: RunOfRows, rows: readonly SearchRow[]): Promise<void> {
  await insertSearchRows(db, of, rows, sql`nothing`);
}

/** Updates the texts that rows are found by, including rows that have not been added yet: filling keeps them. */
export async function replaceSearchRows(db: Db, of: RunOfRows, rows: readonly SearchRow[]): Promise<void> {
  const differs = sql`(row_search.text, row_search.code) is distinct from (excluded.text, excluded.code)`;
  await insertSearchRows(
    db,
    of,
    rows,
    sql`update set text = excluded.text, code = excluded.code where ${differs}`,
  );
}

async function insertSearchRows(
  db: Db,
  of: RunOfRows,
  rows: readonly SearchRow[],
  onConflict: ReturnType<typeof sql>,
): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into row_search (import_id, run, row, text, code)
    select ${of.import_id}, ${of.run}, row, text, code
    from ${unnestRows('added', rows, { row: 'int', text: 'text', code: 'text' })}
    on conflict (import_id, run, row) do ${onConflict}`.execute(db);
}

/** The rows that contain a text: from the search table once it is filled, else read row by row. */
export async function searchSource(db: Db, of: CountedRows, wanted: string): Promise<RowSource> {
  const form = searchForm(wanted);
  const run = await readSearch(db, of);
  if (!run?.searchable) return rowsSource(db, of, form);
  return tableSource(db, of, form, run.indexed ? indexPattern(form) : null);
}

/** Whether the trigram index exists: the database had the extensions for it when it was migrated. */
export async function hasTrigramIndex(db: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select to_regclass('row_search_trigrams') is not null as found`.execute(db);
  return rows[0]?.found ?? false;
}

type Search = { searchable: boolean; hasCodes: boolean; indexed: boolean };

async function readSearch(db: Db, of: RunOfRows): Promise<Search | undefined> {
  const { rows } = await sql<Search>`
    select searchable, codes_searchable as "hasCodes", to_regclass('row_search_trigrams') is not null as indexed
    from runs where import_id = ${of.import_id} and stage = 'parse' and run = ${of.run}`.execute(db);
  return rows[0];
}

/** With more rows than this, reading all rows is no slower. */
const heldRowsMax = 10_000;
/** Each key is a separate search in the trigram index. */
const heldKeysMax = 50;

/**
 * A small set of rows that includes every row with one of these SKUs or GTINs. Null when the search cannot find them:
 * it is not filled yet, the trigram index does not exist, or the keys are in too many rows. SKUs without three adjacent
 * letters or digits have a column of their own.
 */
export async function rowsThatMayHold(
  db: Db,
  of: RunOfRows,
  keys: readonly string[],
): Promise<number[] | null> {
  const run = await readSearch(db, of);
  if (!run?.searchable || !run.indexed) return null;
  const cut = keys.map((key) => key.slice(0, textCharsMax));
  const patterns = cut.flatMap((key) => indexPattern(searchForm(key)) ?? []);
  const codes = cut.flatMap((key) => codeOf(key) ?? []);
  if (patterns.length > heldKeysMax || (codes.length > 0 && !run.hasCodes)) return null;
  // The index does not support `like any`.
  const holding = patterns.map((pattern) => sql`text like ${pattern}`);
  const searches = [
    ...(holding.length > 0 ? [sql`(${sql.join(holding, sql` or `)})`] : []),
    ...(codes.length > 0 ? [sql`code = any(${codes}::text[])`] : []),
  ].map(
    (which) => sql`(
      select row from row_search where import_id = ${of.import_id} and run = ${of.run} and ${which}
      limit ${sql.lit(heldRowsMax + 1)})`,
  );
  if (searches.length === 0) return [];
  const { rows } = await sql<{ row: number }>`${sql.join(searches, sql` union `)}`.execute(db);
  return rows.length > heldRowsMax ? null : rows.map(({ row }) => row);
}

/**
 * The pattern for the trigram index, or null when it has no three adjacent letters or digits and the index would return
 * every row. Pieces of three are used only when there are no longer ones, and ends of words never: they are in so many
 * rows (the 'SKU' of all SKUs) that reading their lists took most of the time, 16 of 19 ms in a million rows.
 */
export function indexPattern(form: string): string | null {
  const pieces = form.match(/[a-z0-9]{3,}/gi) ?? [];
  const long = pieces.filter((piece) => piece.length > 3);
  const asked = long.length > 0 ? long : pieces;
  return asked.length > 0 ? `%${asked.join('%')}%` : null;
}

/**
 * This many row numbers are scanned in order before the index is used: a common word fills the page from these, while
 * the index would return all of its rows to be sorted.
 */
const headRowsIndexed = 5_000;
/** Without the index, scanning is the only way. */
const headRowsUnindexed = 50_000;

/** Rows sampled to estimate how many rows contain a text. */
const sampleRows = 1_000;

/** Texts are searched with strpos, which takes a third of the time of `like`. */
function tableSource(db: Db, of: CountedRows, form: string, pattern: string | null): RowSource {
  const ofRun = sql`import_id = ${of.import_id} and run = ${of.run}`;
  const holds = sql`strpos(text, ${form}) > 0`;
  // Postgres checks the pattern against the text anyway; strpos is needed only when the pattern is not the whole form.
  const byIndex =
    pattern === `%${form}%` ? sql`text like ${pattern}` : sql`text like ${pattern} and ${holds}`;
  const headRows = pattern === null ? headRowsUnindexed : headRowsIndexed;
  return {
    async count(cursor) {
      const { within } = windowOf(cursor, sampleRows, of.total_rows);
      const { rows } = await sql<{ read: number; found: number }>`
        select count(*)::int as read, (count(*) filter (where ${holds}))::int as found
        from row_search where ${ofRun} and ${within}`.execute(db);
      const { read = 0, found = 0 } = rows[0] ?? {};
      return (found / Math.max(1, read)) * of.total_rows;
    },
    async scan(cursor, limit) {
      const head = windowOf(cursor, headRows, of.total_rows);
      const { rows: inHead } = await sql<{ row: number }>`
        select row from row_search where ${ofRun} and ${head.within} and ${holds}
        ${inCursorOrder(cursor)} limit ${limit}`.execute(db);
      const rows = inHead.map(({ row }) => row);
      if (rows.length === limit) return stepOf(rows, limit, cursor);
      if (pattern === null || head.ended) return { rows, scannedTo: head.end, ended: head.ended };
      // Materialized, so that the planner does not scan the rows in order hoping for an early match.
      const { rows: others } = await sql<{ row: number }>`
        with found as materialized (
          select row from row_search
          where ${ofRun} and ${afterCursor({ ...cursor, from: head.end })} and ${byIndex}
        )
        select row from found ${inCursorOrder(cursor)} limit ${limit - rows.length}`.execute(db);
      return stepOf([...rows, ...others.map(({ row }) => row)], limit, cursor);
    },
    async intersect(numbers) {
      const { rows } = await sql<{ row: number }>`
        select row from row_search
        where ${ofRun} and row = any(${numbers}::int[]) and ${holds}`.execute(db);
      return new Set(rows.map(({ row }) => row));
    },
  };
}

const rowsPerRead = 1_000;

function rowsSource(db: Db, of: RunOfRows, form: string): RowSource {
  const holding = (rows: readonly SearchRow[]) =>
    rows.flatMap(({ row, text }) => (text.includes(form) ? [row] : []));
  return {
    // Every other source has fewer rows to read.
    count: async () => Number.POSITIVE_INFINITY,
    async scan(cursor, limit) {
      const read = await readSearchRows(db, of, cursor, rowsPerRead);
      const rows = holding(read);
      if (rows.length >= limit) return stepOf(rows.slice(0, limit), limit, cursor);
      return { rows, scannedTo: read.at(-1)?.row ?? cursor.from, ended: read.length < rowsPerRead };
    },
    async intersect(numbers) {
      return new Set(holding(await searchRowsWhere(db, of, sql`row = any(${numbers}::int[])`)));
    },
  };
}
