import { parseFieldValue } from '@draftshelf/domain/base/field-value';
import type { RowChange } from '@draftshelf/domain/suppliers/list';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import type { ImportRecord } from '../../connection/schema.ts';
import { currentRows, type RunOfRows } from '../../work/runs.ts';
import { type EffectiveRow, readRowsByNumber } from '../effective-rows.ts';
import { countShown, hasOneRowEach, type RowFacet, readFacets } from '../row-facets.ts';
import { entriesReader } from './read-entries.ts';
import { countMatching, isCounted, matchingRows, type RowFilter, rowsWithValue } from './row-filter.ts';

export type RowQuery = RowFilter & {
  /** The rows after this number, … */
  after?: number | undefined;
  /** … or the last ones before this one. */
  before?: number | undefined;
  limit: number;
};

export type RowPage = {
  rows: EffectiveRow[];
  /**
   * Whether there are matching rows before and after these. In a search, and with an outcome or a value, `earlier`
   * means that there may be some.
   */
  earlier: boolean;
  later: boolean;
  /** The row up to which a search has scanned when its time ran out before the page was full, else null. */
  searchedTo: number | null;
  /**
   * Number of rows that match the filter; null for a search, an outcome and a value, which count none, and for a change
   * together with another filter.
   */
  matching: number | null;
  /** Number of rows that the import shows in total. */
  totalRows: number;
};

/** A search that has not filled its page after this time returns what it has found. */
const searchMsMax = 500;

/** One page of an import's current rows by class, issue, value, outcome and search, always in row order. */
export async function readPage(
  db: Db,
  record: ImportRecord,
  facets: readonly RowFacet[],
  query: RowQuery,
): Promise<RowPage> {
  const of = currentRows(record);
  const totalRows = countShown(record, facets);
  const ofChange = query.change === undefined ? undefined : await countChanged(db, of, query.change);
  const matching = ofChange === 0 ? 0 : countMatching(facets, query);
  const isSearched = !isCounted({ ...query, change: undefined });
  const isOneFilter = query.class === undefined && query.issue === undefined;
  const shown = isCounted(query) ? matching : (isOneFilter && !isSearched && ofChange) || null;
  if (matching === 0 || (query.outcome !== undefined && record[query.outcome] === 0)) {
    const none = isSearched ? null : 0;
    return { rows: [], earlier: false, later: false, searchedTo: null, matching: none, totalRows };
  }
  const search = await searchOf(db, record, query, totalRows);
  const { limit, before, after = 0 } = query;
  // What is counted is found to the end.
  const msMax = isCounted(query) ? Number.POSITIVE_INFINITY : searchMsMax;
  const backward =
    before === undefined ? undefined : await collect(search, { from: before, back: true }, limit, msMax);
  // A backward page that reaches the first row is read forward instead, so that it is as full as any other.
  const isBackward = backward?.more ?? false;
  const from = before === undefined ? after : 0;
  const page = backward?.more ? backward : await collect(search, { from, back: false }, limit, msMax);
  const anyBefore = async () => (await collect(search, { from: from + 1, back: true }, 0, msMax)).more;
  return {
    rows: await readRowsByNumber(db, of, page.rows),
    earlier: isBackward || (from > 0 && (!isCounted(query) || (await anyBefore()))),
    later: isBackward || page.more,
    searchedTo: page.searchedTo,
    matching: shown,
    totalRows,
  };
}

