import type { RowField } from '../base/canonical-fields.ts';

/** Reasons why a list could not be fetched, and whether it is retried before its next time. */
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
export type ListTrouble = keyof typeof passesBySelf;
export const listTroubles = Object.keys(passesBySelf) as ListTrouble[];

/** Pauses before further attempts after a trouble that may pass. */
const retryMinutes = [1, 5, 15, 45] as const;

/** The pause before an early retry; null: the list waits for its time. */
export function retryMsOf(trouble: ListTrouble, failures: number): number | null {
  const minutes = passesBySelf[trouble] ? retryMinutes[failures - 1] : undefined;
  return minutes === undefined ? null : minutes * 60_000;
}

/** Differences of a list from the last one of its supplier. */
export type ListDifference = { new: number; dearer: number; cheaper: number; missing: number };

/** The result of testing an address: a list as it would be read. */
export type ListPreview = {
  filename: string;
  rows: number;
  products: number;
  columns: { header: string; field: RowField }[];
  /** Cells of the first rows, in the order of columns. */
  records: string[][];
  /** Null: there is no list to compare with. */
  compared: ListDifference | null;
  /** sftp: the SHA-256 of the server's key. */
  hostKey: string | null;
};

export const previewRecordsMax = 5;
export const previewColumnsMax = 12;

/** When a list is fetched. `at`: a time of the day like '07:30', in the operator's zone. */
export type ListSchedule = { every: 'hour' } | { every: 'day' | 'weekday'; at: string };

/** Whether `Intl` knows a time zone. */
export function isTimeZone(zone: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: zone }) !== null;
  } catch {
    return false;
  }
}
