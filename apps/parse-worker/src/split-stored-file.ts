import { NotCsvError } from '@draftshelf/csv/detect/not-csv';
import { overridesOf } from '@draftshelf/csv/dialect';
import { isTranscribed } from '@draftshelf/csv/encoding/encodings';
import { transcriptKey } from '@draftshelf/csv/encoding/transcriber';
import { ReadLimitError, type ReadLimits } from '@draftshelf/csv/limits';
import { endUpload, recordUpload } from '@draftshelf/database/imports/uploads';
import { chunkOf } from '@draftshelf/database/reading/parse-chunks';
import { completeSplit } from '@draftshelf/database/work/complete-split';
import { readRunOverrides } from '@draftshelf/database/work/runs';
import type { ObjectStorage } from '@draftshelf/object-storage/connect';
import { getStream } from '@draftshelf/object-storage/objects';
import { storeTranscript } from '@draftshelf/object-storage/transcript';
import { CannotSucceed } from '@draftshelf/queues/chunk-errors';
import type { PinnedWork } from '@draftshelf/queues/run-chunk';
import { type SplitFile, splitStream } from '@draftshelf/reading/split-stream';
import { asChunkError } from './storage-errors.ts';

/** Re-reads the stored file with the operator's overrides, and stores headers, mapping and the run's work chunks. */
export async function splitStoredFile(
  { chunk, import: record, connection }: PinnedWork,
  { storage, limits }: { storage: ObjectStorage; limits: ReadLimits },
): Promise<void> {
  const { dialect, mappingOverrides } = await readRunOverrides(connection.db, chunk);
  const overrides = { dialect: overridesOf(dialect), mapping: mappingOverrides };
  const splitter = splitStream({ limits, overrides });
  let split: SplitFile | undefined;
  try {
    for await (const piece of getStream(storage, record.object_key)) splitter.push(piece);
    split = splitter.end();
    const encoding = split?.dialect.encoding;
    if (encoding && isTranscribed(encoding)) {
      const key = transcriptKey(record.object_key, encoding);
      await recordUpload(connection.db, key);
      await storeTranscript(storage, record.object_key, encoding);
      await endUpload(connection.db, key);
    }
  } catch (error) {
    if (error instanceof ReadLimitError || error instanceof NotCsvError) {
      throw new CannotSucceed(error.message, { cause: error });
    }
    throw asChunkError(error);
  }
  const extent = record.test_mode ? split?.test : split?.whole;
  if (!split || !extent || extent.products === 0) {
    throw new CannotSucceed('no header row with data below it');
  }
  const { headers, mapping } = split;
  await connection.db.transaction().execute((trx) =>
    completeSplit(trx, chunk, {
      parse: { dialect: split.dialect, headers, mapping },
      chunks: extent.cuts.map(chunkOf),
      rows: extent.rows,
      products: extent.products,
      productNumbers: extent.productNumbers,
    }),
  );
}
