import type { RowField } from '../base/canonical-fields.ts';

/** Reasons why a list could not be fetched. True: the fetch is retried early, before the next scheduled time. */
const passesBySelf = {
  'sign in': false,
  'not found': false,
  address: false,
  throttled: true,
  network: true,
  'cut off': true,
  'web page': false,
  'not a list': false,
  'host key': false,
} as const;
export type FetchFailure = keyof typeof passesBySelf;
export const fetchFailures = Object.keys(passesBySelf) as FetchFailure[];

/** Pauses before the first, second and further retries. */
const retryMinutes = [1, 5, 15, 45] as const;

/** Returns the pause before an early retry, or null if the next fetch is at the scheduled time. */
export function retryMsOf(trouble: FetchFailure, failures: number): number | null {
  const minutes = passesBySelf[trouble] ? retryMinutes[failures - 1] : undefined;
  return minutes === undefined ? null : minutes * 60_000;
}

/** Numbers of a list's items that differ from the supplier's earlier lists. */
export type ListDifference = { new: number; dearer: number; cheaper: number; missing: number };

/** The result of testing an address: a list as it would be read. */
export type ListPreview = {
  filename: string;
  rows: number;
  products: number;
  columns: { header: string; field: RowField }[];
  /** Cells of the first rows, in the order of `columns`. */
  records: string[][];
  /** Null if there is no list to compare with. */
  compared: ListDifference | null;
  /** The SHA-256 of the server's key if the address is sftp, else null. */
  hostKey: string | null;
};

export const previewRecordsMax = 5;
export const previewColumnsMax = 12;

/** When a list is fetched. `at`: a time of the day like '07:30', in the operator's zone. */
export type ListSchedule = { every: 'hour' } | { every: 'day' | 'weekday'; at: string };

/** Returns whether `Intl` supports a time zone. */
export function isTimeZone(zone: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: zone }) !== null;
  } catch {
    return false;
  }
}
