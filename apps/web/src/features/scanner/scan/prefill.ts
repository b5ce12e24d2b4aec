import type { Scan } from '@draftshelf/domain/scanner/read-scan';
import { formatClock } from '../../../lib/intl.ts';
import { createSessionList, hasShape, isNullOr, isText } from '../../../lib/storage.ts';
import type { CodeReply } from '../scanner-api.ts';
import { isScannedCode, type ScannedCode } from './reader-options.ts';

export const lookUpFailedWords = 'Couldn’t look up this code.';

export type Proposal = { source: string; values: { name?: string; description?: string; price?: string } };

export type Prefill = {
  code: { upc?: string; sku?: string };
  /** Proposals, the best first. */
  found: Proposal[];
  photos: string[];
  note: string | null;
};

/** Maximum number of pictures to add. Further pictures mostly show the same product from other shops. */
const photosMax = 1;

/** Returns the values to fill into a form. `reply`: null if the look-up failed. */
export const toPrefill = (scan: Scan, reply: CodeReply | null): Prefill => ({
  code: scan.kind === 'gtin' ? { upc: scan.text } : { sku: scan.text },
  found: reply === null ? [] : listProposals(reply),
  photos: reply === null ? [] : choosePictures(reply),
  note: noteOf(scan, reply),
});

/** Returns the proposals of a source, then those of a row of an import. */
export const listProposals = ({ found, inImports: [row] }: CodeReply): Proposal[] => [
  // No price, because sources only have the prices of other shops.
  ...(found ? [{ source: found.source, values: textsOf(found.title, found.description, null) }] : []),
  ...(row ? [{ source: row.filename, values: textsOf(row.title, row.description, row.price) }] : []),
];

export function choosePictures({ found, inImports: [row] }: CodeReply): string[] {
  const pictures = found && found.images.length > 0 ? found.images : (row?.images ?? []);
  return pictures.slice(0, photosMax);
}

const textsOf = (name: string | null, description: string | null, price: string | null) => ({
  ...(name ? { name } : {}),
  ...(description ? { description } : {}),
  ...(price ? { price } : {}),
});

function noteOf(scan: Scan, reply: CodeReply | null): string | null {
  const row = reply?.inImports[0];
  const words = [
    scan.problem,
    reply?.inStore ? `Already in the store: ${reply.inStore.title}.` : null,
    row ? `In ${row.filename}, row ${row.row}.` : null,
    askedWords(reply),
    reply?.found?.attribution ?? null,
  ];
  return words.filter((sentence) => sentence).join(' ') || null;
}

function askedWords(reply: CodeReply | null): string | null {
  if (reply === null) return lookUpFailedWords;
  const { asked, waiting } = reply;
  if (asked === 'quota' && waiting)
    return `${waiting.source} answers again at ${formatClock(waiting.until)}.`;
  if (asked === 'failed') return lookUpFailedWords;
  if (asked === 'later') return 'Looking it up…';
  if (asked === 'asking')
    return 'A source is being asked about this code right now. Scan it again in a moment.';
  return asked === 'missing' ? 'No source knows this code.' : null;
}

export const sessionScansMax = 20;

export type SessionScan = {
  code: ScannedCode;
  text: string;
  /** Name of the library's product; null if the library did not have the code. */
  name: string | null;
};

const isSessionScan = hasShape<SessionScan>({ code: isScannedCode, text: isText, name: isNullOr(isText) });

/** Adds a scan at the top of the list. If the list already has the code, moves the code to the top. */
export const addScan = (scans: readonly SessionScan[], scan: SessionScan): SessionScan[] =>
  [scan, ...scans.filter(({ text }) => text !== scan.text)].slice(0, sessionScansMax);

export const storedScans = createSessionList('draftshelf-session-scans', isSessionScan);
