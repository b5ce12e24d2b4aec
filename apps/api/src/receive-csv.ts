import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { DialectChoice, uploadDialectField } from '@draftshelf/contract/dialect';
import { tooFewRecordsMessage, uploadFileFields } from '@draftshelf/contract/upload';
import { NotCsvError } from '@draftshelf/csv/detect/not-csv';
import { isTranscribed } from '@draftshelf/csv/encoding/encodings';
import { scannedKey } from '@draftshelf/csv/encoding/transcriber';
import { ReadLimitError, type ReadLimits } from '@draftshelf/csv/limits';
import { fileSize } from '@draftshelf/domain/format';
import type { ObjectStorage } from '@draftshelf/object-storage/connect';
import { remove } from '@draftshelf/object-storage/objects';
import { putStream } from '@draftshelf/object-storage/put-stream';
import { storeTranscript } from '@draftshelf/object-storage/transcript';
import { type SplitFile, splitStream } from '@draftshelf/reading/split-stream';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { invalid, Refusal } from './refusal.ts';

export type UploadLimits = ReadLimits & { csvBytesMax: number };

/** A file stored completely in object storage, and what was read from it on the way. */
export type ReceivedFile = {
  objectKey: string;
  filename: string;
  fileBytes: number;
  sha256: string;
  read: SplitFile;
};

export type ReceivedUpload = { file: ReceivedFile; fields: ReadonlyMap<string, string> };

type Deps = { storage: ObjectStorage; limits: UploadLimits };

const filenameCharsMax = 255;

/**
 * Receives the multipart upload in one streaming pass: stores the file and computes its hash, size, records and chunks.
 * Fields may come before or after the file, but the dialect only before it. The request is always read to its end, so that browsers see the reply.
 * Nothing stays in storage if this throws.
 *
 * @throws Refusal for errors that the client can fix, else the error of storage or connection
 */
export async function receiveCsv(request: FastifyRequest, deps: Deps): Promise<ReceivedUpload> {
  if (!request.isMultipart()) throw invalid('Please select a CSV file');
  const fields = new Map<string, string>();
  let file: ReceivedFile | undefined;
  let failure: unknown;
  let files = 0;
  let dialectCameFirst = false;
  try {
    for await (const part of orMalformed(request.parts())) {
      if (part.type === 'field') {
        fields.set(part.fieldname, String(part.value));
        continue;
      }
      files += 1;
      try {
        if (files > 1) throw invalid('Upload one file at a time.');
        dialectCameFirst = fields.has(uploadDialectField);
        file = await receiveFile(part, chosenDialect(fields), deps);
      } catch (error) {
        failure ??= error;
        drain(part.file);
      }
    }
    if (failure) throw failure;
    if (file && fields.has(uploadDialectField) && !dialectCameFirst) {
      throw invalid(`The ${uploadDialectField} field must come before the file.`, uploadDialectField);
    }
    if (!file) throw invalid('Please select a CSV file');
    return { file, fields };
  } catch (error) {
    if (file) await discard(file, deps);
    throw error;
  }
}

/** Removes a received file that has no import. If storage is unavailable, the sweep removes it later. */
export async function discard(
  file: Pick<ReceivedFile, 'objectKey'> & Partial<ReceivedFile>,
  { storage }: Pick<Deps, 'storage'>,
): Promise<void> {
  const scanned = file.read ? scannedKey(file.objectKey, file.read.dialect.encoding) : file.objectKey;
  const keys = new Set([file.objectKey, scanned]);
  await Promise.all([...keys].map((key) => remove(storage, key).catch(() => {})));
}

