import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { NotCsvError } from '@draftshelf/csv/detect/not-csv';
import { otherWorkbookSentence, unreadableSentence } from '@draftshelf/csv/detect/other-workbooks';
import type { ScannedTable } from '@draftshelf/csv/dialect';
import { isTranscribed } from '@draftshelf/csv/encoding/encodings';
import { ReadLimitError, withPackedRowsMax } from '@draftshelf/csv/limits';
import { fileOrTableKey, objectKeysOf } from '@draftshelf/csv/object-keys';
import { addReadResult, type FileTable } from '@draftshelf/domain/reading/file-tables';
import { type SizeLimits, tooLargeSentence } from '@draftshelf/domain/reading/list-files';
import type { MappingOverrides } from '@draftshelf/domain/reading/mapping/header-mapping';
import type { ObjectStorage } from '@draftshelf/object-storage/connect';
import { remove } from '@draftshelf/object-storage/objects';
import { putStream } from '@draftshelf/object-storage/put-stream';
import {
  type ContainerSizes,
  type StoredContainer,
  storeTable,
  storeTranscript,
  withContainer,
} from '@draftshelf/object-storage/store-table';
import { chooseTable } from '@draftshelf/reading/choose-table';
import type { ReadOverrides } from '@draftshelf/reading/read-products';
import { splitAfterRecall } from '@draftshelf/reading/split-after-recall';
import { type SplitFile, splitStream } from '@draftshelf/reading/split-stream';
import { ContainerError, type ContainerErrorCode } from '@draftshelf/workbooks/container-error';
import { detectContainerKind, kindHeadBytes } from '@draftshelf/workbooks/container-kind';
import type { Container, FoundPicture } from '@draftshelf/workbooks/open-container';
import { type Db, isDatabaseUnavailable } from '../connection/database.ts';
import { recordUpload } from '../imports/uploads.ts';
import type { RecalledMapping } from './mappings.ts';

export type FileLimits = ContainerSizes;

type ReadList = {
  read: SplitFile;
  mappingOverrides: MappingOverrides;
  recalled: RecalledMapping | undefined;
};

/** `picturesNotice`: a sentence that says why some pictures are not extracted, or null if all are. */
type Pictures = { pictures: FoundPicture[]; picturesNotice: string | null };

export type TakenFile = ReadList & {
  objectKey: string;
  fileBytes: number;
  sha256: string;
  /** Null if the file itself is the list. */
  contents: (Pictures & { tables: FileTable[] }) | null;
};

/** The code of a refusal, as the api sends it. */
type FileRefusal =
  | 'too_large'
  | 'too_few_records'
  | 'not_csv'
  | 'read_limit'
  | Exclude<ContainerErrorCode, 'other_format'>;

/** Thrown for a file that cannot become an import. The message is a sentence for operators. */
export class FileRefused extends Error {
  readonly reason: FileRefusal;

  constructor(reason: FileRefusal, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FileRefused';
    this.reason = reason;
  }
}

/** Returns the refusal, with a sentence about the type in the filename if the bytes show no type. */
export function refineRefusal(error: FileRefused, name: string): FileRefused {
  const { reason, cause } = error;
  const isNoText = cause instanceof NotCsvError && !cause.isOtherFormat;
  const isTooShort = reason === 'too_few_records';
  const sentence = isNoText ? unreadableSentence(name) : isTooShort ? otherWorkbookSentence(name) : null;
  return sentence === null ? error : new FileRefused('not_csv', sentence, { cause: error });
}

type Options = {
  db: Db;
  storage: ObjectStorage;
  limits: FileLimits;
  overrides?: ReadOverrides;
  /** The name of the table that the operator chose in a workbook or archive. */
  table?: string | undefined;
  /** Finds the remembered mapping for the file's headers. Not called if `overrides` has a mapping. */
  recall?: (headers: string[]) => Promise<RecalledMapping | undefined>;
  /** Stops the reading of a stored workbook or archive, which then throws the signal's reason. */
  signal?: AbortSignal;
};

/**
 * Stores a file in one pass and computes its hash, size, records and chunks. For a workbook or archive, whose table of
 * contents is at the end, a second pass stores and reads the text of one table. If an error is thrown, nothing stays
 * in storage. The file's key is recorded first, so that a sweep finds what a crash leaves. Throws FileRefused.
 */
export async function takeFile(source: AsyncIterable<Buffer>, options: Options): Promise<TakenFile> {
  const { db, storage } = options;
  // The key does not begin with `imports/`, because earlier versions remove keys there that their database lacks.
  const objectKey = `files/${randomUUID()}/${randomBytes(8).toString('hex')}.csv`;
  await recordUpload(db, objectKey);
  const storing = readWhileStoring(source, options);
  const pieces = Readable.from(storing.pieces(), { objectMode: false });
  await putStream(storage, objectKey, pieces, { contentType: 'text/csv' });
  const stored = { objectKey, ...storing.result() };
  const { list } = stored;
  let read = list?.read;
  try {
    const taken = list ? { ...list, contents: null } : await takeTable(stored, options);
    read = taken.read;
    const { encoding, table } = read.dialect;
    if (isTranscribed(encoding)) {
      await storeTranscript(storage, fileOrTableKey(objectKey, table), encoding);
    }
    return { objectKey, fileBytes: stored.fileBytes, sha256: stored.sha256, ...taken };
  } catch (error) {
    await removeAll(storage, objectKeysOf(objectKey, read ? [read.dialect] : []));
    throw error;
  }
}

/** Removes a taken file that no import uses. If storage is unavailable, the sweep removes the file later. */
export async function discardFile({ objectKey, read }: TakenFile, storage: ObjectStorage): Promise<void> {
  await removeAll(storage, objectKeysOf(objectKey, [read.dialect]));
}

