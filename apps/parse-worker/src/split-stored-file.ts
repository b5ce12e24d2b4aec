import type { Db } from '@draftshelf/core/connection/database';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { endUpload, recordUpload } from '@draftshelf/core/imports/uploads';
import { readFileTables, storeFileTables } from '@draftshelf/core/reading/file-tables';
import { toChunkColumns } from '@draftshelf/core/reading/parse-chunks';
import { ChunkFenced, isChunkHeld } from '@draftshelf/core/work/claim-chunk';
import { completeSplit } from '@draftshelf/core/work/complete-chunk';
import { readRunOverrides } from '@draftshelf/core/work/runs';
import { NotCsvError } from '@draftshelf/csv/detect/not-csv';
import { overridesOf, type ScannedTable } from '@draftshelf/csv/dialect';
import { isTranscribed } from '@draftshelf/csv/encoding/encodings';
import { ReadLimitError, withPackedRowsMax } from '@draftshelf/csv/limits';
import { fileOrTableKey, scannedKey, tableKey } from '@draftshelf/csv/object-keys';
import { addReadResult } from '@draftshelf/domain/reading/file-tables';
import type { ObjectStorage } from '@draftshelf/object-storage/connect';
import { getStream, objectExists } from '@draftshelf/object-storage/objects';
import {
  type ContainerSizes,
  storeTable,
  storeTranscript,
  withContainer,
} from '@draftshelf/object-storage/store-table';
import { CannotSucceed, ReleaseChunk } from '@draftshelf/queues/chunk-errors';
import type { PinnedWork } from '@draftshelf/queues/run-chunk';
import { toScannedTable } from '@draftshelf/reading/choose-table';
import type { ReadOverrides } from '@draftshelf/reading/read-products';
import { type SplitFile, splitStream } from '@draftshelf/reading/split-stream';
import { ContainerError } from '@draftshelf/workbooks/container-error';
import { throwChunkError } from './storage-errors.ts';

type Deps = { storage: ObjectStorage; limits: ContainerSizes };

export async function splitStoredFile(work: PinnedWork, deps: Deps): Promise<void> {
  const { chunk, import: record, connection } = work;
  const { db } = connection;
  const { dialect, mappingOverrides } = await readRunOverrides(db, chunk);
  const overrides = { dialect: overridesOf(dialect), mapping: mappingOverrides };
  const { storage } = deps;
  let split: SplitFile | undefined;
  try {
    const table = dialect.table && toScannedTable(dialect.table);
    const text = fileOrTableKey(record.object_key, table);
    split =
      table && !(await isConverted(db, record, table, storage))
        ? await convertAndSplit(work, table, overrides, deps)
        : await splitText(text, table, overrides, deps);
    const encoding = split?.dialect.encoding;
    if (encoding && isTranscribed(encoding)) {
      const key = scannedKey(record.object_key, { encoding, table });
      await recordUpload(db, key);
      await storeTranscript(storage, text, encoding);
      await endUpload(db, key);
    }
  } catch (error) {
    if (error instanceof ReadLimitError || error instanceof NotCsvError || error instanceof ContainerError) {
      throw new CannotSucceed(error.message, { cause: error });
    }
    if (work.signal.aborted) throw new ReleaseChunk();
    throwChunkError(error);
  }
  const extent = record.test_mode ? split?.test : split?.whole;
  if (!split || !extent || extent.products === 0) {
    throw new CannotSucceed('no header row with data below it');
  }
  const { cuts, ...counts } = extent;
  const read = { parse: split, chunks: cuts.map(toChunkColumns), ...counts };
  await db.transaction().execute((trx) => completeSplit(trx, chunk, read));
}

async function splitText(
  key: string,
  table: ScannedTable | undefined,
  overrides: ReadOverrides,
  { storage, limits }: Deps,
): Promise<SplitFile | undefined> {
  const splitter = splitStream({ limits, overrides, table });
  for await (const piece of getStream(storage, key)) splitter.push(piece);
  return splitter.end();
}

/** Returns whether the table's text is stored completely: it exists, and so do its notices, which are stored last. */
async function isConverted(
  db: Db,
  { id, object_key: objectKey }: ImportRecord,
  table: ScannedTable,
  storage: ObjectStorage,
): Promise<boolean> {
  const found = (await readFileTables(db, id)).find(({ n }) => n === table.n);
  return found?.notices !== undefined && (await objectExists(storage, tableKey(objectKey, table)));
}

/** A conversion continues for at most this long after its import was cancelled or deleted. */
const checkEveryMs = 2_000;

async function convertAndSplit(
  { chunk, import: record, connection: { db }, signal }: PinnedWork,
  table: ScannedTable,
  overrides: ReadOverrides,
  { storage, limits }: Deps,
): Promise<SplitFile | undefined> {
  const { id, object_key: objectKey, file_bytes: fileBytes } = record;
  const key = tableKey(objectKey, table);
  await recordUpload(db, key);
  const reader = splitStream({ limits: withPackedRowsMax(limits, fileBytes), overrides, table });
  const fenced = new AbortController();
  const check = async () => (await isChunkHeld(db, chunk)) || fenced.abort(new ChunkFenced(chunk));
  // Errors of checks are ignored, because without the database the chunk fails anyway.
  const checks = setInterval(() => void check().catch(() => {}), checkEveryMs);
  const { read, notices } = await withContainer(
    storage,
    { objectKey, fileBytes },
    limits,
    (container, ends) => storeTable(storage, objectKey, { container, table, reader, signal: ends }),
    AbortSignal.any([signal, fenced.signal]),
  ).finally(() => clearInterval(checks));
  await endUpload(db, key);
  const rows = read?.whole.rows ?? 0;
  await storeFileTables(db, id, addReadResult(await readFileTables(db, id), table.n, { rows, notices }));
  return read;
}
