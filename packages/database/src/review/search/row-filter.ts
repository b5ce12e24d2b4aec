import { consequenceFilters, issueConsequence } from '@draftshelf/domain/review/issues';
import { type ClassFilter, classesOf } from '@draftshelf/domain/review/row-rule';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import type { FacetIssue, ImportRecord } from '../../connection/schema.ts';
import type { RunOfRows } from '../../work/runs.ts';
import { blockOf, rowsInBitmap, rowsPerBlock } from '../row-bitmaps.ts';
import type { RowFacet } from '../row-facets.ts';
import { afterCursor, inCursorOrder, type RowSource, stepOf, unionOf, without } from './row-source.ts';

/** The rows of a run, and how many there are. */
export type CountedRows = RunOfRows & Pick<ImportRecord, 'total_rows'>;

export type RowFilter = {
  class?: ClassFilter | undefined;
  issue?: Exclude<FacetIssue, ''> | undefined;
  /** A field and its value, as one text (see parseFieldValue). No bitmaps have it. */
  value?: string | undefined;
};

/** Rows that need nobody, whatever their class is: no row is both. */
const needNobody = ['left-out', 'parent-without-price'] as const satisfies readonly FacetIssue[];

/** Whether rows of the filter's classes that need nobody do not match it. */
const isOfNeedy = ({ class: ofClass, issue }: RowFilter): boolean =>
  ofClass === 'needs-you' && issue === undefined;

/** Number of rows that match a filter, by the stored counts. */
export function countMatching(facets: readonly RowFacet[], filter: RowFilter): number {
  const classes: readonly string[] | undefined = filter.class && classesOf(filter.class);
  const count = (issue: FacetIssue) =>
    facets
      .filter((facet) => facet.issue === issue && (classes === undefined || classes.includes(facet.class)))
      .reduce((sum, facet) => sum + facet.rows, 0);
  const all = count(filter.issue ?? '');
  return isOfNeedy(filter) ? needNobody.reduce((rows, issue) => rows - count(issue), all) : all;
}

/** SQL: the bitmaps that a filter by class and issue needs, and of those of a block the bits of rows that match it. */
export function filteredBitmaps(of: RunOfRows, filter: RowFilter) {
  const { class: ofClass, issue } = filter;
  const classes = ofClass === undefined ? sql`true` : sql`class = any(${classesOf(ofClass)}::text[])`;
  const ofRun = sql`import_id = ${of.import_id} and run = ${of.run} and ${classes} and bit_count(rows) > 0`;
  if (!isOfNeedy(filter)) {
    return { wanted: sql`${ofRun} and issue = ${issue ?? ''}`, rows: sql`bit_or(rows)` };
  }
  return {
    wanted: sql`${ofRun} and issue = any(${['', ...needNobody]}::text[])`,
    rows: sql`(bit_or(rows) filter (where issue = '')
      & ~coalesce(bit_or(rows) filter (where issue <> ''), 0::bit(${sql.lit(rowsPerBlock)})))`,
  };
}

/** Filters by issue whose rows include duplicates, which have no bitmaps. */
const includesDuplicates: ReadonlySet<FacetIssue> = new Set([
  'duplicate',
  'any',
  ...consequenceFilters.filter((name) => name === issueConsequence('duplicate')),
]);

/** Whether all rows that match a filter are in the bitmaps. */
export function isInBitmaps(facets: readonly RowFacet[], { issue, value }: RowFilter): boolean {
  if (value !== undefined) return false;
  const mayBeDuplicates = issue !== undefined && includesDuplicates.has(issue);
  return !mayBeDuplicates || countMatching(facets, { issue: 'duplicate' }) === 0;
}

/** The conditions of a filter by class and issue as sources. */
export function filterSources(
  db: Db,
  of: CountedRows,
  facets: readonly RowFacet[],
  { class: ofClass, issue }: Omit<RowFilter, 'value'>,
): RowSource[] {
  const filter = { class: ofClass, issue };
  if (ofClass === undefined && issue === undefined) return [];
  if (isInBitmaps(facets, filter)) {
    return [bitmapSource(db, of, filter, countMatching(facets, filter))];
  }
  const duplicateRows = countedDuplicates(db, of, facets);
  const all = countMatching(facets, { issue });
  const found =
    issue === 'duplicate' ? duplicateRows : unionOf(all, duplicateRows, bitmapSource(db, of, { issue }, all));
  return [found, ...filterSources(db, of, facets, { class: ofClass })];
}

