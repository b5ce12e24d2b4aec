import type { IssueFilter, RowFilters } from '@draftshelf/contract/review/rows';
import type { CanonicalInlineField } from '@draftshelf/domain/base/field-look';
import { parseFieldValue } from '@draftshelf/domain/base/field-value';
import { searchCharsMax, searchCharsMin } from '@draftshelf/domain/base/search-text';
import { type Outcome, outcomes } from '@draftshelf/domain/imports/outcome';
import { issueFilters } from '@draftshelf/domain/review/issues';
import { type RowFilterName, rowFilterNames } from '@draftshelf/domain/review/row-filters';
import { type ClassFilter, classFilters } from '@draftshelf/domain/review/row-rule';
import { parseRowSort, type RowSort, type SortField, splitRowSort } from '@draftshelf/domain/review/row-sort';
import { rowChanges } from '@draftshelf/domain/suppliers/list';
import { useSearchParams } from 'react-router';
import { detailsParam, proposalSourceParam, readCurrentParams } from '../../lib/paths.ts';
import { showElement, useAddressParam } from '../../ui/hooks.ts';
import type { ShownImport } from './imports-api.ts';

/** Returns the next sort: ascending, descending, or as in the file. `isSecond`: true for the second of two sorts. */
export function cycleSort(
  field: CanonicalInlineField,
  now: RowSort | undefined,
  isSecond: boolean,
): RowSort | undefined {
  const [first, second] = now === undefined ? [] : (now.split(',') as SortField[]);
  const [of] = now === undefined ? [] : splitRowSort(now);
  if (of === undefined || first === undefined) return field;
  if (of.field !== field) return isSecond ? createRowSort(first, nextBy(field, second)) : field;
  const next = nextBy(field, first);
  return next && createRowSort(next, second);
}

function nextBy(field: CanonicalInlineField, now: SortField | undefined): SortField | undefined {
  if (now === field) return `-${field}`;
  return now === `-${field}` ? undefined : field;
}

export const createRowSort = (first: SortField, second: SortField | undefined): RowSort =>
  second === undefined ? first : `${first},${second}`;

/** Sets a part of the address, or removes it if `value` is null or empty. Also removes `page`, so page 1 opens. */
export const setAddressPart = <Name extends 'q' | 'value' | 'change' | 'sort'>(
  now: RowsAddress,
  name: Name,
  value: RowsAddress[Name] | null,
): RowsAddress => pickFiltersAndSort({ ...now, [name]: value || undefined });

/** `value`: a field and a value, such as 'vendor:Nike'. `q`: the search text, absent while it is too short. */
type AddressFilters = { [Name in RowFilterName]?: NonNullable<RowFilters[Name]> };

/** The address of the shown rows. Stored in the URL, so that a reload and the Back button restore it. */
export type RowsAddress = AddressFilters & {
  /** Shows all rows, even if the import would open with a filter. */
  all?: true;
  /** Absent for the order of the file. */
  sort?: RowSort;
  /** Page number from 1. Absent if rows are filtered. */
  page?: number;
  /** The cursor of a filtered page: the row before its first row. */
  after?: number;
  /** The cursor of a filtered page: the row after its last row. */
  before?: number;
};

/** Returns the values without those that are undefined. */
export const omitUndefined = <T extends object>(values: T) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: Exclude<T[Name], undefined>;
  };

/** Reads the address from URL parameters, and ignores invalid ones. */
export function readRowsAddress(search: URLSearchParams): RowsAddress {
  const sorted = omitUndefined({ sort: parseRowSort(search.get('sort') ?? '') ?? undefined });
  const filter = ofEachFilter((name) => readers[name](search.get(name) ?? ''));
  if (!isFiltered(filter)) {
    const all = search.get('class') === allRows ? { all: true as const } : {};
    return { ...all, ...sorted, ...numberAt(search, 'page') };
  }
  const before = numberAt(search, 'before');
  return { ...filter, ...sorted, ...(before.before === undefined ? numberAt(search, 'after') : before) };
}

/** Readers of a filter's value. A reader returns undefined if the text is not a value of its filter. */
const readers: { [Name in RowFilterName]: (text: string) => AddressFilters[Name] | undefined } = {
  class: (text) => classFilters.find((name) => name === text),
  issue: (text) => issueFilters.find((name) => name === text),
  outcome: (text) => outcomes.find((name) => name === text),
  change: (text) => rowChanges.find((name) => name === text),
  value: (text) => (parseFieldValue(text) === null ? undefined : text),
  q: (text) => normalizeSearchText(text) || undefined,
};

const ofEachFilter = (read: (name: RowFilterName) => AddressFilters[RowFilterName] | undefined) =>
  omitUndefined(Object.fromEntries(rowFilterNames.map((name) => [name, read(name)]))) as AddressFilters;

const allRows = 'all';

/** True if the address has no parameters, so that the page chooses the rows. */
const namesNoRows = (address: RowsAddress): boolean => Object.keys(address).length === 0;

