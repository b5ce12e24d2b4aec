import type { RowClass } from '@draftshelf/domain/row-rule';
import { sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import type { ImportRecord } from '../../schema.ts';
import { issuesOf, type RowFacet } from '../row-facets.ts';
import { afterCursor, type Cursor, inCursorOrder, type RowSource, stepOf, windowOf } from './row-source.ts';

type RowsOf = Pick<ImportRecord, 'id' | 'rows_run' | 'total_rows'>;

export type RowFilter = {
  class?: RowClass | undefined;
  /** A code of the domain's rowIssues, 'duplicate', or 'any' of these. */
  issue?: string | undefined;
};

/** How many rows match a filter, by the stored counts. */
export function countMatching(facets: readonly RowFacet[], filter: RowFilter): number {
  const matching = facets.filter(
    (facet) => meetsClass(facet, filter.class) && meetsIssue(facet, filter.issue),
  );
  return matching.reduce((sum, facet) => sum + facet.rows, 0);
}

function meetsClass(facet: RowFacet, wanted: RowClass | undefined): boolean {
  return wanted === undefined || facet.class === wanted;
}

function meetsIssue(facet: RowFacet, wanted: string | undefined): boolean {
  if (wanted === undefined) return true;
  if (facet.class === 'ignored') return false;
  if (wanted === 'duplicate') return facet.duplicate;
  if (wanted === 'any') return facet.duplicate || facet.issues !== '';
  return issuesOf(facet).includes(wanted);
}

/** The conditions of a filter as sources. Each reads a few ranges of an index. */
export function filterSources(
  db: Db,
  record: RowsOf,
  facets: readonly RowFacet[],
  filter: RowFilter,
): RowSource[] {
  const { issue } = filter;
  if (issue === 'duplicate' || issue === 'any') {
    const found =
      issue === 'any' ? facets.filter((facet) => facet.class !== 'ignored' && facet.issues !== '') : [];
    const sources = [findingSource(db, record, found, countMatching(facets, { issue }))];
    if (filter.class === undefined) return sources;
    return [...sources, ...filterSources(db, record, facets, { class: filter.class })];
  }
  if (filter.class === undefined && issue === undefined) return [];
  const wanted = facets.filter((facet) => meetsClass(facet, filter.class) && meetsIssue(facet, issue));
  return [facetSource(db, record, wanted, countMatching(facets, filter))];
}

/** Rows without a flag have no index of their own, so a step scans this many rows for them. */
const cleanRowsPerStep = 50_000;

/** The rows of some facets: one range of rows_flagged each, and the primary key for rows without a flag. */
function facetSource(db: Db, record: RowsOf, facets: readonly RowFacet[], count: number): RowSource {
  const flagged = facets.filter((facet) => facet.class !== 'valid' || facet.issues !== '');
  const withClean = flagged.length < facets.length;
  return {
    count: async () => count,
    async scan(cursor, limit) {
      if (!withClean) {
        const query = flaggedRows(record, flagged, cursor, limit);
        return stepOf(await numbersOf(db, query, cursor, limit), limit, cursor);
      }
      const { end, ended, within } = windowOf(cursor, cleanRowsPerStep, record.total_rows);
      const clean = sql`
        (select row from rows
        where import_id = ${record.id} and run = ${record.rows_run} and ${within}
          and class = 'valid' and issues is null and ignored is null
        ${inCursorOrder(cursor)} limit ${limit})`;
      const both = sql`${clean} union all (select row from (${flaggedRows(record, flagged, cursor, limit)}) flagged where ${within})`;
      const rows = await numbersOf(db, both, cursor, limit);
      if (rows.length === limit) return stepOf(rows, limit, cursor);
      return { rows, scannedTo: end, ended };
    },
    async intersect(numbers) {
      const { rows } = await sql<{ row: number }>`
        select row from rows
        where import_id = ${record.id} and run = ${record.rows_run} and row = any(${numbers}::int[])
          and ignored is null and (class, coalesce(issues::text, '')) in (${listed(facets)})`.execute(db);
      return new Set(rows.map(({ row }) => row));
    },
  };
}

/** Rows with findings across rows, and the rows of some facets. */
function findingSource(db: Db, record: RowsOf, facets: readonly RowFacet[], count: number): RowSource {
  return {
    count: async () => count,
    async scan(cursor, limit) {
      const findings = sql`
        (select distinct row from row_findings
        where import_id = ${record.id} and run = ${record.rows_run} and ${afterCursor(cursor)} ${inCursorOrder(cursor)} limit ${limit})`;
      const both = sql`${findings} union (${flaggedRows(record, facets, cursor, limit)})`;
      return stepOf(await numbersOf(db, both, cursor, limit), limit, cursor);
    },
    async intersect(numbers) {
      const { rows } = await sql<{ row: number }>`
        select row from row_findings
        where import_id = ${record.id} and run = ${record.rows_run} and row = any(${numbers}::int[])
        union
        select row from rows
        where import_id = ${record.id} and run = ${record.rows_run} and row = any(${numbers}::int[])
          and ignored is null and (class, coalesce(issues::text, '')) in (${listed(facets)})`.execute(db);
      return new Set(rows.map(({ row }) => row));
    },
  };
}

/** Repeats the condition of the partial index, because Postgres does not use the index otherwise. */
function flaggedRows(record: RowsOf, facets: readonly RowFacet[], cursor: Cursor, limit: number) {
  return sql`
    select found.row from (${listed(facets)}) wanted(class, issues)
    cross join lateral (
      select row from rows
      where import_id = ${record.id} and run = ${record.rows_run} and ${afterCursor(cursor)}
        and rows.class = wanted.class and coalesce(rows.issues::text, '') = wanted.issues
        and ignored is null and (rows.class <> 'valid' or rows.issues is not null)
      ${inCursorOrder(cursor)} limit ${limit}
    ) found`;
}

function listed(facets: readonly RowFacet[]) {
  const pairs = new Map(facets.map((facet) => [`${facet.class} ${facet.issues}`, facet]));
  const of = [...pairs.values()];
  return sql`select * from unnest(${of.map((facet) => facet.class)}::text[], ${of.map((facet) => facet.issues)}::text[])`;
}

async function numbersOf(
  db: Db,
  query: ReturnType<typeof sql>,
  cursor: Cursor,
  limit: number,
): Promise<number[]> {
  const { rows } = await sql<{ row: number }>`
    select row from (${query}) numbers ${inCursorOrder(cursor)} limit ${limit}`.execute(db);
  return rows.map(({ row }) => row);
}
