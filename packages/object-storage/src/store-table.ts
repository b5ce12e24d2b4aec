import { Readable } from 'node:stream';
import type { ScannedTable } from '@draftshelf/csv/dialect';
import type { TranscribedEncoding } from '@draftshelf/csv/encoding/encodings';
import { createTranscriber } from '@draftshelf/csv/encoding/transcriber';
import type { ReadLimits } from '@draftshelf/csv/limits';
import { tableKey, transcriptKey } from '@draftshelf/csv/object-keys';
import { tooLargeError } from '@draftshelf/workbooks/container-error';
import type { Container, TableNotices } from '@draftshelf/workbooks/open-container';
import pLimit from 'p-limit';
import type { ObjectStorage } from './connect.ts';
import { openInChild } from './conversion/open-in-child.ts';
import { createObjectSource, getStream } from './objects.ts';
import { putStream } from './put-stream.ts';

export type StoredContainer = { objectKey: string; fileBytes: number };

export type ContainerSizes = ReadLimits & { csvBytesMax: number; archiveBytesMax: number };

/** One conversion at a time per process, because each uses a whole CPU and up to 64 MB for a workbook's texts. */
const conversions = pLimit(1);

/** Time limit of a conversion. 1,000,000 rows of 20 columns (127 MB) take 22 s if no other process needs the CPU. */
const conversionMsMax = (fileBytes: number) =>
  Math.min(90_000, 15_000 + Math.round(fileBytes / 2 ** 20) * 1000);

const tookTooLong = (ms: number) =>
  tooLargeError(
    `Reading the file took more than ${ms / 1000} seconds. Save the list as CSV and upload that.`,
  );

/**
 * Waits for earlier conversions, then runs `work` on the container, which a child process reads. Throws ContainerError
 * (also after `conversionMsMax`), the reason of `signal`, or errors of getRange.
 */
export async function withContainer<T>(
  storage: ObjectStorage,
  { objectKey, fileBytes }: StoredContainer,
  { csvBytesMax, archiveBytesMax, columnsMax, recordBytesMax, cellBytesMax = recordBytesMax }: ContainerSizes,
  work: (container: Container, signal: AbortSignal) => Promise<T>,
  signal = new AbortController().signal,
): Promise<T> {
  signal.throwIfAborted();
  const limits = { fileBytesMax: csvBytesMax, archiveBytesMax, columnsMax, cellBytesMax };
  const gone = Promise.withResolvers<never>();
  const leave = () => gone.reject(signal.reason);
  signal.addEventListener('abort', leave, { once: true });
  const conversion = conversions(async () => {
    signal.removeEventListener('abort', leave);
    const msMax = conversionMsMax(fileBytes);
    const deadline = AbortSignal.timeout(msMax);
    const ends = AbortSignal.any([signal, deadline]);
    try {
      const source = createObjectSource(storage, objectKey, fileBytes, ends);
      const container = await openInChild(source, limits, ends);
      return await work(container, ends).finally(container.close);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw deadline.aborted ? tookTooLong(msMax) : error;
    }
  });
  // Here, the signal ends only the wait for earlier conversions. A conversion that has begun watches the signal, too.
  return Promise.race([conversion, gone.promise]);
}

type TextReader<T> = { push(piece: Uint8Array): void | Promise<void>; end(): T | Promise<T> };

type TableToStore<T> = {
  container: Container;
  table: ScannedTable;
  reader: TextReader<T>;
  signal: AbortSignal;
};

/** Stores a table's text while `reader` reads it. Stores nothing if `reader` throws or the signal aborts. */
export async function storeTable<T>(
  storage: ObjectStorage,
  fileKey: string,
  { container, table, reader, signal }: TableToStore<T>,
): Promise<{ read: T; notices: TableNotices }> {
  let read: { value: T } | undefined;
  let notices: TableNotices | undefined;
  const onNotices = (found: TableNotices) => (notices = found);
  async function* text(): AsyncGenerator<Uint8Array> {
    for await (const piece of container.read(table.n, { onNotices })) {
      await reader.push(piece);
      yield piece;
    }
    read = { value: await reader.end() };
  }
  const pieces = Readable.from(text(), { objectMode: false });
  await putStream(storage, tableKey(fileKey, table), pieces, { contentType: 'text/csv', signal });
  if (!read || !notices) throw new Error('The table has not been read to its end');
  return { read: read.value, notices };
}

/** Stores a UTF-8 transcript of a file in a second pass, because few files need one (docs/why/reading.md). */
export async function storeTranscript(
  storage: ObjectStorage,
  fileKey: string,
  encoding: TranscribedEncoding,
): Promise<void> {
  async function* pieces(): AsyncGenerator<Uint8Array> {
    let made: Uint8Array[] = [];
    const transcript = createTranscriber(encoding, (piece) => made.push(piece));
    for await (const piece of getStream(storage, fileKey)) {
      transcript.push(piece);
      yield* made;
      made = [];
    }
    transcript.end();
    yield* made;
  }
  const buffers = Readable.from(pieces(), { objectMode: false });
  await putStream(storage, transcriptKey(fileKey, encoding), buffers, {
    contentType: 'text/csv; charset=utf-8',
  });
}
