import { Readable } from 'node:stream';
import type { ScannedTable } from '@draftshelf/csv/dialect';
import type { ReadLimits } from '@draftshelf/csv/limits';
import { tableKey } from '@draftshelf/csv/object-keys';
import { type Container, openContainer, type TableNotices } from '@draftshelf/workbooks/open-container';
import pLimit from 'p-limit';
import type { ObjectStorage } from './connect.ts';
import { objectSource } from './object-source.ts';
import { putStream } from './put-stream.ts';

/** A stored workbook or archive. */
export type StoredContainer = { objectKey: string; fileBytes: number };

export type ContainerSizes = ReadLimits & { csvBytesMax: number; archiveBytesMax: number };

/** One conversion of this process at a time: each takes a processor, and up to 64 MB for texts of a workbook. */
const conversions = pLimit(1);

/**
 * Opens a stored workbook or archive, when it is its turn, and works with it. Throws ContainerError, and errors for
 * which isObjectMissing or isStorageUnavailable holds.
 */
export function withContainer<T>(
  storage: ObjectStorage,
  { objectKey, fileBytes }: StoredContainer,
  { csvBytesMax, archiveBytesMax, columnsMax, recordBytesMax, cellBytesMax = recordBytesMax }: ContainerSizes,
  work: (container: Container) => Promise<T>,
): Promise<T> {
  const limits = { fileBytesMax: csvBytesMax, archiveBytesMax, columnsMax, cellBytesMax };
  return conversions(async () =>
    work(await openContainer(objectSource(storage, objectKey, fileBytes), limits)),
  );
}

type TextReader<T> = { push(piece: Uint8Array): void | Promise<void>; end(): T | Promise<T> };

/**
 * Stores the text of a table in an open file, from which workers then read. `reader` reads it on the way; nothing is
 * stored if it throws.
 */
export async function storeTable<T>(
  storage: ObjectStorage,
  fileKey: string,
  { container, table, reader }: { container: Container; table: ScannedTable; reader: TextReader<T> },
): Promise<{ read: T; notices: TableNotices }> {
  const reading = container.read(table.n);
  let read: { value: T } | undefined;
  async function* text(): AsyncGenerator<Uint8Array> {
    for await (const piece of reading.pieces()) {
      await reader.push(piece);
      yield piece;
    }
    read = { value: await reader.end() };
  }
  const pieces = Readable.from(text(), { objectMode: false });
  await putStream(storage, tableKey(fileKey, table), pieces, { contentType: 'text/csv' });
  if (!read) throw new Error('The table has not been read to its end');
  return { read: read.value, notices: reading.notices() };
}
