import type { IssueFilter } from '@draftshelf/contract/review/rows';
import type { InlineField } from '@draftshelf/domain/base/field-look';
import { parseFieldValue } from '@draftshelf/domain/base/field-value';
import { searchCharsMax, searchCharsMin } from '@draftshelf/domain/base/search-text';
import { type Outcome, outcomes } from '@draftshelf/domain/imports/outcome';
import { issueFilters } from '@draftshelf/domain/review/issues';
import { type ClassFilter, classFilters } from '@draftshelf/domain/review/row-rule';
import { parseRowSort, type RowSort, type SortBy, sortsOf } from '@draftshelf/domain/review/row-sort';
import { type RowChange, rowChanges } from '@draftshelf/domain/suppliers/list';
import { addressNow } from '../../lib/address-now.ts';

/**
 * What a press on the head of a column makes of the order: ascending, descending, as in the file. Where the rows are
 * sorted by another field, `isSecond` sorts those by it that are equal.
 */
export function nextSort(
  field: InlineField,
  now: RowSort | undefined,
  isSecond: boolean,
): RowSort | undefined {
  const [first, second] = now === undefined ? [] : (now.split(',') as SortBy[]);
  const [of] = now === undefined ? [] : sortsOf(now);
  if (of === undefined || first === undefined) return field;
  if (of.field !== field) return isSecond ? sortBy(first, nextBy(field, second)) : field;
  const next = nextBy(field, first);
  return next && sortBy(next, second);
}

/** Ascending, descending, and not at all. */
function nextBy(field: InlineField, now: SortBy | undefined): SortBy | undefined {
  if (now === field) return `-${field}`;
  return now === `-${field}` ? undefined : field;
}

export const sortBy = (first: SortBy, second: SortBy | undefined): RowSort =>
  second === undefined ? first : `${first},${second}`;

/** The rows in another order, from the first one on. */
export const withSort = ({ sort: _before, ...now }: RowsAddress, sort: RowSort | undefined): RowsAddress =>
  filterOf(sort === undefined ? now : { ...now, sort });

/** Filter and page of rows in the URL, so they survive a reload and Back restores them. */
export type RowsAddress = {
  class?: ClassFilter;
  issue?: IssueFilter;
  /** What the last push did with the product. */
  outcome?: Outcome;
  /** How the row differs from the supplier's earlier list, or that values of that were carried into it. */
  change?: RowChange;
  /** All rows, where the page would open on some of them. */
  all?: true;
  /** A field and its value, as one text: 'vendor:Nike'. */
  value?: string;
  /** The search text; absent while it is too short. */
  q?: string;
  /** Absent: the order of the file. */
  sort?: RowSort;
  /** Without a filter: the page, from 1. */
  page?: number;
  /** With a filter: the cursor, as the row before the page … */
  after?: number;
  /** … or the row after the page. */
  before?: number;
};

