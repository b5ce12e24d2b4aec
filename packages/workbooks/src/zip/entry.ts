import { crc32 } from '@draftshelf/domain/base/crc32';
import { type ByteSource, iterateChunks, readRange } from '../byte-source.ts';
import type { EntryLocation } from '../container.ts';
import { ContainerError, damagedError } from '../container-error.ts';
import { countUnpackedBytes, type InflateBudget, refuseZipBomb } from '../limits.ts';
import { localHeaderBytes, type ZipEntry } from './directory.ts';

/** Yields the bytes of an entry. Checks size and checksum after the last byte. Throws ContainerError. */
export async function* readEntryBytes(
  source: ByteSource,
  entry: ZipEntry,
  budget: Pick<InflateBudget, 'left' | 'signal'>,
): AsyncGenerator<Uint8Array> {
  if (entry.method !== 0 && entry.method !== 8) {
    throw new ContainerError(
      'other_format',
      'This archive is packed in a way that is not supported. Pack it as a plain ZIP file.',
    );
  }
  const [from, to] = await findPackedRange(source, entry);
  if (from === to && entry.bytes === 0) return;
  const packed = source.stream(from, to);
  let [bytes, crc] = [0, 0];
  for await (const chunk of entry.method === 0 ? packed : inflate(packed, 'deflate-raw')) {
    bytes += chunk.length;
    if (bytes > entry.bytes) throw damagedError(`‘${entry.name}’ is longer than its stated size`);
    refuseZipBomb(entry.packed, bytes);
    countUnpackedBytes(budget, chunk.length);
    crc = crc32(chunk, crc);
    yield chunk;
  }
  if (bytes !== entry.bytes || crc !== entry.crc)
    throw damagedError(`‘${entry.name}’ does not match its checksum`);
}

/** Returns the data by which `readEntry` finds an entry again. */
export const toEntryLocation = ({ offset, bytes, packed, method, crc }: ZipEntry): EntryLocation => ({
  ...{ offset, bytes, packed, method, crc },
});

/** Reads an entry found before, such as a picture. Throws ContainerError if it is larger than `bytesMax`. */
export async function readEntry(
  source: ByteSource,
  place: EntryLocation,
  bytesMax: number,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  if (place.bytes > bytesMax) throw damagedError('a picture is larger than it may be');
  const entry = { ...place, name: 'picture', isEncrypted: false };
  const whole = new Uint8Array(place.bytes);
  let at = 0;
  for await (const chunk of readEntryBytes(source, entry, { left: bytesMax, signal })) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** Returns the range of an entry's packed bytes. Throws ContainerError. */
export async function findPackedRange(source: ByteSource, entry: ZipEntry): Promise<[number, number]> {
  if (entry.isEncrypted) {
    throw new ContainerError(
      'workbook_protected',
      'This archive has a password. Pack it without one and upload that.',
    );
  }
  const header = await readRange(source, entry.offset, entry.offset + localHeaderBytes);
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
  if (header.length < localHeaderBytes || view.getUint32(0, true) !== 0x04034b50) {
    throw damagedError(`‘${entry.name}’ is not where it should be`);
  }
  const from = entry.offset + localHeaderBytes + view.getUint16(26, true) + view.getUint16(28, true);
  if (from + entry.packed > source.bytes) throw damagedError(`‘${entry.name}’ is cut off`);
  return [from, from + entry.packed];
}

/** Yields unpacked bytes. Passes read errors on; an unpacking error becomes the ContainerError of a damaged file. */
export async function* inflate(packed: AsyncIterable<Uint8Array>, format: 'deflate-raw' | 'gzip') {
  let readError: { error: unknown } | undefined;
  const iterator = packed[Symbol.asyncIterator]();
  const readable = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: async (controller) => {
      try {
        const { done, value } = await iterator.next();
        if (done) controller.close();
        else controller.enqueue(value as Uint8Array<ArrayBuffer>);
      } catch (error) {
        readError = { error };
        throw error;
      }
    },
    cancel: async () => void (await iterator.return?.()),
  });
  const chunks = iterateChunks(readable.pipeThrough(new DecompressionStream(format)));
  try {
    for (;;) {
      const { done, value } = await chunks.next().catch(() => {
        throw readError ? readError.error : damagedError('a part of it cannot be unpacked');
      });
      if (done) return;
      yield value;
    }
  } finally {
    await chunks.return(undefined);
  }
}
