import type { IssueFilter, RowFilters } from '@draftshelf/contract/review/rows';
import type { OwnInlineField } from '@draftshelf/domain/base/field-look';
import { parseFieldValue } from '@draftshelf/domain/base/field-value';
import { searchCharsMax, searchCharsMin } from '@draftshelf/domain/base/search-text';
import { type Outcome, outcomes } from '@draftshelf/domain/imports/outcome';
import { issueFilters } from '@draftshelf/domain/review/issues';
import { type RowFilterName, rowFilterNames } from '@draftshelf/domain/review/row-filters';
import { type ClassFilter, classFilters } from '@draftshelf/domain/review/row-rule';
import { parseRowSort, type RowSort, type SortBy, sortsOf } from '@draftshelf/domain/review/row-sort';
import { rowChanges } from '@draftshelf/domain/suppliers/list';
import { useSearchParams } from 'react-router';
import { detailsParam, readCurrentParams, shownSourceParam } from '../../lib/paths.ts';
import { showElement, useAddressParam } from '../../ui/hooks.ts';
import type { ShownImport } from './imports-api.ts';

/** Cycles through ascending, descending and the file's order. `isSecond`: sorts rows with equal first values. */
export function nextSort(
  field: OwnInlineField,
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

function nextBy(field: OwnInlineField, now: SortBy | undefined): SortBy | undefined {
  if (now === field) return `-${field}`;
  return now === `-${field}` ? undefined : field;
}

export const sortBy = (first: SortBy, second: SortBy | undefined): RowSort =>
  second === undefined ? first : `${first},${second}`;

/** Sets or removes a part of the address, and returns to the first page. */
export const withPart = <Name extends 'q' | 'value' | 'change' | 'sort'>(
  now: RowsAddress,
  name: Name,
  value: RowsAddress[Name] | null,
): RowsAddress => filterOf({ ...now, [name]: value || undefined });

/** `value`: such as 'vendor:Nike'. `q`: absent while the text is too short. */
type AddressFilters = { [Name in RowFilterName]?: NonNullable<RowFilters[Name]> };

/** Stored in the URL, so that it survives a reload and Back restores it. */
export type RowsAddress = AddressFilters & {
  /** All rows, even if the page would open with a filter. */
  all?: true;
  /** Absent for the order of the file. */
  sort?: RowSort;
  /** Page number from 1, if there is no filter. */
  page?: number;
  /** Under a filter, the cursor: the row before the page. */
  after?: number;
  /** Under a filter, the cursor: the row after the page. */
  before?: number;
};

/** Removes undefined values. */
export const omitUndefined = <T extends object>(values: T) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: Exclude<T[Name], undefined>;
  };

/** Ignores invalid parameters. */
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

/** Reads each filter's value from text. Undefined if the text is not a value of the filter. */
const readers: { [Name in RowFilterName]: (text: string) => AddressFilters[Name] | undefined } = {
  class: (text) => classFilters.find((name) => name === text),
  issue: (text) => issueFilters.find((name) => name === text),
  outcome: (text) => outcomes.find((name) => name === text),
  change: (text) => rowChanges.find((name) => name === text),
  value: (text) => (parseFieldValue(text) === null ? undefined : text),
  q: (text) => searchTextOf(text) || undefined,
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

export function rowsAddressOr(opening: RowsAddress, search: URLSearchParams): RowsAddress {
  const named = readRowsAddress(search);
  return namesNoRows(named) ? opening : named;
}

/** Returns the current address, which may be newer than the rendered rows. */
export const rowsAddressNow = (opening: RowsAddress): RowsAddress =>
  rowsAddressOr(opening, readCurrentParams());

export function rowsAddressOf(address: RowsAddress): URLSearchParams {
  const { all, ...named } = address;
  const search = new URLSearchParams(all ? { class: allRows } : {});
  for (const [name, value] of Object.entries(named)) {
    const isFirst = (name === 'page' && value === 1) || (name === 'after' && value === 0);
    if (value !== undefined && value !== '' && !isFirst) search.set(name, String(value));
  }
  return search;
}

export const filtersOf = (address: RowsAddress): AddressFilters => ofEachFilter((name) => address[name]);

/** Returns the filters and the sort order. */
export const filterOf = (address: RowsAddress): AddressFilters & Pick<RowsAddress, 'sort'> => ({
  ...filtersOf(address),
  ...omitUndefined({ sort: address.sort }),
});

/** `all`: every row, without a filter. */
export type PressedFilter =
  | { all: true }
  | { class: ClassFilter }
  | { issue: IssueFilter }
  | { outcome: Outcome };

/** Returns the address after a press. A second press removes the filter. */
export function afterPress(now: RowsAddress, pressed: PressedFilter): RowsAddress {
  if ('all' in pressed) return omitUndefined({ sort: now.sort });
  const [[name, value]] = Object.entries(pressed) as [[Exclude<keyof RowsAddress, 'all'>, string]];
  const others: RowsAddress = filterOf(now);
  const before = others[name];
  delete others[name];
  // An issue's count includes rows that need no action, so the issue's filter must include them, too.
  if (name === 'issue' && others.class === 'needs-you') delete others.class;
  return value === before ? others : { ...others, [name]: value };
}

/** Compares filters and sort order, not the page. */
export const hasSameFilter = (a: RowsAddress, b: RowsAddress): boolean =>
  a.sort === b.sort && rowFilterNames.every((name) => a[name] === b[name]);

/** Excludes the class, because the class's own button shows that it is pressed. */
export const isNarrowed = ({ class: _class, ...others }: RowsAddress): boolean => isFiltered(others);

export const isFiltered = (address: RowsAddress): boolean =>
  rowFilterNames.some((name) => address[name] !== undefined);

/** Returns '' while the text is too short. */
export function searchTextOf(text: string): string {
  const trimmed = text.trim().slice(0, searchCharsMax);
  return [...trimmed].length < searchCharsMin ? '' : trimmed;
}

/** Reads 'row 51', also with '#' or thousands separators. Null for other texts. */
export function rowNumberOf(text: string): number | null {
  const digits = /^\s*row\s*#?\s*(\d[\d,. ]{0,11})\s*$/i.exec(text)?.[1];
  return digits === undefined ? null : Number(digits.replace(/\D/g, ''));
}

export type OpenedImport = Pick<ShownImport, 'status' | 'warningProducts' | 'errorProducts'>;

/** Returns the rows that need the operator while the import waits for a review, and all rows otherwise. */
export const openingFilter = (
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
export function useDetails(): [string | null, (section: DetailsSection | null) => void] {
  const [section, setSection] = useAddressParam(detailsParam);
  return [section, (next) => (next !== null && next === section ? showElement(next) : setSection(next))];
}

export function useShowProposals(): (source?: string) => void {
  const [, setSearch] = useSearchParams();
  return (source) => {
    const next = readCurrentParams();
    next.set(detailsParam, 'proposals');
    if (source !== undefined) next.set(shownSourceParam, source);
    setSearch(next, { replace: true, preventScrollReset: true });
    showElement('proposals');
  };
}
