import { parseFieldValue } from '@draftshelf/domain/base/field-value';
import { toSearchTerm } from '@draftshelf/domain/base/search-text';
import type { Outcome } from '@draftshelf/domain/imports/outcome';
import { type IssueSet, issueBit, leftOutBit, toIssueSet } from '@draftshelf/domain/review/issue-set';
import {
  codesWithConsequence,
  consequenceFilters,
  type IssueCode,
  type IssueFilter,
  issueCodes,
} from '@draftshelf/domain/review/issues';
import type { TargetFilter } from '@draftshelf/domain/review/operations/command-target';
import { type RowFilterName, rowFilterNames } from '@draftshelf/domain/review/row-filters';
import { classesOfFilter } from '@draftshelf/domain/review/row-rule';
import { bitOfChange, type RowChange } from '@draftshelf/domain/suppliers/list';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { toLikePattern } from '../../connection/like-pattern.ts';
import type { FacetIssue, RowFacet } from '../../connection/schema.ts';
import type { RunOfRows } from '../../work/runs.ts';
import { hasShownValue, type ShownRun } from './row-sql.ts';

export type RowFilter = TargetFilter & {
  /** The outcome of the row's product in the last push. */
  outcome?: Outcome | undefined;
  /** The row's difference from the supplier's earlier list. 'carried': the row has values carried from that list. */
  change?: RowChange | undefined;
};

/** Issues of rows that need no operator, whatever their class. A row has at most one of these issues. */
const needNobody = ['left-out', 'parent-without-price'] as const satisfies readonly FacetIssue[];

const isOfNeedy = ({ class: ofClass, issue }: RowFilter): boolean =>
  ofClass === 'needs-you' && issue === undefined;

/** Returns the number of rows that match a filter by class and issue, from the facets. */
export function countMatchingRows(facets: readonly RowFacet[], filter: RowFilter): number {
  const classes: readonly string[] | undefined = filter.class && classesOfFilter(filter.class);
  const count = (issue: FacetIssue) =>
    facets
      .filter((facet) => facet.issue === issue && (classes === undefined || classes.includes(facet.class)))
      .reduce((sum, facet) => sum + facet.rows, 0);
  const all = count(filter.issue ?? '');
  return isOfNeedy(filter) ? needNobody.reduce((rows, issue) => rows - count(issue), all) : all;
}

/** Filters for which the number of matching rows is stored. */
const countedNames: readonly RowFilterName[] = ['class', 'issue'];

/** Returns whether a filter is only by class and issue. If so, one query finds all rows, and their number is stored. */
export const hasStoredCount = (filter: RowFilter): boolean =>
  rowFilterNames.every((name) => countedNames.includes(name) || filter[name] === undefined);

/** Returns an SQL condition for the rows that match a filter, on the table `rows`. */
export function matchesFilter(of: ShownRun, filter: RowFilter): RawBuilder<SqlBool> {
  const all = rowFilterNames.flatMap((name) => conditionOf(of, filter, name));
  if (isOfNeedy(filter)) {
    const besides = sql.lit(leftOutBit + issueBit('parent-without-price'));
    all.push(sql`issues & ${besides} = 0`);
  }
  const ofRun = sql`rows.import_id = ${of.import_id} and rows.run = ${of.run}`;
  return sql`(${sql.join([ofRun, ...all], sql` and `)})`;
}

function conditionOf<Name extends RowFilterName>(of: ShownRun, filter: RowFilter, name: Name): Condition[] {
  const wanted = filter[name];
  return wanted == null ? [] : [conditions[name](of, wanted)];
}

type Condition = RawBuilder<unknown>;

const conditions: {
  [Name in RowFilterName]: (of: ShownRun, wanted: NonNullable<RowFilter[Name]>) => Condition;
} = {
  class: (_of, name) => sql`ignored is null and class = any(${classesOfFilter(name)}::text[])`,
  issue: (_of, issue) => withIssue(issue),
  outcome: ofOutcome,
  change: changed,
  value(of, text) {
    const wanted = parseFieldValue(text);
    if (wanted === null) return sql`true`;
    return sql`rows.ignored is null and ${hasShownValue(of, wanted.field, wanted.value)}`;
  },
  q: (_of, text) => holdsText(text),
};

/** Returns an SQL condition for rows with an issue. If a row is left out, only its issue 'left-out' counts. */
function withIssue(issue: IssueFilter): RawBuilder<unknown> {
  if (issue === 'totals') return sql`ignored = 'totals'`;
  return issue === 'left-out' ? isLeftOut : hasAnyIssue(toIssueSet(codesOf(issue)));
}

export const isLeftOut = sql<SqlBool>`ignored is null and issues >= ${sql.lit(leftOutBit)}`;

/** SQL condition: the row has one of the issues and is not left out. */
export const hasAnyIssue = (issues: IssueSet) =>
  sql<SqlBool>`ignored is null and issues < ${sql.lit(leftOutBit)} and issues & ${sql.lit(issues)} <> 0`;

function codesOf(issue: Exclude<IssueFilter, 'totals' | 'left-out'>): readonly IssueCode[] {
  if (issue === 'any') return issueCodes;
  const consequence = consequenceFilters.find((name) => name === issue);
  return consequence === undefined ? [issue as IssueCode] : codesWithConsequence(consequence);
}

function ofOutcome(of: RunOfRows, outcome: Outcome): Condition {
  return sql`
    ignored is null and exists (
      select from outcomes
      where import_id = ${of.import_id} and rows_run = ${of.run} and outcomes.product = rows.product
        and outcome = ${outcome})`;
}

function changed(of: RunOfRows, change: RowChange): Condition {
  return sql`
    exists (
      select from row_items
      where import_id = ${of.import_id} and run = ${of.run} and row_items.row = rows.row
        and change & ${sql.lit(bitOfChange(change))} <> 0)`;
}

/** Uses LIKE, because Postgres can estimate its matches. If few are expected, several processes read the rows. */
const holdsText = (text: string) => sql<SqlBool>`search like ${toLikePattern(toSearchTerm(text))}`;
