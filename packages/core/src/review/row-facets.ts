import { type IssueSet, isDuplicate, isLeftOut, issuesIn } from '@draftshelf/domain/review/issue-set';
import {
  type Consequence,
  consequenceFilters,
  type IssueCode,
  issueConsequence,
} from '@draftshelf/domain/review/issues';
import { type RowClass, rowClasses } from '@draftshelf/domain/review/row-rule';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { queryRows } from '../connection/query-rows.ts';
import type { FacetIssue, ImportRecord, RowFacet } from '../connection/schema.ts';
import { type StorableJson, storableJson } from '../connection/storable-json.ts';
import { changeParseRun } from '../imports/imports.ts';
import { type RunOfRows, readRun, toParseRun } from '../work/runs.ts';

export type FacetedRow = { class: RowClass; ignored: string | null; issues: IssueSet };

/** Returns the issues under which a row is counted. A row that is left out of the push is counted as left out only. */
function facetIssuesOf({ ignored, issues }: FacetedRow): FacetIssue[] {
  if (ignored !== null) return ignored === 'totals' ? ['', 'totals'] : [''];
  if (isLeftOut(issues)) return ['', 'left-out'];
  const found: IssueCode[] = isDuplicate(issues) ? [...issuesIn(issues), 'duplicate'] : issuesIn(issues);
  const meant = new Set<Consequence>(found.map(issueConsequence));
  const ofConsequence = consequenceFilters.filter((name) => meant.has(name));
  return found.length > 0 ? ['', 'any', ...ofConsequence, ...found] : [''];
}

type AlikeRows = { row: FacetedRow; rows: number };

/** Returns a counter of rows by class and issue. `add` counts `by` rows that have the same facets as `row`. */
export function createFacetCounter() {
  const counted = new Map<string, AlikeRows>();
  // Most rows have the same facets as the row before and reuse its counter, so that no key has to be built.
  let last: AlikeRows | undefined;
  return {
    add(row: FacetedRow, by: number): void {
      if (last === undefined || !isAlike(last.row, row)) {
        const key = `${row.ignored ?? row.class} ${row.issues}`;
        last = counted.get(key) ?? { row, rows: 0 };
        counted.set(key, last);
      }
      last.rows += by;
    },
    *passed<R extends FacetedRow>(rows: Iterable<R>): Generator<R> {
      for (const row of rows) {
        this.add(row, 1);
        yield row;
      }
    },
    facets: (): RowFacet[] => facetsOf(counted.values()),
  };
}

const isAlike = (a: FacetedRow, b: FacetedRow): boolean =>
  a.class === b.class && a.ignored === b.ignored && a.issues === b.issues;

function facetsOf(counted: Iterable<AlikeRows>): RowFacet[] {
  const facets = new Map<string, RowFacet>();
  for (const { row, rows } of counted) {
    const name = row.ignored === null ? row.class : 'ignored';
    for (const issue of facetIssuesOf(row)) {
      const key = `${name} ${issue}`;
      const facet = facets.get(key) ?? { class: name, issue, rows: 0 };
      facet.rows += rows;
      facets.set(key, facet);
    }
  }
  return [...facets.values()];
}

/** `added`: the number of rows added at the end. Each of them is a product of its own. */
export type CountChanges = {
  classes?: Record<RowClass, number>;
  facets?: readonly RowFacet[];
  added?: number;
};

/** Changes a run's counts. Returns whether any count changed. The caller locks the import if it shows the run. */
export async function addToRunCounts(
  db: Db,
  of: RunOfRows,
  { classes, facets = [], added = 0 }: CountChanges,
): Promise<boolean> {
  const moved = facets.filter(({ rows }) => rows !== 0);
  const names = rowClasses.filter((name) => classes && classes[name] !== 0);
  const plus = (column: string, by: number) => [column, sql`${sql.ref(column)} + ${by}`] as const;
  const changed = {
    ...Object.fromEntries(names.map((name) => plus(`${name}_products`, classes?.[name] ?? 0))),
    ...Object.fromEntries(added === 0 ? [] : countedOfAdded.map((column) => plus(column, added))),
    ...(moved.length > 0 && { facets: sumFacets(moved) }),
  };
  await changeParseRun(db, of, changed);
  return Object.keys(changed).length > 0;
}

const countedOfAdded = [
  ...['total_rows', 'parsed_rows', 'total_products', 'product_numbers', 'processed_products'],
] as const;

/** SQL value: the sums of two lists of facets. By default, `before` is the facets of the run. */
export const sumFacets = (moved: readonly RowFacet[], before = sql`facets`) => sql<StorableJson>`(
  select coalesce(jsonb_agg(counted order by class, issue), '[]') from (
    select class, issue, sum(rows) as rows
    from jsonb_to_recordset(${storableJson(moved)}::jsonb || ${before}) as facet (class text, issue text, rows integer)
    group by class, issue having sum(rows) <> 0
  ) counted)`;

/** Returns the differences between the facets of rows before and after a change. */
export function diffFacets(rows: Iterable<{ before: FacetedRow; after: FacetedRow }>): RowFacet[] {
  const counter = createFacetCounter();
  for (const { before, after } of rows) {
    if (isAlike(before, after)) continue;
    counter.add(before, -1);
    counter.add(after, 1);
  }
  return counter.facets();
}

export async function storeFacetCounts(db: Db, of: RunOfRows): Promise<void> {
  const rows = await queryRows<FacetedRow & { rows: number }>(db)`
    select class, ignored, issues, count(*)::int as rows from rows
    where import_id = ${of.import_id} and run = ${of.run} group by class, ignored, issues`;
  const counter = createFacetCounter();
  for (const { rows: count, ...row } of rows) counter.add(row, count);
  await changeParseRun(db, of, { facets: sumFacets(counter.facets(), sql`'[]'::jsonb`) });
}

export async function readFacets(db: Db, of: RunOfRows): Promise<RowFacet[]> {
  return (await readRun(db, toParseRun(of), ['facets'])).facets;
}

/**
 * Returns the number of rows that an import shows. During a re-read, `total_rows` already counts rows of the new run.
 */
export function countShownRows(
  record: Pick<ImportRecord, 'parse_run' | 'rows_run' | 'total_rows'>,
  facets: readonly RowFacet[],
): number {
  if (record.parse_run === record.rows_run) return record.total_rows;
  return facets.reduce((sum, { issue, rows }) => (issue === '' ? sum + rows : sum), 0);
}

export const hasSingleRowProducts = (
  record: Pick<ImportRecord, 'parse_run' | 'rows_run' | 'total_rows' | 'total_products'>,
): boolean => record.parse_run === record.rows_run && record.total_rows === record.total_products;