/** Calls `use`, and removes the taken file if `use` throws. */
export async function discardOnError<T>(
  file: TakenFile,
  storage: ObjectStorage,
  use: () => Promise<T>,
): Promise<T> {
  try {
    return await use();
  } catch (error) {
    // The commit may have succeeded, although its reply was lost. The sweep removes unused files.
    if (!isDatabaseUnavailable(error)) await discardFile(file, storage);
    throw error;
  }
}

/** Calls `use`, which returns whether an import has begun. If no import has begun or `use` throws, removes the file. */
export async function discardIfUnused(
  file: TakenFile,
  storage: ObjectStorage,
  use: () => Promise<boolean>,
): Promise<void> {
  if (!(await discardOnError(file, storage, use))) await discardFile(file, storage);
}

async function removeAll(storage: ObjectStorage, keys: readonly string[]): Promise<void> {
  await Promise.all(keys.map((key) => remove(storage, key).catch(() => {})));
}

/** Chooses the list among the tables of a stored workbook or archive, and reads its text while storing the text. */
function takeTable(
  stored: StoredContainer,
  { storage, table: name, signal, ...options }: Options,
): Promise<ReadList & Pick<TakenFile, 'contents'>> {
  const limits = withPackedRowsMax(options.limits, stored.fileBytes);
  const take = async (container: Container, ends: AbortSignal) => {
    const { table, tables } = await chooseTable(container, { limits, name });
    const reader = listReader({ ...options, limits }, table);
    const taken = { container, table, reader, signal: ends };
    // Reads the pictures before storing the table's text, so that an error in them leaves no text in storage.
    const pictures = await readablePictures(container);
    const { read: list, notices } = await storeTable(storage, stored.objectKey, taken);
    const known = addReadResult(tables, table.n, { rows: list.read.whole.rows, notices });
    return { ...list, contents: { tables: known, ...pictures } };
  };
  return refuseOnFileError(() => withContainer(storage, stored, limits, take, signal));
}

/** Returns the pictures of a file, or none if they cannot be found: the list is readable without them. */
async function readablePictures(container: Container): Promise<Pictures> {
  try {
    const { pictures, isCut } = await container.pictures();
    return { pictures, picturesNotice: isCut ? cutSentence(pictures.length) : null };
  } catch (error) {
    if (!(error instanceof ContainerError)) throw error;
    return { pictures: [], picturesNotice: `No pictures are taken out of the file. ${error.message}` };
  }
}

const cutSentence = (pictures: number): string =>
  `The file has more pictures than an import can have. Only the first ${pictures.toLocaleString('en-US')} are imported.`;

/** Hashes and reads the pieces of a file while they are stored. Call `result` after the last piece. */
function readWhileStoring(source: AsyncIterable<Buffer>, options: Options) {
  const { limits } = options;
  const hash = createHash('sha256');
  let fileBytes = 0;
  let head: Buffer = Buffer.alloc(0);
  let reader: ReturnType<typeof listReader> | undefined;
  let list: ReadList | undefined;
  let isArchive = false;
  const begin = async () => {
    const kind = detectContainerKind(head);
    isArchive = kind === 'zip';
    if (kind !== null) return;
    reader = listReader(options);
    await reader.push(head);
  };
  async function* pieces(): AsyncGenerator<Buffer> {
    for await (const piece of source) {
      const isKnown = fileBytes >= kindHeadBytes;
      fileBytes += piece.length;
      hash.update(piece);
      if (isKnown) await reader?.push(piece);
      else {
        head = head.length === 0 ? piece : Buffer.concat([head, piece]);
        if (fileBytes >= kindHeadBytes) await begin();
      }
      refuseLargeFile({ isArchive, bytes: fileBytes }, limits);
      yield piece;
    }
    if (fileBytes < kindHeadBytes) await begin();
    list = await reader?.end();
  }
  return { pieces, result: () => ({ fileBytes, sha256: hash.digest('hex'), list }) };
}

function listReader(
  { limits, overrides, recall }: Pick<Options, 'limits' | 'overrides' | 'recall'>,
  table?: ScannedTable,
) {
  let recalled: RecalledMapping | undefined;
  const options = { limits, overrides, table };
  const recallOverrides = async (headers: string[]) => {
    recalled = await recall?.(headers);
    return recalled?.overrides;
  };
  const reading =
    recall && overrides?.mapping === undefined
      ? splitAfterRecall({ ...options, recall: recallOverrides })
      : splitStream(options);
  return {
    push: (piece: Uint8Array) => refuseOnFileError(() => reading.push(piece)),
    async end(): Promise<ReadList> {
      const read = await refuseOnFileError(() => reading.end());
      if (!read || read.whole.products === 0) throw createNoDataError();
      return { read, mappingOverrides: recalled?.overrides ?? overrides?.mapping ?? {}, recalled };
    },
  };
}

export function refuseLargeFile(file: { isArchive: boolean; bytes: number }, limits: SizeLimits): void {
  const sentence = tooLargeSentence(file, limits);
  if (sentence !== null) throw new FileRefused('too_large', sentence);
}

export const createNoDataError = () =>
  new FileRefused('too_few_records', 'The file has no header row with data below it.');

/** Runs a step of reading. Errors about the file are thrown as FileRefused. */
export async function refuseOnFileError<T>(step: () => T | Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof NotCsvError) throw new FileRefused('not_csv', error.message, { cause: error });
    if (error instanceof ReadLimitError) {
      throw new FileRefused('read_limit', error.message, { cause: error });
    }
    if (error instanceof ContainerError) {
      const reason = error.code === 'other_format' ? 'not_csv' : error.code;
      throw new FileRefused(reason, error.message, { cause: error });
    }
    throw error;
  }
}
