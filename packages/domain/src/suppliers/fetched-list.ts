import type { RowField } from '../base/canonical-fields.ts';

/** Why a list could not be fetched, and whether it is tried again before its next time. */
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

/** The pause before a list is fetched again although its time has not come; null: it waits for its time. */
export function retryMsOf(trouble: ListTrouble, failures: number): number | null {
  const minutes = passesBySelf[trouble] ? retryMinutes[failures - 1] : undefined;
  return minutes === undefined ? null : minutes * 60_000;
}

/** How a list differs from the last one of its supplier. */
export type ListDifference = { new: number; dearer: number; cheaper: number; missing: number };

/** What the test of an address has found: a list as it would be read. */
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
