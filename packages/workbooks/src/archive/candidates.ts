import { findNotCsvError } from '@draftshelf/csv/detect/not-csv';
import { detectEncoding } from '@draftshelf/csv/encoding/detect-encoding';
import { countOf, formatCount } from '@draftshelf/domain/base/format';
import type { ByteSource } from '../byte-source.ts';
import type { FoundPicture } from '../container.ts';
import { ContainerError, tooLargeError } from '../container-error.ts';
import { detectContainerKind } from '../container-kind.ts';
import { archiveListsMax, examinedFilesMax, type InflateBudget } from '../limits.ts';
import type { ZipEntry } from '../zip/directory.ts';
import { readEntryBytes, toEntryLocation } from '../zip/entry.ts';

export type ListCandidate = { entry: ZipEntry; kind: 'text' | 'workbook' };

const headBytes = 4096;
/** Up to this number of bytes, a text without a delimiter counts as a note to the reader and not as a list. */
const noteBytesMax = 4096;
const delimiters = new Set(Array.from(',;\t|', (delimiter) => delimiter.charCodeAt(0)));
const noise = /(?:^|\/)(?:__macosx\/|\.[^/]*$|~\$[^/]*$|thumbs\.db$|desktop\.ini$)/i;
const photo = /\.(?:jpe?g|png|gif|webp)$/i;
const knownKinds: readonly [kind: string, names: RegExp][] = [
  ['picture', /\.(?:jpe?g|png|gif|webp|bmp|tiff?|svg|heic|avif|psd|eps|ai)$/i],
  ['PDF file', /\.pdf$/i],
];

/** Finds the files that may be lists, in the archive's order. Checks their first bytes, not their names. */
export async function findListFiles(
  source: ByteSource,
  entries: readonly ZipEntry[],
  budget: InflateBudget,
): Promise<ListCandidate[]> {
  const found: ListCandidate[] = [];
  const counts = new Map<string, number>();
  const examined: ZipEntry[] = [];
  const refused: ContainerError[] = [];
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
  for (const entry of entries) {
    const path = entry.name.replaceAll('\\', '/');
    if (noise.test(path)) continue;
    const known = path.endsWith('/') ? 'folder' : knownKinds.find(([, names]) => names.test(path))?.[0];
    if (known !== undefined) count(known);
    else if (entry.bytes > 0) examined.push(entry);
  }
  refuseMore('files that are no pictures', examined.length, examinedFilesMax);
  for (const entry of examined) {
    const head = await headOf(source, entry, budget).catch((error: unknown) => {
      if (!(error instanceof ContainerError)) throw error;
      refused.push(error);
      return null;
    });
    if (head === null) continue;
    const kind = kindOf(head, entry.bytes);
    if (kind === 'text' || kind === 'workbook') found.push({ entry, kind });
    else count(kind);
    refuseMore('lists', found.length, archiveListsMax);
  }
  if (found.length === 0) throw refused[0] ?? noList(counts);
  return found;
}

function refuseMore(what: string, count: number, max: number): void {
  if (count <= max) return;
  throw tooLargeError(`This archive has more than ${formatCount(max)} ${what}. Pack fewer of them.`);
}

/** Returns the picture files of an archive, which may be pictures of products. */
export const findPictureFiles = (entries: readonly ZipEntry[]): FoundPicture[] =>
  entries.flatMap((entry) => {
    const path = entry.name.replaceAll('\\', '/');
    return photo.test(path) && !noise.test(path) && !entry.isEncrypted
      ? [{ entry: path, ...toEntryLocation(entry) }]
      : [];
  });

async function headOf(source: ByteSource, entry: ZipEntry, budget: InflateBudget): Promise<Uint8Array> {
  const head = new Uint8Array(Math.min(headBytes, entry.bytes));
  let length = 0;
  for await (const chunk of readEntryBytes(source, entry, budget)) {
    head.set(chunk.subarray(0, head.length - length), length);
    length = Math.min(head.length, length + chunk.length);
    if (length === head.length) break;
  }
  return head;
}

function kindOf(head: Uint8Array, bytes: number): string {
  const container = detectContainerKind(head);
  if (container !== null)
    return isWorkbook(head) ? 'workbook' : container === 'cfb' ? 'old workbook' : 'archive';
  const { encoding } = detectEncoding(head, bytes <= head.length);
  const isNote = bytes <= noteBytesMax && !head.some((byte) => delimiters.has(byte));
  return isNote || findNotCsvError(head, /^utf-(?:16|32)/.test(encoding)) ? 'other file' : 'text';
}

const isWorkbook = (head: Uint8Array) =>
  /^PK.{28}(?:\[Content_Types\]\.xml|_rels\/|docProps\/|xl\/|mimetype)/s.test(
    new TextDecoder('latin1').decode(head),
  );

function noList(others: ReadonlyMap<string, number>): ContainerError {
  const found = new Intl.ListFormat('en-US').format([...others].map(([what, count]) => countOf(count, what)));
  const message =
    others.size === 1 && others.has('picture')
      ? `This archive has ${found} and no list. Put the product list into it.`
      : others.size === 0
        ? 'This archive is empty.'
        : `This archive has no product list. It holds ${found}.`;
  return new ContainerError('no_list', message);
}
