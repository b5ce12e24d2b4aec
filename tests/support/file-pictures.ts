import { Readable } from 'node:stream';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { changeImport } from '@draftshelf/core/imports/imports';
import { addFilePictures } from '@draftshelf/core/reading/begin-import';
import { pngOf, pngParts } from '@draftshelf/domain/testing/sample-pictures';
import { getStream } from '@draftshelf/object-storage/objects';
import { putStream } from '@draftshelf/object-storage/put-stream';
import { toBlobSource } from '@draftshelf/workbooks/byte-source';
import { type ZipPart, zipFile } from '@draftshelf/workbooks/testing/zip-file';
import { readDirectory } from '@draftshelf/workbooks/zip/directory';
import { toEntryLocation } from '@draftshelf/workbooks/zip/entry';
import { type Fixture, storedImport } from './fixture.ts';

/** A picture that differs from those with other numbers. */
export const pictureOf = (n: number): Uint8Array =>
  pngOf(pngParts(1 + (n % 10_000), 1 + Math.floor(n / 10_000)));

export type PictureFile = Omit<ZipPart, 'data'> & {
  data?: string | Uint8Array;
  /** Where it is anchored in a sheet. */
  anchor?: { sheet: number; line: number; toLine?: number };
};

/**
 * An import of a CSV whose stored file also has pictures, behind its rows. Without `data`, each picture is another one.
 */
export async function importWithPictures(
  fixture: Pick<Fixture, 'database' | 'storage'>,
  csv: string,
  files: readonly PictureFile[],
): Promise<ImportRecord> {
  const record = await storedImport(fixture, { csv });
  const parts = files.map(({ data, ...file }, at) => ({ ...file, data: data ?? pictureOf(at) }));
  const archive = await zipFile(parts);
  const rows = Buffer.concat(await Array.fromAsync(getStream(fixture.storage, record.object_key)));
  await putStream(fixture.storage, record.object_key, Readable.from([Buffer.concat([rows, archive])]));
  const entries = await readDirectory(toBlobSource(new Blob([archive])));
  const pictures = entries.map((entry, at) => ({
    entry: entry.name,
    ...toEntryLocation(entry),
    offset: entry.offset + rows.length,
    ...files[at]?.anchor,
  }));
  await fixture.database.db.transaction().execute(async (trx) => {
    await changeImport(trx, record.id, { file_bytes: rows.length + archive.length });
    await addFilePictures(trx, record, pictures);
  });
  return record;
}
