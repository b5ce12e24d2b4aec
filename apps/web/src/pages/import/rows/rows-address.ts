import { IssueFilter } from '@draftshelf/contract/rows';
import { type RowClass, rowClasses } from '@draftshelf/domain/row-rule';
import { searchCharsMax, searchCharsMin } from '@draftshelf/domain/search-text';

/** Which rows are shown, as it stands in the address: it survives a reload, and Back goes to what was shown before. */
export type RowsAddress = {
  class?: RowClass;
  issue?: IssueFilter;
  /** What is searched, which is nothing before there are enough letters. */
  q?: string;
  /** The page, from 1, where all rows are shown; … */
  page?: number;
  /** … where some are, the row that they follow, … */
  after?: number;
  /** … or the one that they precede. */
  before?: number;
};

/** Reads an address; what it does not understand is left out. */
export function readRowsAddress(search: URLSearchParams): RowsAddress {
  const ofClass = rowClasses.find((name) => name === search.get('class'));
  const issue = IssueFilter.options.find((name) => name === search.get('issue'));
  const q = wantedText(search.get('q') ?? '');
  const filter = {
    ...(ofClass === undefined ? {} : { class: ofClass }),
    ...(issue === undefined ? {} : { issue }),
    ...(q === '' ? {} : { q }),
  };
  if (!isFiltered(filter)) return numberAt(search, 'page');
  const before = numberAt(search, 'before');
  return { ...filter, ...(before.before === undefined ? numberAt(search, 'after') : before) };
}

function numberAt<N extends 'page' | 'after' | 'before'>(
  search: URLSearchParams,
  name: N,
): { [K in N]?: number } {
  const text = search.get(name) ?? '';
  if (!/^[1-9]\d{0,8}$/.test(text)) return {};
  return { [name]: Number(text) } as { [K in N]?: number };
}

/** The address of what is shown, the shortest that says it. */
export function rowsAddressOf(address: RowsAddress): URLSearchParams {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(address)) {
    const isFirst = (name === 'page' && value === 1) || (name === 'after' && value === 0);
    if (value !== undefined && value !== '' && !isFirst) search.set(name, String(value));
  }
  return search;
}

/** The filter alone, from its first page on. */
export function filterOf({ class: ofClass, issue, q }: RowsAddress): RowsAddress {
  return {
    ...(ofClass === undefined ? {} : { class: ofClass }),
    ...(issue === undefined ? {} : { issue }),
    ...(q === undefined ? {} : { q }),
  };
}

export function isFiltered(address: RowsAddress): boolean {
  return address.class !== undefined || address.issue !== undefined || address.q !== undefined;
}

/** What is searched for when this stands in the field: nothing, while there are too few letters. */
export function wantedText(text: string): string {
  const wanted = text.trim().slice(0, searchCharsMax);
  return [...wanted].length < searchCharsMin ? '' : wanted;
}