function numberAt<N extends 'page' | 'after' | 'before'>(
  search: URLSearchParams,
  name: N,
): { [K in N]?: number } {
  const text = search.get(name) ?? '';
  if (!/^[1-9]\d{0,8}$/.test(text)) return {};
  return { [name]: Number(text) } as { [K in N]?: number };
}

export function readAddressOrOpening(opening: RowsAddress, search: URLSearchParams): RowsAddress {
  const named = readRowsAddress(search);
  return namesNoRows(named) ? opening : named;
}

/** Returns the address in the URL now. The rendered rows may still be those of an earlier address. */
export const readCurrentAddress = (opening: RowsAddress): RowsAddress =>
  readAddressOrOpening(opening, readCurrentParams());

export function formatRowsAddress(address: RowsAddress): URLSearchParams {
  const { all, ...named } = address;
  const search = new URLSearchParams(all ? { class: allRows } : {});
  for (const [name, value] of Object.entries(named)) {
    const isFirst = (name === 'page' && value === 1) || (name === 'after' && value === 0);
    if (value !== undefined && value !== '' && !isFirst) search.set(name, String(value));
  }
  return search;
}

export const pickFilters = (address: RowsAddress): AddressFilters => ofEachFilter((name) => address[name]);

/** Returns the filters and the sort order of an address, without its page. */
export const pickFiltersAndSort = (address: RowsAddress): AddressFilters & Pick<RowsAddress, 'sort'> => ({
  ...pickFilters(address),
  ...omitUndefined({ sort: address.sort }),
});

/** A pressed filter button. `all`: the button that removes every filter. */
export type PressedFilter =
  | { all: true }
  | { class: ClassFilter }
  | { issue: IssueFilter }
  | { outcome: Outcome };

/** Returns the address after a filter button was pressed. Pressing an active filter removes it. */
export function applyPressedFilter(now: RowsAddress, pressed: PressedFilter): RowsAddress {
  if ('all' in pressed) return omitUndefined({ sort: now.sort });
  const [[name, value]] = Object.entries(pressed) as [[Exclude<keyof RowsAddress, 'all'>, string]];
  const others: RowsAddress = pickFiltersAndSort(now);
  const before = others[name];
  delete others[name];
  // Removes the filter by rows that need the operator, because the count next to an issue includes other rows.
  if (name === 'issue' && others.class === 'needs-you') delete others.class;
  return value === before ? others : { ...others, [name]: value };
}

/** Compares the filters and the sort order of two addresses, but not their pages. */
export const hasSameFilter = (a: RowsAddress, b: RowsAddress): boolean =>
  a.sort === b.sort && rowFilterNames.every((name) => a[name] === b[name]);

/** True if a filter other than the class is active. The class itself is shown by its pressed button. */
export const hasFilterBesideClass = ({ class: _class, ...others }: RowsAddress): boolean =>
  isFiltered(others);

export const isFiltered = (address: RowsAddress): boolean =>
  rowFilterNames.some((name) => address[name] !== undefined);

/** Returns the trimmed search text, or '' if it is too short for a search. */
export function normalizeSearchText(text: string): string {
  const trimmed = text.trim().slice(0, searchCharsMax);
  return [...trimmed].length < searchCharsMin ? '' : trimmed;
}

/** Parses a row number from texts such as 'row 51' or 'row #1,204'. Null for other texts. */
export function parseRowNumber(text: string): number | null {
  const digits = /^\s*row\s*#?\s*(\d[\d,. ]{0,11})\s*$/i.exec(text)?.[1];
  return digits === undefined ? null : Number(digits.replace(/\D/g, ''));
}

export type OpenedImport = Pick<ShownImport, 'status' | 'warningProducts' | 'errorProducts'>;

/** Returns the filter with which an import opens: rows that need the operator if the import is in review, else none. */
export const findOpeningFilter = (
  { status, warningProducts, errorProducts }: OpenedImport,
  open = warningProducts + errorProducts,
): { class?: 'needs-you' } => (status === 'queued' && open > 0 ? { class: 'needs-you' } : {});

export type DetailsSection =
  | 'before-push'
  | 'in-store'
  | 'list-since'
  | 'field-mapping'
  | 'file'
  | 'pictures'
  | 'upc-lookup'
  | 'ask-ai'
  | 'proposals';

/** Returns the section that the address opens, such as `?details=file`, or null if none. */
export function useDetailsSection(): [string | null, (section: DetailsSection | null) => void] {
  const [section, setSection] = useAddressParam(detailsParam);
  return [section, (next) => (next !== null && next === section ? showElement(next) : setSection(next))];
}

export function useShowProposals(): (source?: string) => void {
  const [, setSearch] = useSearchParams();
  return (source) => {
    const next = readCurrentParams();
    next.set(detailsParam, 'proposals');
    if (source !== undefined) next.set(proposalSourceParam, source);
    setSearch(next, { replace: true, preventScrollReset: true });
    showElement('proposals');
  };
}
