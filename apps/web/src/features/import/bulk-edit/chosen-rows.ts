import type { EditTarget } from '@draftshelf/contract/review/commands';
import type { Row, RowPage } from '@draftshelf/contract/review/rows';
import { type CanonicalField, canonicalFields } from '@draftshelf/domain/base/canonical-fields';
import { issueCodes, issueField } from '@draftshelf/domain/review/issues';
import type { TargetFilter } from '@draftshelf/domain/review/operations/command-target';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { findRowIssueField } from '../cell-marks.ts';
import { issueWords } from '../issue-text.tsx';
import { fieldValueWords } from '../mapping/mapping-words.ts';
import { isFiltered, pickFilters, type RowsAddress } from '../rows-address.ts';
import { outcomeLooks } from '../status/status-look.tsx';

export type ChosenRows = {
  target: EditTarget;
  /** Null if the rows were found by a search that does not count its results. */
  count: number | null;
  /** The field of the filtered issue, or null if no issue is filtered or the issue has no field. */
  field: CanonicalField | null;
  /** Number of ticked rows on other pages or outside of the filter. */
  notShown: number;
};

type ShownPage = {
  address: RowsAddress;
  page: Pick<RowPage, 'rows' | 'run' | 'matching' | 'facets' | 'totalRows'>;
  ticked: ReadonlySet<number>;
};

/** Returns the ticked rows, else all filtered rows. Returns a sentence if these rows cannot be changed together. */
export function findChosenRows({ address, page, ticked }: ShownPage): ChosenRows | string {
  if (ticked.size > 0) {
    const rows = [...ticked].sort((a, b) => a - b);
    const onPage = page.rows.filter(({ row }) => ticked.has(row)).length;
    return {
      target: { rows, run: page.run },
      count: ticked.size,
      field: null,
      notShown: ticked.size - onPage,
    };
  }
  const { outcome, change, ...target } = pickFilters(address);
  if (outcome !== undefined) {
    return `A change to many rows can’t use the filter “${outcomeLooks[outcome].word}”. Tick rows, or choose another filter.`;
  }
  if (change !== undefined)
    return 'A change to many rows can’t use this filter. Tick rows, or choose another filter.';
  const count = isFiltered(address) ? page.matching : page.totalRows - page.facets.ignored;
  if (count === 0) return 'There are no rows to change.';
  return { target, count, field: findIssueField(page.rows, target.issue), notShown: 0 };
}

/** Returns the field in which most rows have this issue; in a tie, the first one. Null if the issue has no field. */
export function findIssueField(
  rows: readonly Pick<Row, 'issues'>[],
  name: string | undefined,
): CanonicalField | null {
  const code = issueCodes.find((issue) => issue === name);
  if (code === undefined) return null;
  const found = rows.map((row) => findRowIssueField(row, code));
  const counted = canonicalFields.map((field) => ({
    field,
    rows: found.filter((ofRow) => ofRow === field).length,
  }));
  const [most] = counted.sort((a, b) => b.rows - a.rows);
  return most !== undefined && most.rows > 0 ? most.field : issueField(code);
}

/** Example: 'Change 12,004 Rows…' or 'Change 4 Rows, 3 Not Shown…'. */
export function changeRowsLabel({ count, notShown }: ChosenRows): string {
  if (count === null) return 'Change Rows Found…';
  const rows = countOf(count, 'Row');
  return notShown === 0 ? `Change ${rows}…` : `Change ${rows}, ${formatCount(notShown)} Not Shown…`;
}

/** All fields, first those whose values many products share. */
const sharedFirst: readonly CanonicalField[] = ['vendor', 'type', ...canonicalFields];

/** Returns the first field that has a value in any row, or the brand if none has. */
export const findFieldWithValues = (rows: readonly Pick<Row, 'values'>[]): CanonicalField =>
  sharedFirst.find((field) => rows.some(({ values }) => values[field])) ?? 'vendor';

const classWords = { 'needs-you': 'Needs you', valid: 'Valid', warning: 'Warning', error: 'Error' } as const;

/** Example: 'Filtered by: Invalid price, “vase”' or 'Ticked rows, 3 not shown'. */
export function describeTarget({ target, notShown }: Pick<ChosenRows, 'target' | 'notShown'>): string {
  if ('rows' in target) {
    const [row = 0, ...others] = target.rows;
    if (others.length === 0)
      return `Row ${formatCount(row)}${notShown === 0 ? '' : ', ticked but not shown'}`;
    return `Ticked rows${notShown === 0 ? '' : `, ${formatCount(notShown)} not shown`}`;
  }
  const names = Object.values(filterWords).flatMap((wordsIn) => wordsIn(target) ?? []);
  return names.length === 0 ? 'All rows' : `Filtered by: ${names.join(', ')}`;
}

const filterWords: Record<keyof TargetFilter, (target: TargetFilter) => string | undefined> = {
  class: ({ class: name }) => name && classWords[name],
  issue: ({ issue }) => issue && issueWords[issue],
  value: ({ value }) => value && fieldValueWords(value),
  q: ({ q }) => q && `“${q}”`,
};

/** `count`: null if a search has not counted the rows. */
export const changeRowsWords = (count: number | null): string =>
  count === null ? 'Change the rows found' : `Change ${countOf(count, 'row')}`;
