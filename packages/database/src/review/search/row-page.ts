import { parseFieldValue } from '@draftshelf/domain/base/field-value';
import type { Outcome } from '@draftshelf/domain/imports/outcome';
import type { RowChange } from '@draftshelf/domain/suppliers/list';
import { sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import type { ImportRecord } from '../../connection/schema.ts';
import { currentRows } from '../../work/runs.ts';
import { type EffectiveRow, readRowsByNumber } from '../effective-rows.ts';
import { countShown, hasOneRowEach, type RowFacet, readFacets } from '../row-facets.ts';
import { changeSource, countChanged } from './change-source.ts';
import { outcomeSource } from './outcome-source.ts';
import { type CountedRows, countMatching, filterSources, type RowFilter } from './row-filter.ts';
import { searchSource } from './row-search.ts';
import { afterCursor, type Cursor, inCursorOrder, type RowSource, stepOf } from './row-source.ts';
import { valueSources } from './value-source.ts';

export type RowQuery = RowFilter & {
  /** The rows after this number, … */
  after?: number | undefined;
  /** … or the last ones before this one. */
  before?: number | undefined;
  limit: number;
  /** What the last push did with the row's product. */
  outcome?: Outcome | undefined;
  /** How the row differs from the supplier's earlier list, or that values of that were carried into it. */
  change?: RowChange | undefined;
  /** Part of a title, SKU, UPC, vendor or item number; without regard to case. */
  q?: string | undefined;
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
  const counted = { ...of, total_rows: totalRows };
  const ofChange = query.change === undefined ? undefined : await countChanged(db, counted, query.change);
  const matching = ofChange === 0 ? 0 : countMatching(facets, query);
  const isSearched = [query.q, query.outcome, query.value].some((given) => given !== undefined);
  const isCounted = !isSearched && ofChange === undefined;
  const isOneFilter = query.class === undefined && query.issue === undefined;
  const shown = isCounted ? matching : (isOneFilter && !isSearched && ofChange) || null;
  if (matching === 0 || (query.outcome !== undefined && record[query.outcome] === 0)) {
    const none = isSearched ? null : 0;
    return { rows: [], earlier: false, later: false, searchedTo: null, matching: none, totalRows };
  }
  const ofOutcome = productsOf(record, query);
  const oneRowEach = hasOneRowEach(record);
  const sources = await sourcesOf(db, counted, facets, { ...query, ofOutcome, ofChange, oneRowEach });
  const { limit, before, after = 0 } = query;
  const backward =
    before === undefined ? undefined : await collect(sources, { from: before, back: true }, limit);
  // A backward page that reaches the first row is read forward instead, so that it is as full as any other.
  const isBackward = backward?.more ?? false;
  const from = before === undefined ? after : 0;
  const page = backward?.more ? backward : await collect(sources, { from, back: false }, limit);
  return {
    rows: await readRowsByNumber(db, of, page.rows),
    earlier: isBackward || (from > 0 && (!isCounted || (await anyUpTo(sources, from)))),
    later: isBackward || page.more,
    searchedTo: page.searchedTo,
    matching: shown,
    totalRows,
  };
}

/**
 * The numbers of the first rows after `after` that match a filter, at most `limit`, read for about `msMax`. `next`: the
 * row after which to go on; null: there are no more.
 */
export async function findMatching(
  db: Db,
  record: ImportRecord,
  query: RowFilter & Pick<RowQuery, 'q' | 'outcome' | 'change'>,
  { after, limit, msMax }: { after: number; limit: number; msMax: number },
): Promise<{ rows: number[]; next: number | null }> {
  const of = currentRows(record);
  const facets = await readFacets(db, of);
  if (countMatching(facets, query) === 0) return { rows: [], next: null };
  const counted = { ...of, total_rows: countShown(record, facets) };
  const sources = await sourcesOf(db, counted, facets, {
    ...query,
    limit,
    ofChange: query.change && (await countChanged(db, counted, query.change)),
    ofOutcome: productsOf(record, query),
    oneRowEach: hasOneRowEach(record),
  });
  const { rows, more, searchedTo } = await collect(sources, { from: after, back: false }, limit, msMax);
  return { rows, next: more ? (searchedTo ?? rows.at(-1) ?? after) : null };
}

/** Products of the outcome that is filtered by. */
const productsOf = (record: ImportRecord, { outcome }: { outcome?: Outcome | undefined }): number =>
  outcome === undefined ? 0 : record[outcome];

async function anyUpTo(sources: readonly RowSource[], row: number): Promise<boolean> {
  return (await collect(sources, { from: row + 1, back: true }, 0)).more;
}

async function sourcesOf(
  db: Db,
  of: CountedRows,
  facets: readonly RowFacet[],
  {
    oneRowEach,
    ofChange,
    ...query
  }: RowQuery & { ofOutcome: number; ofChange?: number | undefined; oneRowEach: boolean },
): Promise<RowSource[]> {
  const sources = filterSources(db, of, facets, query);
  if (query.change !== undefined) sources.push(changeSource(db, of, query.change, ofChange ?? 0));
  if (query.outcome !== undefined) sources.push(outcomeSource(db, of, query.outcome, query.ofOutcome));
  if (query.q !== undefined) sources.push(await searchSource(db, of, query.q));
  const value = parseFieldValue(query.value ?? '');
  if (value !== null) sources.push(...(await valueSources(db, { ...of, oneRowEach }, value)));
  if (sources.length === 0) sources.push(allRows(db, of));
  return sources;
}

/** The smallest source is scanned, and its rows are intersected with the others. */
async function smallestFirst(sources: readonly RowSource[], cursor: Cursor): Promise<readonly RowSource[]> {
  if (sources.length === 1) return sources;
  const counted: { source: RowSource; count: number }[] = [];
  for (const source of sources) counted.push({ source, count: await source.count(cursor) });
  return counted.sort((a, b) => a.count - b.count).map(({ source }) => source);
}

/** Rows of the scanned source that are intersected at once: twice as many with each step, up to the maximum. */
const rowsPerFirstStep = 100;
const rowsPerStepMax = 5_000;

/** Scans for the first `limit` rows that are in every source, and whether there are, or may be, more. */
async function collect(sources: readonly RowSource[], cursor: Cursor, limit: number, msMax = searchMsMax) {
  const [scanned, ...others] = await smallestFirst(sources, cursor);
  if (!scanned) throw new Error('There is no source to scan');
  const deadline = performance.now() + msMax;
  const found: number[] = [];
  let from = cursor.from;
  let rowsPerStep = rowsPerFirstStep;
  for (let ended = false; !ended && found.length <= limit; ) {
    if (performance.now() > deadline) return { rows: found, more: true, searchedTo: from };
    const wanted = others.length > 0 ? rowsPerStep : limit + 1 - found.length;
    rowsPerStep = Math.min(2 * rowsPerStep, rowsPerStepMax);
    const step = await scanned.scan({ ...cursor, from }, wanted);
    let rows = step.rows;
    for (const other of others) {
      if (rows.length === 0) break;
      const matching = await other.intersect(rows);
      rows = rows.filter((row) => matching.has(row));
    }
    found.push(...rows);
    ({ scannedTo: from, ended } = step);
  }
  return { rows: found.slice(0, limit), more: found.length > limit, searchedTo: null };
}

function allRows(db: Db, of: CountedRows): RowSource {
  return {
    count: async () => of.total_rows,
    async scan(cursor, limit) {
      const { rows } = await sql<{ row: number }>`
        select row from rows where import_id = ${of.import_id} and run = ${of.run} and ${afterCursor(cursor)}
        ${inCursorOrder(cursor)} limit ${limit}`.execute(db);
      return stepOf(
        rows.map(({ row }) => row),
        limit,
        cursor,
      );
    },
    // This source is used only when there is no other one.
    intersect: async (rows) => new Set(rows),
  };
}
