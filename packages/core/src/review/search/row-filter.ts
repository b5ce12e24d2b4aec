import { parseFieldValue } from '@draftshelf/domain/base/field-value';
import { wantedForm } from '@draftshelf/domain/base/search-text';
import type { Outcome } from '@draftshelf/domain/imports/outcome';
import {
  duplicateBit,
  type IssueSet,
  issueBit,
  issueSet,
  leftOutBit,
} from '@draftshelf/domain/review/issue-set';
import {
  consequenceFilters,
  type IssueCode,
  issueCodes,
  issuesWith,
  type RowIssue,
} from '@draftshelf/domain/review/issues';
import { type ClassFilter, classesOf } from '@draftshelf/domain/review/row-rule';
import { changeBit, type RowChange } from '@draftshelf/domain/suppliers/list';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { likePattern } from '../../connection/like-pattern.ts';
import type { FacetIssue, RowFacet } from '../../connection/schema.ts';
import type { RunOfRows } from '../../work/runs.ts';
import { hasValue, type ShownRun } from './row-sql.ts';

export type RowFilter = {
  class?: ClassFilter | undefined;
  issue?: Exclude<FacetIssue, ''> | undefined;
  /** A field and its value, as one text (see parseFieldValue). */
  value?: string | undefined;
  /** Outcome of the row's product in the last push. */
  outcome?: Outcome | undefined;
  /** The difference of the row from the supplier's earlier list, or that values were carried from it. */
  change?: RowChange | undefined;
  /** Part of a title, SKU, UPC, vendor or item number; without regard to case. */
  q?: string | undefined;
};

/** Rows that need no operator, whatever their class is: no row has both issues. */
const needNobody = ['left-out', 'parent-without-price'] as const satisfies readonly FacetIssue[];

const isOfNeedy = ({ class: ofClass, issue }: RowFilter): boolean =>
  ofClass === 'needs-you' && issue === undefined;

/** Number of rows that match a filter by class and issue, by the stored counts. */
export function countMatching(facets: readonly RowFacet[], filter: RowFilter): number {
  const classes: readonly string[] | undefined = filter.class && classesOf(filter.class);
  const count = (issue: FacetIssue) =>
    facets
      .filter((facet) => facet.issue === issue && (classes === undefined || classes.includes(facet.class)))
      .reduce((sum, facet) => sum + facet.rows, 0);
  const all = count(filter.issue ?? '');
  return isOfNeedy(filter) ? needNobody.reduce((rows, issue) => rows - count(issue), all) : all;
}

/** Whether a filter is by class and issue alone: one statement finds all of its rows, and their number is stored. */
export const isCounted = ({ value, outcome, change, q }: RowFilter): boolean =>
  [value, outcome, change, q].every((given) => given === undefined);

/** SQL: the rows that match a filter, on the table `rows`. */
export function matchingRows(of: ShownRun, filter: RowFilter): RawBuilder<SqlBool> {
  const { class: ofClass, issue, outcome, change, value, q } = filter;
  const all: RawBuilder<unknown>[] = [sql`rows.import_id = ${of.import_id} and rows.run = ${of.run}`];
  if (ofClass !== undefined) all.push(sql`ignored is null and class = any(${classesOf(ofClass)}::text[])`);
  if (issue !== undefined) all.push(withIssue(issue));
  if (isOfNeedy(filter)) {
    const besides = sql.lit(leftOutBit + issueBit('parent-without-price'));
    all.push(sql`issues & ${besides} = 0`);
  }
  if (outcome !== undefined) all.push(ofOutcome(of, outcome));
  if (change !== undefined) all.push(changed(of, change));
  if (q !== undefined) all.push(holds(q));
  const wanted = parseFieldValue(value ?? '');
  if (wanted !== null) all.push(sql`rows.ignored is null and ${hasValue(of, wanted.field, wanted.value)}`);
  return sql`(${sql.join(all, sql` and `)})`;
}

/** A row that is left out has no other issue that counts. */
function withIssue(issue: Exclude<FacetIssue, ''>): RawBuilder<unknown> {
  if (issue === 'totals') return sql`ignored = 'totals'`;
  return issue === 'left-out' ? isLeftOut : withIssues(bitsOf(issue));
}

export const isLeftOut = sql<SqlBool>`ignored is null and issues >= ${sql.lit(leftOutBit)}`;

/** SQL: rows with one of some issues that counts. */
export const withIssues = (issues: IssueSet) =>
  sql<SqlBool>`ignored is null and issues < ${sql.lit(leftOutBit)} and issues & ${sql.lit(issues)} <> 0`;

function bitsOf(issue: Exclude<FacetIssue, '' | 'totals' | 'left-out'>): number {
  const codes = codesOf(issue);
  const ofRows = codes.filter((code): code is RowIssue => code !== 'duplicate');
  return issueSet(ofRows) + (codes.includes('duplicate') ? duplicateBit : 0);
}

function codesOf(issue: Exclude<FacetIssue, '' | 'totals' | 'left-out'>): readonly IssueCode[] {
  if (issue === 'any') return issueCodes;
  const consequence = consequenceFilters.find((name) => name === issue);
  return consequence === undefined ? [issue as IssueCode] : issuesWith(consequence);
}

const ofOutcome = (of: RunOfRows, outcome: Outcome) => sql`
  ignored is null and exists (
    select from outcomes
    where import_id = ${of.import_id} and rows_run = ${of.run} and outcomes.product = rows.product
      and outcome = ${outcome})`;

const changed = (of: RunOfRows, change: RowChange) => sql`
  exists (
    select from row_items
    where import_id = ${of.import_id} and run = ${of.run} and row_items.row = rows.row
      and change & ${sql.lit(changeBit(change))} <> 0)`;

/** Of LIKE, unlike strpos, Postgres estimates the rows: it reads all with several processes where few match. */
const holds = (text: string) => sql<SqlBool>`search like ${likePattern(wantedForm(text))}`;