async function receiveFile(part: MultipartFile, dialect: DialectChoice, deps: Deps): Promise<ReceivedFile> {
  checkFile(part);
  const objectKey = `imports/${randomUUID()}/${randomBytes(8).toString('hex')}.csv`;
  const reading = readWhileStoring(part, dialect, deps.limits);
  const source = Readable.from(reading.pieces(), { objectMode: false });
  await putStream(deps.storage, objectKey, source, { contentType: 'text/csv' });
  const received = { objectKey, filename: filenameOf(part), ...reading.result() };
  try {
    const { encoding } = received.read.dialect;
    if (isTranscribed(encoding)) await storeTranscript(deps.storage, objectKey, encoding);
    return received;
  } catch (error) {
    await discard(received, deps);
    throw error;
  }
}

/** The dialect overrides, sent in a field before the file. */
function chosenDialect(fields: ReadonlyMap<string, string>): DialectChoice {
  const text = fields.get(uploadDialectField);
  if (text === undefined) return {};
  try {
    return DialectChoice.parse(JSON.parse(text));
  } catch {
    throw invalid('These file settings aren’t supported.', uploadDialectField);
  }
}

function checkFile(part: MultipartFile): void {
  if (!(uploadFileFields as readonly string[]).includes(part.fieldname)) {
    throw invalid(`Put the file in the field ${uploadFileFields.join(' or ')}.`, part.fieldname);
  }
  const isCsv = /\.csv$/i.test(part.filename) || part.mimetype.toLowerCase() === 'text/csv';
  if (!isCsv) throw new Refusal(400, { code: 'invalid_file_type', message: 'Please select a CSV file' });
}

/** The file's name without its path, which some clients send. Browsers escape quotes and line breaks as %XX. */
function filenameOf(part: MultipartFile): string {
  const filename = part.filename.replaceAll('%22', '"').replaceAll(/%0[AD]/g, '');
  const name = filename.replace(/^.*[/\\]/, '').replaceAll(/\p{Cc}/gu, '');
  return name.slice(0, filenameCharsMax) || 'upload.csv';
}

/** Hashes, counts and reads the pieces of the file while they are stored. Call `result` after the last piece. */
function readWhileStoring(part: MultipartFile, dialect: DialectChoice, limits: UploadLimits) {
  const hash = createHash('sha256');
  const reading = splitStream({ limits, overrides: { dialect } });
  let fileBytes = 0;
  let read: SplitFile | undefined;
  async function* pieces(): AsyncGenerator<Buffer> {
    // Do not destroy the stream on exit: the rest is drained, so that the client sees the reply.
    for await (const piece of orMalformed<Buffer>(part.file.iterator({ destroyOnReturn: false }))) {
      fileBytes += piece.length;
      if (fileBytes > limits.csvBytesMax) throw tooLarge(limits.csvBytesMax);
      hash.update(piece);
      orRefuse(() => reading.push(piece));
      yield piece;
    }
    read = orRefuse(() => reading.end());
    if (!read || read.whole.products === 0) {
      throw new Refusal(400, { code: 'too_few_records', message: tooFewRecordsMessage });
    }
  }
  return {
    pieces,
    result() {
      if (!read) throw new Error('The file has not been read to its end');
      return { fileBytes, sha256: hash.digest('hex'), read };
    },
  };
}

function orRefuse<T>(step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (error instanceof NotCsvError) throw new Refusal(400, { code: 'not_csv', message: error.message });
    if (!(error instanceof ReadLimitError)) throw error;
    throw new Refusal(400, { code: 'read_limit', message: error.message });
  }
}

const tooLarge = (csvBytesMax: number) =>
  new Refusal(413, {
    code: 'too_large',
    message: `The file is larger than the ${fileSize(csvBytesMax)} limit. Split it into smaller files, or raise CSV_BYTES_MAX.`,
  });

/** Yields what the multipart parser yields. Errors without a status code become a Refusal. */
async function* orMalformed<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* source;
  } catch (error) {
    if (error instanceof Error && 'statusCode' in error) throw error;
    const message = 'The upload was interrupted. Try again.';
    throw new Refusal(400, { code: 'malformed', message });
  }
}

/** Discards the rest of a file. The listener keeps the stream flowing after its reader has stopped. */
function drain(file: Readable): void {
  file.on('data', () => {});
  file.resume();
}
