import { Readable } from 'node:stream';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { beginImport } from '@draftshelf/core/reading/begin-import';
import { takeFile } from '@draftshelf/core/reading/take-file';
import { readLimitsDefault } from '@draftshelf/csv/limits';
import type { AutoProcessMode } from '@draftshelf/domain/access/settings';
import type { Fixture } from './fixture.ts';

/** Begins the import of a file as if it had arrived in a watched folder, without a folder worker. */
export async function folderImport(
  { database: { db }, storage }: Pick<Fixture, 'database' | 'storage'>,
  file: { csv: string; path: string; mode: AutoProcessMode; currency?: string | null },
): Promise<ImportRecord> {
  const limits = { ...readLimitsDefault, csvBytesMax: 1_000_000, archiveBytesMax: 1_000_000 };
  const taken = await takeFile(Readable.from([Buffer.from(file.csv)]), { db, storage, limits });
  return db.transaction().execute((trx) =>
    beginImport(trx, taken, {
      filename: file.path,
      testMode: false,
      enableUpc: false,
      enableAi: false,
      currency: file.currency === undefined ? 'CAD' : file.currency,
      origin: { source: 'local', path: file.path, mode: file.mode },
    }),
  );
}
