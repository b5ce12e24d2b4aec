import { hasShape, isText, orNull, sessionList } from '../../../lib/storage.ts';
import { isReadCode, type ReadCode } from './reader-options.ts';

export const sessionScansMax = 20;

export type SessionScan = {
  code: ReadCode;
  text: string;
  /** Null: the library did not have the code. */
  name: string | null;
};

const isSessionScan = hasShape<SessionScan>({ code: isReadCode, text: isText, name: orNull(isText) });

/** A code that is listed already moves up. */
export const withScan = (scans: readonly SessionScan[], scan: SessionScan): SessionScan[] =>
  [scan, ...scans.filter(({ text }) => text !== scan.text)].slice(0, sessionScansMax);

export const storedScans = sessionList('draftshelf-session-scans', isSessionScan);
