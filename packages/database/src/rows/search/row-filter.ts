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

/** How many rows meet a filter, by the counts that are kept. */
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

/** The conditions of a filter as sources, each of which is a few ranges of an index. */
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

/** Rows without a flag are in no index of their own; so many are looked at in a step. */
const cleanRowsPerStep = 50_000;

/** The rows of some facets: one range of rows_flagged each, and the primary key for those without any flag. */
function facetSource(db: Db, record: RowsOf, facets: readonly RowFacet[], count: number): RowSource {
  const flagged = facets.filter((facet) => facet.class !== 'valid' || facet.issues !== '');
  const withClean = flagged.length < facets.length;
  return {
    count: async () => count,
    async walk(way, limit) {
      if (!withClean)
        return stepOf(await numbersOf(db, flaggedRows(record, flagged, way, limit), way, limit), limit, way);
      const { end, ended, within } = windowOf(way, cleanRowsPerStep, record.total_rows);
      const clean = sql`
        (select row from rows
        where import_id = ${record.id} and run = ${record.rows_run} and ${within}
          and class = 'valid' and issues is null and ignored is null
        ${inCursorOrder(way)} limit ${limit})`;
      const both = sql`${clean} union all (select row from (${flaggedRows(record, flagged, way, limit)}) flagged where ${within})`;
      const rows = await numbersOf(db, both, way, limit);
      if (rows.length === limit) return stepOf(rows, limit, way);
      return { rows, reached: end, ended };
    },
    async among(numbers) {
      const { rows } = await sql<{ row: number }>`
        select row from rows
        where import_id = ${record.id} and run = ${record.rows_run} and row = any(${numbers}::int[])
          and ignored is null and (class, coalesce(issues::text, '')) in (${listed(facets)})`.execute(db);
      return new Set(rows.map(({ row }) => row));
    },
  };
}

/** Rows with findings across rows, and those of some facets beside. */
function findingSource(db: Db, record: RowsOf, facets: readonly RowFacet[], count: number): RowSource {
  return {
    count: async () => count,
    async walk(way, limit) {
      const findings = sql`
        (select distinct row from row_findings
        where import_id = ${record.id} and run = ${record.rows_run} and ${afterCursor(way)} ${inCursorOrder(way)} limit ${limit})`;
      const both = sql`${findings} union (${flaggedRows(record, facets, way, limit)})`;
      return stepOf(await numbersOf(db, both, way, limit), limit, way);
    },
    async among(numbers) {
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

/** The condition of the partial index is spelled out, because Postgres uses it for nothing less. */
function flaggedRows(record: RowsOf, facets: readonly RowFacet[], way: Cursor, limit: number) {
  return sql`
    select found.row from (${listed(facets)}) wanted(class, issues)
    cross join lateral (
      select row from rows
      where import_id = ${record.id} and run = ${record.rows_run} and ${afterCursor(way)}
        and rows.class = wanted.class and coalesce(rows.issues::text, '') = wanted.issues
        and ignored is null and (rows.class <> 'valid' or rows.issues is not null)
      ${inCursorOrder(way)} limit ${limit}
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
  way: Cursor,
  limit: number,
): Promise<number[]> {
  const { rows } = await sql<{ row: number }>`
    select row from (${query}) numbers ${inCursorOrder(way)} limit ${limit}`.execute(db);
  return rows.map(({ row }) => row);
}
