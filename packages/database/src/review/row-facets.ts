import {
  type IssueSet,
  isLeftOut,
  issueSet,
  issuesIn,
  leftOutBit,
} from '@draftshelf/domain/review/issue-set';
import {
  type Consequence,
  consequenceFilters,
  type IssueCode,
  issueConsequence,
  issuesWith,
} from '@draftshelf/domain/review/issues';
import type { RowClass } from '@draftshelf/domain/review/row-rule';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { withoutNestedLoops } from '../connection/planner.ts';
import type { FacetClass, FacetIssue, ImportRecord, RowFacetsTable } from '../connection/schema.ts';
import { storableJson } from '../connection/storable-json.ts';
import type { RunOfRows } from '../work/runs.ts';

export type RowFacet = Omit<RowFacetsTable, 'import_id' | 'run'>;

/** The values of a row that decide its facets. */
export type FacetedRow = { class: RowClass; ignored: string | null; issues: IssueSet };

/** The class of a row's facets. */
export const facetClassOf = ({ class: name, ignored }: FacetedRow): FacetClass =>
  ignored === null ? name : 'ignored';

/** The issues of a row's facets: what the row counts as. A row that is left out of the push needs no fix. */
export function facetIssuesOf({ ignored, issues }: FacetedRow, duplicate: boolean): FacetIssue[] {
  if (ignored !== null) return ignored === 'totals' ? ['', 'totals'] : [''];
  if (isLeftOut(issues)) return ['', 'left-out'];
  const found: IssueCode[] = duplicate ? [...issuesIn(issues), 'duplicate'] : issuesIn(issues);
  const meant = new Set<Consequence>(found.map(issueConsequence));
  const ofConsequence = consequenceFilters.filter((name) => meant.has(name));
  return found.length > 0 ? ['', 'any', ...ofConsequence, ...found] : [''];
}

/** Rows that count in the same facets as `row`. */
type AlikeRows = { row: FacetedRow; duplicate: boolean; rows: number };

/** Counts rows by class and issue: `add` counts `by` rows like the given one. */
export function facetCounter() {
  const counted = new Map<string, AlikeRows>();
  // Most rows are like the one before.
  let last: AlikeRows | undefined;
  return {
    add(row: FacetedRow, duplicate: boolean, by: number): void {
      if (last?.duplicate !== duplicate || !isAlike(last.row, row)) {
        const key = `${row.ignored ?? row.class} ${row.issues} ${duplicate}`;
        last = counted.get(key) ?? { row, duplicate, rows: 0 };
        counted.set(key, last);
      }
      last.rows += by;
    },
    facets: (): RowFacet[] => facetsOf(counted.values()),
  };
}

const isAlike = (a: FacetedRow, b: FacetedRow): boolean =>
  a.class === b.class && a.ignored === b.ignored && a.issues === b.issues;

function facetsOf(counted: Iterable<AlikeRows>): RowFacet[] {
  const facets = new Map<string, RowFacet>();
  for (const { row, duplicate, rows } of counted) {
    const name = facetClassOf(row);
    for (const issue of facetIssuesOf(row, duplicate)) {
      const key = `${name} ${issue}`;
      const facet = facets.get(key) ?? { class: name, issue, rows: 0 };
      facet.rows += rows;
      facets.set(key, facet);
    }
  }
  return [...facets.values()];
}

/**
 * Adds to the counts of a run's facets. The caller's transaction holds the lock of the import or of its rows, so two
 * callers never deadlock.
 */
export async function moveFacets(db: Db, of: RunOfRows, by: readonly RowFacet[]): Promise<void> {
  const moved = by.filter((facet) => facet.rows !== 0);
  if (moved.length === 0) return;
  await sql`
    insert into row_facets (import_id, run, class, issue, rows)
    select ${of.import_id}, ${of.run}, class, issue, sum(rows)
    from json_to_recordset(${storableJson(moved)}) as moved(class text, issue text, rows integer)
    group by class, issue
    on conflict (import_id, run, class, issue) do update set rows = row_facets.rows + excluded.rows`.execute(
    db,
  );
}

const ofDuplicates = issueConsequence('duplicate');
/** The issues of a row with the same consequence as 'duplicate', which is not stored with the row. */
const likeDuplicates = issueSet(issuesWith(ofDuplicates).filter((code) => code !== 'duplicate'));

/**
 * Counts the rows that finalize has just found to be duplicates, except those that are left out. The planner assumes a
 * single row for a fresh run, and nested loops would compare each row with every other one.
 */
export async function moveDuplicates(db: Db, { import_id, run }: RunOfRows): Promise<void> {
  await withoutNestedLoops(db, () =>
    sql`
    insert into row_facets (import_id, run, class, issue, rows)
    select ${import_id}, ${run}, class, issue, moved.rows
    from (
      select rows.class, count(*)::int as duplicates,
        (count(*) filter (where rows.issues = 0))::int as alone,
        (count(*) filter (where rows.issues & ${likeDuplicates} = 0))::int as alone_of_kind
      from (select distinct row from row_findings where import_id = ${import_id} and run = ${run}) duplicates
      join rows on rows.import_id = ${import_id} and rows.run = ${run} and rows.row = duplicates.row
      where rows.issues < ${leftOutBit}::bigint
      group by 1
    ) found
    cross join lateral (values ('duplicate', duplicates), ('any', alone), (${ofDuplicates}::text, alone_of_kind)) as moved(issue, rows)
    where moved.rows > 0
    on conflict (import_id, run, class, issue) do update set rows = row_facets.rows + excluded.rows`.execute(
      db,
    ),
  );
}

/** Counts the facets of a run from its bitmaps and findings. */
export async function countFacets(db: Db, of: RunOfRows): Promise<void> {
  const { import_id, run } = of;
  await db.deleteFrom('row_facets').where('import_id', '=', import_id).where('run', '=', run).execute();
  await sql`
    insert into row_facets (import_id, run, class, issue, rows)
    select import_id, run, class, issue, sum(bit_count(rows)) from row_bitmaps
    where import_id = ${import_id} and run = ${run}
    group by import_id, run, class, issue`.execute(db);
  await moveDuplicates(db, of);
}

/** The facets of a run's rows, without empty ones. */
export async function readFacets(db: Db, of: RunOfRows): Promise<RowFacet[]> {
  return db
    .selectFrom('row_facets')
    .select(['class', 'issue', 'rows'])
    .where('import_id', '=', of.import_id)
    .where('run', '=', of.run)
    .where('rows', '>', 0)
    .orderBy('class')
    .orderBy('issue')
    .execute();
}

/**
 * How many rows an import shows. During a re-read these are the rows of the previous run, while the import's own count
 * is of the new one. During the first read it is the number of rows that the import will have.
 */
export function countShown(
  record: Pick<ImportRecord, 'parse_run' | 'rows_run' | 'total_rows'>,
  facets: readonly RowFacet[],
): number {
  if (record.parse_run === record.rows_run) return record.total_rows;
  return facets.reduce((sum, { issue, rows }) => (issue === '' ? sum + rows : sum), 0);
}

/** Whether each shown row of an import is a product of its own. */
export const hasOneRowEach = (
  record: Pick<ImportRecord, 'parse_run' | 'rows_run' | 'total_rows' | 'total_products'>,
): boolean => record.parse_run === record.rows_run && record.total_rows === record.total_products;