/** Reads the URL's parameters and ignores invalid ones. */
export function readRowsAddress(search: URLSearchParams): RowsAddress {
  const ofClass = classFilters.find((name) => name === search.get('class'));
  const issue = issueFilters.find((name) => name === search.get('issue'));
  const outcome = outcomes.find((name) => name === search.get('outcome'));
  const change = rowChanges.find((name) => name === search.get('change'));
  const value = search.get('value') ?? '';
  const q = searchTextOf(search.get('q') ?? '');
  const sort = parseRowSort(search.get('sort') ?? '');
  const sorted = sort === null ? {} : { sort };
  const filter = {
    ...(ofClass === undefined ? {} : { class: ofClass }),
    ...(issue === undefined ? {} : { issue }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(change === undefined ? {} : { change }),
    ...(parseFieldValue(value) === null ? {} : { value }),
    ...(q === '' ? {} : { q }),
  };
  if (!isFiltered(filter)) {
    const all = search.get('class') === allRows ? { all: true as const } : {};
    return { ...all, ...sorted, ...numberAt(search, 'page') };
  }
  const before = numberAt(search, 'before');
  return { ...filter, ...sorted, ...(before.before === undefined ? numberAt(search, 'after') : before) };
}

/** In the URL the class of all rows. */
const allRows = 'all';

/** Whether the URL names no rows, so that the page chooses. */
function namesNoRows(address: RowsAddress): boolean {
  return Object.keys(address).length === 0;
}

function numberAt<N extends 'page' | 'after' | 'before'>(
  search: URLSearchParams,
  name: N,
): { [K in N]?: number } {
  const text = search.get(name) ?? '';
  if (!/^[1-9]\d{0,8}$/.test(text)) return {};
  return { [name]: Number(text) } as { [K in N]?: number };
}

/** The rows that the URL names, or `opening` if it names none. */
export function rowsAddressOr(opening: RowsAddress, search: URLSearchParams): RowsAddress {
  const named = readRowsAddress(search);
  return namesNoRows(named) ? opening : named;
}

/** Filter and page of now, which may be newer than the drawn ones. */
export const rowsAddressNow = (opening: RowsAddress): RowsAddress => rowsAddressOr(opening, addressNow());

/** The URL parameters without defaults. */
export function rowsAddressOf(address: RowsAddress): URLSearchParams {
  const { all, ...named } = address;
  const search = new URLSearchParams(all ? { class: allRows } : {});
  for (const [name, value] of Object.entries(named)) {
    const isFirst = (name === 'page' && value === 1) || (name === 'after' && value === 0);
    if (value !== undefined && value !== '' && !isFirst) search.set(name, String(value));
  }
  return search;
}

/** The filter and the order, without the page. */
export function filterOf({
  class: ofClass,
  issue,
  outcome,
  change,
  value,
  q,
  sort,
}: RowsAddress): RowsAddress {
  return {
    ...(ofClass === undefined ? {} : { class: ofClass }),
    ...(issue === undefined ? {} : { issue }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(change === undefined ? {} : { change }),
    ...(value === undefined ? {} : { value }),
    ...(q === undefined ? {} : { q }),
    ...(sort === undefined ? {} : { sort }),
  };
}

/** A pressed button of the filters. `all`: every row, without any filter. */
export type PressedFilter =
  | { all: true }
  | { class: ClassFilter }
  | { issue: IssueFilter }
  | { outcome: Outcome };

/** The first page with the filter of a pressed button, or without it if the button was pressed before. */
export function afterPress(now: RowsAddress, pressed: PressedFilter): RowsAddress {
  if ('all' in pressed) return now.sort === undefined ? {} : { sort: now.sort };
  if ('class' in pressed) {
    const { class: before, ...others } = filterOf(now);
    return pressed.class === before ? others : { ...others, class: pressed.class };
  }
  if ('outcome' in pressed) {
    const { outcome: before, ...others } = filterOf(now);
    return pressed.outcome === before ? others : { ...others, outcome: pressed.outcome };
  }
  const { issue: before, class: ofClass, ...others } = filterOf(now);
  // The count of an issue is of all rows, most of which may need no operator.
  const next = ofClass === undefined || ofClass === 'needs-you' ? others : { ...others, class: ofClass };
  return pressed.issue === before ? next : { ...next, issue: pressed.issue };
}

/** The first page with another search text, '' for none. */
export function withSearch({ q: _before, ...now }: RowsAddress, q: string): RowsAddress {
  return filterOf(q === '' ? now : { ...now, q });
}

/** The first page with another value; null for any. */
export function withValue({ value: _before, ...now }: RowsAddress, value: string | null): RowsAddress {
  return filterOf(value === null ? now : { ...now, value });
}

/** The first page with another change; null for any. */
export function withChange({ change: _before, ...now }: RowsAddress, change: RowChange | null): RowsAddress {
  return filterOf(change === null ? now : { ...now, change });
}

/** Whether two addresses select the same rows in the same order, on whichever page. */
export function hasSameFilter(a: RowsAddress, b: RowsAddress): boolean {
  const names = ['class', 'issue', 'outcome', 'change', 'value', 'q', 'sort'] as const;
  return names.every((name) => a[name] === b[name]);
}

/** Whether rows are selected by more than their class, whose button shows that it is pressed. */
export const isNarrowed = ({ class: _class, ...others }: RowsAddress): boolean => isFiltered(others);

export function isFiltered({ class: ofClass, issue, outcome, change, value, q }: RowsAddress): boolean {
  return [ofClass, issue, outcome, change, value, q].some((filter) => filter !== undefined);
}

/** The search text for the field's content; '' while it is too short. */
export function searchTextOf(text: string): string {
  const trimmed = text.trim().slice(0, searchCharsMax);
  return [...trimmed].length < searchCharsMin ? '' : trimmed;
}

/** The row that 'row 51' names, also with a '#' or a mark between thousands; null for other texts. */
export function rowNumberOf(text: string): number | null {
  const digits = /^\s*row\s*#?\s*(\d[\d,. ]{0,11})\s*$/i.exec(text)?.[1];
  return digits === undefined ? null : Number(digits.replace(/\D/g, ''));
}
