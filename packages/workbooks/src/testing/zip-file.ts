import { joinBytes } from '@draftshelf/csv/joined';
import { crc32 } from '@draftshelf/domain/base/crc32';
import { iterateChunks } from '../byte-source.ts';

/** A file of an archive, and false claims of its directory about it. */
export type ZipPart = {
  name: string;
  data: string | Uint8Array;
  isStored?: boolean;
  /** The name in its local header. */
  localName?: string;
  claims?: { crc?: number; bytes?: number; offset?: number; method?: number; flags?: number };
};

type ZipOptions = { before?: Uint8Array; comment?: Uint8Array; isZip64?: boolean };

const encoder = new TextEncoder();
export const bytesOf = (data: string | Uint8Array): Uint8Array =>
  typeof data === 'string' ? encoder.encode(data) : data;

/** An archive with these files. */
export async function zipFile(
  parts: readonly ZipPart[],
  options: ZipOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const { before = new Uint8Array(0), comment = new Uint8Array(0), isZip64 = false } = options;
  const pieces: Uint8Array[] = [before];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const part of parts) {
    const data = bytesOf(part.data);
    const packed = part.isStored ? data : await compressed(data, 'deflate-raw');
    const { claims = {} } = part;
    const facts = {
      flags: claims.flags ?? 0x800,
      method: claims.method ?? (part.isStored ? 0 : 8),
      crc: claims.crc ?? crc32(data),
      packed: packed.length,
      bytes: claims.bytes ?? data.length,
    };
    const local = headerOf(0x04034b50, facts, bytesOf(part.localName ?? part.name));
    pieces.push(local, packed);
    directory.push(headerOf(0x02014b50, facts, bytesOf(part.name), claims.offset ?? offset, isZip64));
    offset += local.length + packed.length;
  }
  const directoryBytes = directory.reduce((sum, { length }) => sum + length, 0);
  const end = isZip64
    ? [zip64End(parts.length, directoryBytes, offset), endRecord(0xffff, 0xffffffff, 0xffffffff, comment)]
    : [endRecord(parts.length, directoryBytes, offset, comment)];
  return joinBytes([...pieces, ...directory, ...end]);
}

type Facts = { flags: number; method: number; crc: number; packed: number; bytes: number };

function headerOf(
  signature: number,
  facts: Facts,
  name: Uint8Array,
  offset?: number,
  isZip64 = false,
): Uint8Array {
  const isLocal = offset === undefined;
  const fixed = isLocal ? 30 : 46;
  const extra = isZip64 ? 28 : 0;
  const header = new Uint8Array(fixed + name.length + extra);
  const view = new DataView(header.buffer);
  view.setUint32(0, signature, true);
  const at = isLocal ? 4 : 6;
  view.setUint16(at, 20, true);
  view.setUint16(at + 2, facts.flags, true);
  view.setUint16(at + 4, facts.method, true);
  view.setUint32(at + 10, facts.crc, true);
  view.setUint32(at + 14, isZip64 ? 0xffffffff : facts.packed, true);
  view.setUint32(at + 18, isZip64 ? 0xffffffff : facts.bytes, true);
  view.setUint16(at + 22, name.length, true);
  view.setUint16(at + 24, extra, true);
  header.set(name, fixed);
  if (!isLocal) view.setUint32(42, isZip64 ? 0xffffffff : offset, true);
  if (isZip64 && !isLocal) {
    const field = fixed + name.length;
    view.setUint16(field, 1, true);
    view.setUint16(field + 2, 24, true);
    for (const [index, value] of [facts.bytes, facts.packed, offset].entries()) {
      view.setBigUint64(field + 4 + index * 8, BigInt(value), true);
    }
  }
  return header;
}

function zip64End(entries: number, directoryBytes: number, offset: number): Uint8Array {
  const record = new Uint8Array(56 + 20);
  const view = new DataView(record.buffer);
  view.setUint32(0, 0x06064b50, true);
  view.setBigUint64(4, 44n, true);
  for (const at of [24, 32]) view.setBigUint64(at, BigInt(entries), true);
  view.setBigUint64(40, BigInt(directoryBytes), true);
  view.setBigUint64(48, BigInt(offset), true);
  view.setUint32(56, 0x07064b50, true);
  view.setBigUint64(64, BigInt(offset + directoryBytes), true);
  view.setUint32(72, 1, true);
  return record;
}

export function endRecord(
  entries: number,
  directoryBytes: number,
  offset: number,
  comment: Uint8Array,
): Uint8Array {
  const record = new Uint8Array(22 + comment.length);
  const view = new DataView(record.buffer);
  view.setUint32(0, 0x06054b50, true);
  for (const at of [8, 10]) view.setUint16(at, entries, true);
  view.setUint32(12, directoryBytes, true);
  view.setUint32(16, offset, true);
  view.setUint16(20, comment.length, true);
  record.set(comment, 22);
  return record;
}

export async function compressed(
  data: Uint8Array,
  format: 'deflate-raw' | 'gzip',
): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([data as Uint8Array<ArrayBuffer>])
    .stream()
    .pipeThrough(new CompressionStream(format));
  return joinBytes(await Array.fromAsync(iterateChunks(stream)));
}
