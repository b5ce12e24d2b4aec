/** The filters of the history and its page, as in the URL. '' does not filter. */
export type HistoryAddress = { status: string; date: string; supplier: string; file: string; page: number };

/** Reads the address. A page that is not a number above 0 is the first one. */
export function filtersOf(search: URLSearchParams): HistoryAddress {
  const page = Number(search.get('page') ?? 1);
  const status = search.get('status') ?? '';
  return {
    status: status === 'all' ? '' : status,
    date: search.get('date') ?? '',
    supplier: search.get('supplier') ?? '',
    file: search.get('file') ?? '',
    page: Number.isInteger(page) && page > 0 ? page : 1,
  };
}

/** The URL parameters without defaults. */
export function addressOf({ page, ...filters }: HistoryAddress): Record<string, string> {
  const set = Object.entries(filters).filter(([, value]) => value !== '');
  return { ...Object.fromEntries(set), ...(page === 1 ? {} : { page: String(page) }) };
}

export function isFiltered({ page: _, ...filters }: HistoryAddress): boolean {
  return Object.values(filters).some((filter) => filter !== '');
}

export function matchesFile(record: { filename: string }, { file }: Pick<HistoryAddress, 'file'>): boolean {
  return record.filename.toLowerCase().includes(file.toLowerCase());
}