/** How many rows of a run have this change. */
export async function countChanged(
  db: Db,
  { import_id, run }: RunOfRows,
  change: RowChange,
): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select coalesce(sum(bit_count(rows)), 0)::int as rows from change_bitmaps
    where import_id = ${import_id} and run = ${run} and change = ${change}`.execute(db);
  return rows[0]?.rows ?? 0;
}

/**
 * The numbers of the first rows after `after` that match a filter, at most `limit`, read for about `msMax`. `next`: the
 * row after which to go on; null: there are no more.
 */
export async function findMatching(
  db: Db,
  record: ImportRecord,
  filter: RowFilter,
  { after, limit, msMax }: { after: number; limit: number; msMax: number },
): Promise<{ rows: number[]; next: number | null }> {
  const facets = await readFacets(db, currentRows(record));
  if (countMatching(facets, filter) === 0) return { rows: [], next: null };
  const search = await searchOf(db, record, filter, countShown(record, facets));
  const { rows, more, searchedTo } = await collect(search, { from: after, back: false }, limit, msMax);
  return { rows, next: more ? (searchedTo ?? rows.at(-1) ?? after) : null };
}

/** The rows among these that match a filter. */
export async function findAmong(
  db: Db,
  record: ImportRecord,
  filter: RowFilter,
  numbers: readonly number[],
): Promise<Set<number>> {
  const { find, withValue } = await searchOf(db, record, filter, 0);
  return new Set(await withValue(await find(sql`row = any(${numbers}::int[])`)));
}

/** Finds rows that match a filter but for a value, and those of them that have the value, in their order. */
type Search = {
  find: (which: RawBuilder<unknown>) => Promise<number[]>;
  withValue: (rows: number[]) => Promise<number[]>;
  /** Rows that are looked through for the value at a time; null: no value is looked for. */
  rowsPerStep: number | null;
  lastRow: number;
};

/** Values of so many rows are read in about 15 ms. */
const valuesPerStep = 2_000;

async function searchOf(db: Db, record: ImportRecord, filter: RowFilter, lastRow: number): Promise<Search> {
  const of = { ...currentRows(record), oneRowEach: hasOneRowEach(record) };
  const value = parseFieldValue(filter.value ?? '');
  const mayHaveValue = value === null ? sql`true` : await rowsWithValue(db, of, value);
  const matching = sql`${matchingRows(of, filter)} and ${mayHaveValue}`;
  const readEntries = value && (await entriesReader(db, of, value.field));
  return {
    async find(which) {
      const { rows } = await sql<{ row: number }>`
        select row from rows where ${matching} and ${which}`.execute(db);
      return rows.map(({ row }) => row);
    },
    async withValue(rows) {
      if (readEntries === null || rows.length === 0) return rows;
      const read = await readEntries(sql<SqlBool>`row = any(${rows}::int[])`);
      // A list may also be named as it is written.
      const has = read.filter(
        (one) => one.value === value?.value || one.entries.includes(value?.value ?? ''),
      );
      const found = new Set(has.map(({ row }) => row));
      return rows.filter((row) => found.has(row));
    },
    rowsPerStep: readEntries && valuesPerStep,
    lastRow,
  };
}

/** Rows that one statement reads: it takes about 100 ms. */
const rowsPerStatement = 250_000;

/** A place in the order of rows, without the row itself, and the direction from there. */
type Cursor = { from: number; back: boolean };

/** The first `limit` rows of a search, and whether there are, or may be, more. */
async function collect(
  { find, withValue, rowsPerStep, lastRow }: Search,
  { from, back }: Cursor,
  limit: number,
  msMax: number,
) {
  const deadline = performance.now() + msMax;
  const found: number[] = [];
  const end = back ? 0 : lastRow + 1;
  let at = back ? Math.min(from, lastRow + 1) : Math.min(from, lastRow);
  while (found.length <= limit && (back ? at > end + 1 : at < lastRow)) {
    if (performance.now() > deadline) return { rows: found, more: true, searchedTo: at };
    const step = rowsPerStep ?? limit + 1 - found.length;
    const to = back ? Math.max(at - rowsPerStatement, 1) : Math.min(at + rowsPerStatement, lastRow);
    const rows = await find(
      back
        ? sql`row >= ${to} and row < ${at} order by row desc limit ${step}`
        : sql`row > ${at} and row <= ${to} order by row limit ${step}`,
    );
    found.push(...(await withValue(rows)));
    at = rows.length < step ? to : (rows.at(-1) ?? to);
  }
  return { rows: found.slice(0, limit), more: found.length > limit, searchedTo: null };
}
