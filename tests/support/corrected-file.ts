import type { CompareProgress, CorrectionsFile } from '@draftshelf/core/connection/schema';
import { type TakenFile, takeFile } from '@draftshelf/core/reading/take-file';
import {
  createFirstProgress,
  toCorrectionsSource,
} from '@draftshelf/core/review/corrections/check-corrections';
import { beginComparison } from '@draftshelf/core/review/corrections/compare-task';
import { readLimitsDefault } from '@draftshelf/csv/limits';
import { scannedKey } from '@draftshelf/csv/object-keys';
import { rowKeyColumn } from '@draftshelf/csv/own-download';
import { formatRowKey, importTag } from '@draftshelf/domain/review/corrections/row-key';
import { findObject } from '@draftshelf/object-storage/objects';
import { csvOf, type Fixture } from './fixture.ts';

type Stored = Pick<Fixture, 'database' | 'storage'>;
const limits = { ...readLimitsDefault, csvBytesMax: 100_000_000, archiveBytesMax: 100_000_000 };

/** The table of a corrections file that is stored as an upload stores it. */
export async function storedCorrections(
  { database: { db }, storage }: Stored,
  file: Uint8Array,
): Promise<{ taken: TakenFile; key: string; at: CompareProgress; source: CorrectionsFile }> {
  async function* pieces() {
    yield Buffer.from(file);
  }
  const taken = await takeFile(pieces(), { db, storage, limits });
  const key = scannedKey(taken.objectKey, taken.read.dialect);
  const bytes = (await findObject(storage, key))?.bytes ?? 0;
  return {
    taken,
    key,
    at: createFirstProgress(taken.read),
    source: toCorrectionsSource(taken.read, [], bytes),
  };
}

/**
 * Uploads a file in which `rows` rows of an import have another value of a column: the first ones, or some in any
 * order. Returns its id.
 */
export async function begunCorrections(
  fixture: Stored,
  importId: string,
  {
    rows,
    column,
    value,
    isShuffled = false,
  }: { rows: number; column: string; value: (row: number) => string; isShuffled?: boolean },
): Promise<string> {
  const { rows: places } = await fixture.database.pool.query<{ row: number; place: number; run: number }>(
    `select row, byte_from as place, run from rows join imports on imports.id = import_id and run = rows_run
     where import_id = $1 order by ${isShuffled ? 'md5(row::text)' : 'row'} limit $2`,
    [importId, rows],
  );
  const key = { tag: importTag(importId), edit: 0, found: {} };
  const lines = places.map((place) => [formatRowKey({ ...key, ...place }), value(place.row)]);
  const stored = await storedCorrections(fixture, Buffer.from(csvOf([[rowKeyColumn, column], ...lines])));
  const { at, source, taken } = stored;
  const begun = await fixture.database.db
    .transaction()
    .execute((trx) =>
      beginComparison(trx, importId, { filename: 'fixed.csv', object_key: taken.objectKey, at, source }),
    );
  if (!begun.ok) throw new Error(JSON.stringify(begun));
  return begun.id;
}
