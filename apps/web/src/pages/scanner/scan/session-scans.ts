import { scanFormats } from '@draftshelf/domain/read-scan';
import { z } from 'zod';

const storageKey = 'draftshelf-session-scans';
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

/** The codes of this session, the latest first; empty if there are none, or if another version wrote them. */
export function readScans(): SessionScan[] {
  try {
    return z.array(SessionScan).parse(JSON.parse(sessionStorage.getItem(storageKey) ?? '[]'));
  } catch {
    return [];
  }
}

/** Keeps the list until the tab is closed. */
export function storeScans(scans: readonly SessionScan[]): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(scans));
  } catch {
    // Without storage the list lives as long as the page.
  }
}