/** The rows of one or more classes, with an issue of their own, or both: one range of the bitmaps' primary key. */
function bitmapSource(db: Db, of: CountedRows, filter: RowFilter, count: number): RowSource {
  const { wanted, rows: matching } = filteredBitmaps(of, filter);
  return sourceOfBitmaps(of, count, async (which, order) => {
    const { rows } = await sql<Bitmap>`
      select block, ${matching} as rows from row_bitmaps where ${wanted} and ${which}
      group by block having bit_count(${matching}) > 0 ${order}`.execute(db);
    return rows;
  });
}

type Bitmap = { block: number; rows: string };

/** The `count` rows of some bitmaps. `readBitmaps` reads those of some blocks, each with at least one row. */
export function sourceOfBitmaps(
  of: CountedRows,
  count: number,
  readBitmaps: (which: RawBuilder<unknown>, order: RawBuilder<unknown>) => Promise<Bitmap[]>,
): RowSource {
  return {
    count: async () => count,
    async scan({ from, back }, limit) {
      const blocks = Math.min(limit, Math.ceil((limit * of.total_rows) / (count * rowsPerBlock))) + 1;
      const which = back ? sql`block <= ${blockOf(from)}` : sql`block >= ${blockOf(from)}`;
      const order = sql`order by block ${back ? sql`desc` : sql``} limit ${blocks}`;
      const bitmaps = await readBitmaps(which, order);
      const inOrder = bitmaps.flatMap((bitmap) => {
        const found = rowsInBitmap(bitmap);
        return back ? found.reverse() : found;
      });
      const rows = inOrder.filter((row) => (back ? row < from : row > from)).slice(0, limit);
      if (rows.length === limit) return stepOf(rows, limit, { from, back });
      const last = bitmaps.at(-1)?.block ?? 0;
      const scannedTo = back ? last * rowsPerBlock : (last + 1) * rowsPerBlock - 1;
      return { rows, scannedTo, ended: bitmaps.length < blocks };
    },
    async intersect(numbers) {
      const blocks = [...new Set(numbers.map(blockOf))];
      const bitmaps = await readBitmaps(sql`block = any(${blocks}::int[])`, sql``);
      const byBlock = new Map(bitmaps.map(({ block, rows }) => [block, rows]));
      return new Set(numbers.filter((row) => byBlock.get(blockOf(row))?.[row % rowsPerBlock] === '1'));
    },
  };
}

/** The duplicates that count: those that are not left out of the push. */
function countedDuplicates(db: Db, of: CountedRows, facets: readonly RowFacet[]): RowSource {
  const duplicates = duplicateSource(db, of, countMatching(facets, { issue: 'duplicate' }));
  const leftOut = countMatching(facets, { issue: 'left-out' });
  return leftOut === 0
    ? duplicates
    : without(duplicates, bitmapSource(db, of, { issue: 'left-out' }, leftOut));
}

/** Rows with the same SKU or GTIN as an earlier one. */
function duplicateSource(db: Db, of: CountedRows, count: number): RowSource {
  const ofRun = sql`import_id = ${of.import_id} and run = ${of.run}`;
  return {
    count: async () => count,
    async scan(cursor, limit) {
      const { rows } = await sql<{ row: number }>`
        select distinct row from row_findings where ${ofRun} and ${afterCursor(cursor)}
        ${inCursorOrder(cursor)} limit ${limit}`.execute(db);
      return stepOf(
        rows.map(({ row }) => row),
        limit,
        cursor,
      );
    },
    async intersect(numbers) {
      const { rows } = await sql<{ row: number }>`
        select row from row_findings where ${ofRun} and row = any(${numbers}::int[])`.execute(db);
      return new Set(rows.map(({ row }) => row));
    },
  };
}
