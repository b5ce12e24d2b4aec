import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { NotCsvError } from '@draftshelf/csv/detect/not-csv';
import { isTranscribed } from '@draftshelf/csv/encoding/encodings';
import { scannedKey } from '@draftshelf/csv/encoding/transcriber';
import { ReadLimitError, type ReadLimits } from '@draftshelf/csv/limits';
import type { Db } from '@draftshelf/database/connection/database';
import { recordUpload } from '@draftshelf/database/imports/uploads';
import type { MappingOverrides } from '@draftshelf/domain/reading/mapping/header-mapping';
import type { ObjectStorage } from '@draftshelf/object-storage/connect';
import { remove } from '@draftshelf/object-storage/objects';
import { putStream } from '@draftshelf/object-storage/put-stream';
import { storeTranscript } from '@draftshelf/object-storage/transcript';
import type { ReadOverrides } from '@draftshelf/reading/read-products';
import { splitAfterRecall } from '@draftshelf/reading/split-after-recall';
import { type SplitFile, splitStream } from '@draftshelf/reading/split-stream';
import type { RecalledMapping } from './recall-mapping.ts';

export type FileLimits = ReadLimits & { csvBytesMax: number };

/** A file stored completely in object storage, and what was read from it on the way. */
export type TakenFile = {
  objectKey: string;
  fileBytes: number;
  sha256: string;
  read: SplitFile;
  /** Mapping overrides, from the operator or from memory. */
  mappingOverrides: MappingOverrides;
  recalled: RecalledMapping | undefined;
};

export type FileRefusal = 'too large' | 'too few records' | 'not csv' | 'over a read limit';

/** Thrown for a file that cannot become an import; the message is a sentence for operators. */
export class FileRefused extends Error {
  readonly reason: FileRefusal;

  constructor(reason: FileRefusal, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FileRefused';
    this.reason = reason;
  }
}

type Options = {
  db: Db;
  storage: ObjectStorage;
  limits: FileLimits;
  /** Overrides from the operator. */
  overrides?: ReadOverrides;
  /** Finds the mapping that is remembered for the file's headers. It is not used if `overrides` has a mapping. */
  recall?: (headers: string[]) => Promise<RecalledMapping | undefined>;
};

/**
 * Takes a file in one pass as it streams by: stores it and computes its hash, size, records and chunks. Nothing stays
 * in storage if this throws. Its key is recorded first, so that a sweep finds what a crash leaves there.
 *
 * @throws FileRefused, or the error of the source or of storage
 */
export async function takeFile(source: AsyncIterable<Buffer>, options: Options): Promise<TakenFile> {
  const { db, storage } = options;
  // Not below `imports/`, where earlier versions remove what their own database does not name.
  const objectKey = `files/${randomUUID()}/${randomBytes(8).toString('hex')}.csv`;
  await recordUpload(db, objectKey);
  const reading = readWhileStoring(source, options);
  const pieces = Readable.from(reading.pieces(), { objectMode: false });
  await putStream(storage, objectKey, pieces, { contentType: 'text/csv' });
  const file = { objectKey, ...reading.result() };
  try {
    const { encoding } = file.read.dialect;
    if (isTranscribed(encoding)) await storeTranscript(storage, objectKey, encoding);
    return file;
  } catch (error) {
    await discardFile(file, storage);
    throw error;
  }
}

/** Removes a taken file that has no import. If storage is unavailable, the sweep removes it later. */
export async function discardFile({ objectKey, read }: TakenFile, storage: ObjectStorage): Promise<void> {
  const keys = new Set([objectKey, scannedKey(objectKey, read.dialect.encoding)]);
  await Promise.all([...keys].map((key) => remove(storage, key).catch(() => {})));
}

/** Hashes, counts and reads the pieces of the file while they are stored. Call `result` after the last piece. */
function readWhileStoring(source: AsyncIterable<Buffer>, { limits, overrides, recall }: Options) {
  const hash = createHash('sha256');
  let recalled: RecalledMapping | undefined;
  const reading =
    recall && overrides?.mapping === undefined
      ? splitAfterRecall({
          limits,
          overrides,
          async recall(headers) {
            recalled = await recall(headers);
            return recalled?.overrides;
          },
        })
      : splitStream({ limits, overrides });
  let fileBytes = 0;
  let read: SplitFile | undefined;
  async function* pieces(): AsyncGenerator<Buffer> {
    for await (const piece of source) {
      fileBytes += piece.length;
      if (fileBytes > limits.csvBytesMax) {
        throw tooLarge(limits);
      }
      hash.update(piece);
      await orRefuse(() => reading.push(piece));
      yield piece;
    }
    read = await orRefuse(() => reading.end());
    if (!read || read.whole.products === 0) {
      throw tooFewRecords();
    }
  }
  return {
    pieces,
    result() {
      if (!read) throw new Error('The file has not been read to its end');
      const mappingOverrides = recalled?.overrides ?? overrides?.mapping ?? {};
      return { fileBytes, sha256: hash.digest('hex'), read, mappingOverrides, recalled };
    },
  };
}

export const tooLarge = ({ csvBytesMax }: FileLimits) =>
  new FileRefused('too large', `The file has more than ${csvBytesMax} bytes.`);

export const tooFewRecords = () =>
  new FileRefused('too few records', 'The file has no header row with data below it.');

/** Runs a step of reading. Throws its errors about the file as FileRefused. */
export async function orRefuse<T>(step: () => T | Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof NotCsvError) throw new FileRefused('not csv', error.message, { cause: error });
    if (error instanceof ReadLimitError) {
      throw new FileRefused('over a read limit', error.message, { cause: error });
    }
    throw error;
  }
}
