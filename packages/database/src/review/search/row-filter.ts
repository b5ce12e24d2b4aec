import { productFields } from '@draftshelf/domain/base/canonical-fields';
import { type FieldValue, parseFieldValue } from '@draftshelf/domain/base/field-value';
import {
  searchCharsMax,
  searchCharsMin,
  searchedFields,
  wantedForm,
} from '@draftshelf/domain/base/search-text';
import type { Outcome } from '@draftshelf/domain/imports/outcome';
import { duplicateBit, issueBit, issueSet, leftOutBit } from '@draftshelf/domain/review/issue-set';
import {
  consequenceFilters,
  type IssueCode,
  issueCodes,
  issuesWith,
  type RowIssue,
} from '@draftshelf/domain/review/issues';
import { type ClassFilter, classesOf } from '@draftshelf/domain/review/row-rule';
import type { RowChange } from '@draftshelf/domain/suppliers/list';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { FacetIssue } from '../../connection/schema.ts';
import type { RunOfRows } from '../../work/runs.ts';
import { rowsPerBlock } from '../row-bitmaps.ts';
import type { RowFacet } from '../row-facets.ts';

export type RowFilter = {
  class?: ClassFilter | undefined;
  issue?: Exclude<FacetIssue, ''> | undefined;
  /** A field and its value, as one text (see parseFieldValue). */
  value?: string | undefined;
  /** What the last push did with the row's product. */
  outcome?: Outcome | undefined;
  /** How the row differs from the supplier's earlier list, or that values of that were carried into it. */
  change?: RowChange | undefined;
  /** Part of a title, SKU, UPC, vendor or item number; without regard to case. */
  q?: string | undefined;
};

/** Rows that need nobody, whatever their class is: no row is both. */
const needNobody = ['left-out', 'parent-without-price'] as const satisfies readonly FacetIssue[];

/** Whether rows of the filter's classes that need nobody do not match it. */
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

/**
 * SQL: the rows that match a filter, on the table `rows`. Those with a value are among them: only reading the values
 * tells which they are. `oneRowEach`: each row is a product of its own.
 */
export function matchingRows(
  of: RunOfRows & { oneRowEach: boolean },
  filter: RowFilter,
): RawBuilder<SqlBool> {
  const { class: ofClass, issue, outcome, change, q } = filter;
  const value = parseFieldValue(filter.value ?? '');
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
  if (value !== null) all.push(sql`ignored is null`, mayHaveValue(of, value));
  return sql`(${sql.join(all, sql` and `)})`;
}

/** A row that is left out has no other issue that counts. */
function withIssue(issue: Exclude<FacetIssue, ''>): RawBuilder<unknown> {
  if (issue === 'totals') return sql`ignored = 'totals'`;
  if (issue === 'left-out') return sql`ignored is null and issues >= ${sql.lit(leftOutBit)}`;
  return sql`ignored is null and issues < ${sql.lit(leftOutBit)} and issues & ${sql.lit(bitsOf(issue))} <> 0`;
}

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

// Arrays are read once, and hashed whatever the planner knows about the rows of a fresh run.
const ofOutcome = (of: RunOfRows, outcome: Outcome) => sql`
  ignored is null and product = any(array(
    select product from outcomes
    where import_id = ${of.import_id} and rows_run = ${of.run} and outcome = ${outcome}))`;

const changed = (of: RunOfRows, change: RowChange) => sql`
  row = any(array(
    select block * ${sql.lit(rowsPerBlock)} + nth from change_bitmaps
    cross join generate_series(0, ${sql.lit(rowsPerBlock - 1)}) nth
    where import_id = ${of.import_id} and run = ${of.run} and change = ${change}
      and get_bit(change_bitmaps.rows, nth) = 1))`;

const holds = (text: string) => sql`strpos(search, ${wantedForm(text)}) > 0`;

/** Rows that may have a value, or the product of which may: a searched value is in the text of one of its rows. */
function mayHaveValue(
  of: RunOfRows & { oneRowEach: boolean },
  { field, value }: FieldValue,
): RawBuilder<unknown> {
  const chars = [...value].length;
  const isSearched = (searchedFields as readonly string[]).includes(field);
  if (!isSearched || chars < searchCharsMin || chars > searchCharsMax) return sql`true`;
  if (of.oneRowEach || !(productFields as ReadonlySet<string>).has(field)) return holds(value);
  return sql`product = any(array(
    select product from rows where import_id = ${of.import_id} and run = ${of.run} and ${holds(value)}))`;
}
