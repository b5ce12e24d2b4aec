import { dosCodePages } from '@draftshelf/csv/encoding/dos-pages';
import { removeInvisible } from '@draftshelf/domain/base/file-name';
import { type ByteSource, readRange } from '../byte-source.ts';
import type { EntryLocation } from '../container.ts';
import { ContainerError, cutOffError, damagedError, tooLargeError } from '../container-error.ts';
import { directoryBytesMax, entriesMax, nameLengthMax } from '../limits.ts';

/** An entry as described in the directory. Local headers are not trusted. */
export type ZipEntry = EntryLocation & { name: string; isEncrypted: boolean };

const endBytes = 22;
const commentBytesMax = 65_535;
const locatorBytes = 20;
const headerBytes = 46;
export const localHeaderBytes = 30;
/** Maximum number of end records tried, because each may refer to a directory of 16 MiB. */
const endRecordsMax = 16;

type EndRecord = { directoryFrom: number; directoryBytes: number; entries: number; dataFrom: number };

/** Reads the entries of an archive from the directory at its end. Throws ContainerError. */
export async function readDirectory(source: ByteSource): Promise<ZipEntry[]> {
  const tailFrom = Math.max(0, source.bytes - endBytes - commentBytesMax - locatorBytes);
  const tail = await readRange(source, tailFrom, source.bytes);
  if (tail.length < source.bytes - tailFrom) throw cutOffError();
  const view = viewOf(tail);
  // A comment may look like an end record, so the last record with a valid directory is used.
  let tries = 0;
  for (let at = tail.length - endBytes; at >= 0 && tries < endRecordsMax; at -= 1) {
    if (view.getUint32(at, true) !== 0x06054b50) continue;
    if (tailFrom + at + endBytes + view.getUint16(at + 20, true) > source.bytes) continue;
    tries += 1;
    const end = await endRecordAt(source, view, at, tailFrom);
    const entries = end && (await entriesOf(source, end));
    if (entries) return refuseOverlaps(entries, end.directoryFrom);
  }
  throw cutOffError();
}

async function endRecordAt(source: ByteSource, view: DataView, at: number, tailFrom: number) {
  const entries = view.getUint16(at + 10, true);
  const directoryBytes = view.getUint32(at + 12, true);
  const directoryOffset = view.getUint32(at + 16, true);
  const locatorAt = at - locatorBytes;
  if (locatorAt >= 0 && view.getUint32(locatorAt, true) === 0x07064b50) {
    return zip64EndRecord(source, Number(view.getBigUint64(locatorAt + 8, true)), tailFrom + locatorAt);
  }
  return fitting(tailFrom + at, directoryOffset, directoryBytes, entries);
}

async function zip64EndRecord(source: ByteSource, offset: number, locatorAt: number) {
  // If other data precedes the archive, `offset` is wrong, but the record is still directly before its locator.
  for (const from of [offset, locatorAt - 56]) {
    if (from < 0 || from + 56 > locatorAt) continue;
    const record = await readRange(source, from, from + 56);
    if (record.length < 56 || viewOf(record).getUint32(0, true) !== 0x06064b50) continue;
    const view = viewOf(record);
    const [entries, bytes, directory] = [32, 40, 48].map((at) => Number(view.getBigUint64(at, true)));
    return fitting(from, directory as number, bytes as number, entries as number);
  }
  return null;
}

/** Returns the directory that ends at `endAt`. Data before the archive (`dataFrom` bytes) shifts all offsets. */
function fitting(endAt: number, offset: number, directoryBytes: number, entries: number): EndRecord | null {
  const dataFrom = endAt - directoryBytes - offset;
  if (dataFrom < 0 || offset < 0) return null;
  return { directoryFrom: endAt - directoryBytes, directoryBytes, entries, dataFrom };
}

async function entriesOf(source: ByteSource, end: EndRecord): Promise<ZipEntry[] | null> {
  if (end.entries > entriesMax || end.directoryBytes > directoryBytesMax) {
    throw tooLargeError(
      `This archive has more than ${entriesMax.toLocaleString('en-US')} files. Pack fewer of them.`,
    );
  }
  const bytes = await readRange(source, end.directoryFrom, end.directoryFrom + end.directoryBytes);
  const view = viewOf(bytes);
  const entries: ZipEntry[] = [];
  for (let at = 0; entries.length < end.entries; ) {
    if (at + headerBytes > bytes.length || view.getUint32(at, true) !== 0x02014b50) return null;
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((field) =>
      view.getUint16(at + field, true),
    ) as [number, number, number];
    const next = at + headerBytes + nameBytes + extraBytes + commentBytes;
    if (next > bytes.length) return null;
    const entry = entryAt(bytes, view, at, nameBytes, extraBytes);
    entry.offset += end.dataFrom;
    entries.push(entry);
    at = next;
  }
  return entries;
}

function entryAt(bytes: Uint8Array, view: DataView, at: number, nameBytes: number, extraBytes: number) {
  const flags = view.getUint16(at + 8, true);
  const nameFrom = at + headerBytes;
  const name = decodeName(bytes.subarray(nameFrom, nameFrom + nameBytes));
  if (name.length > nameLengthMax) {
    throw tooLargeError(
      `A name in this archive has more than ${nameLengthMax} characters. Pack it with shorter names.`,
    );
  }
  const entry: ZipEntry = {
    name,
    offset: view.getUint32(at + 42, true),
    packed: view.getUint32(at + 20, true),
    bytes: view.getUint32(at + 24, true),
    method: view.getUint16(at + 10, true),
    crc: view.getUint32(at + 16, true),
    isEncrypted: (flags & 1) === 1,
  };
  readZip64(entry, view, nameFrom + nameBytes, nameFrom + nameBytes + extraBytes);
  return entry;
}

/** Reads sizes and offsets beyond 32 bits from the extra field. */
function readZip64(entry: ZipEntry, view: DataView, from: number, to: number): void {
  for (let at = from; at + 4 <= to; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== 1) continue;
    const fieldTo = Math.min(to, at + 4 + view.getUint16(at + 2, true));
    let next = at + 4;
    for (const field of ['bytes', 'packed', 'offset'] as const) {
      if (entry[field] !== 0xffffffff) continue;
      if (next + 8 > fieldTo) throw damagedError('its table of contents is incomplete');
      entry[field] = Number(view.getBigUint64(next, true));
      next += 8;
    }
    return;
  }
}

/** Throws if entries overlap. Only an attacker writes such entries, to unpack far more bytes than the archive has. */
function refuseOverlaps(entries: ZipEntry[], directoryFrom: number): ZipEntry[] {
  const sorted = entries.toSorted((a, b) => a.offset - b.offset);
  for (const [at, { offset, packed }] of sorted.entries()) {
    const end = sorted[at + 1]?.offset ?? directoryFrom;
    if (offset + localHeaderBytes + packed > end) {
      throw new ContainerError('workbook_damaged', 'The file is damaged: parts of it overlap. Get it again.');
    }
  }
  return entries;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes a name as UTF-8 if it is valid UTF-8, whatever the entry's flag is, else as code page 437 of old tools. */
export const decodeName = (bytes: Uint8Array): string => removeInvisible(decoded(bytes));

function decoded(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    const letterOf = (byte: number) =>
      byte < 128 ? String.fromCharCode(byte) : dosCodePages.cp437[byte - 128];
    return Array.from(bytes, letterOf).join('');
  }
}

/** Normalizes case and slashes, which Excel ignores in names. */
export const normalizeName = (name: string): string =>
  name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase();
