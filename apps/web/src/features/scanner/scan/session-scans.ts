import { sessionList } from '../../../lib/session-list.ts';
import { hasShape, isText, orNull } from '../../../lib/shape.ts';
import { isReadCode, type ReadCode } from './reader-options.ts';

/** The length of the list. */
export const sessionScansMax = 20;

/** A code that was scanned in this session of the browser. */
export type SessionScan = {
  code: ReadCode;
  /** The code as it is shown. */
  text: string;
  /** The name of the product that it opened; null: the library did not have the code. */
  name: string | null;
};

const isSessionScan = hasShape<SessionScan>({ code: isReadCode, text: isText, name: orNull(isText) });

/** The list with another scan in front. A code that is in the list moves up. */
export function withScan(scans: readonly SessionScan[], scan: SessionScan): SessionScan[] {
  return [scan, ...scans.filter(({ text }) => text !== scan.text)].slice(0, sessionScansMax);
}

/** The codes of this session, the latest first. */
export const storedScans = sessionList('draftshelf-session-scans', isSessionScan);
