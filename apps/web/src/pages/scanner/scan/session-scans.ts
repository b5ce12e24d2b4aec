import { scanFormats } from '@draftshelf/domain/scanner/read-scan';
import { z } from 'zod';
import { sessionList } from '../../../lib/session-list.ts';

/** The list keeps so many codes. */
export const sessionScansMax = 20;

const SessionScan = z.object({
  code: z.object({ text: z.string(), format: z.enum(scanFormats).nullable() }),
  /** The code as it is shown. */
  text: z.string(),
  /** The name of the product that it opened; null: the library did not have the code. */
  name: z.string().nullable(),
});
/** A code that was scanned in this session of the browser. */
export type SessionScan = z.infer<typeof SessionScan>;

/** The list with another scan in front. A code that is in the list moves up. */
export function withScan(scans: readonly SessionScan[], scan: SessionScan): SessionScan[] {
  return [scan, ...scans.filter(({ text }) => text !== scan.text)].slice(0, sessionScansMax);
}

/** The codes of this session, the latest first. */
export const storedScans = sessionList('draftshelf-session-scans', z.array(SessionScan));
