import type { ImportRecord } from '@draftshelf/core/connection/schema';
import type { TextHead } from '@draftshelf/core/reading/preview-reread';
import type { ScannedTable } from '@draftshelf/csv/dialect';
import { tableKey } from '@draftshelf/csv/object-keys';
import type { ObjectStorage } from '@draftshelf/object-storage/connect';
import { isObjectMissing } from '@draftshelf/object-storage/object-errors';
import { getRange } from '@draftshelf/object-storage/objects';
import { type ContainerSizes, withContainer } from '@draftshelf/object-storage/store-table';

type HeadOptions = { storage: ObjectStorage; bytesMax: number; limits: ContainerSizes };

/** The head of the stored file, or of a table in it, whose text may not have been stored yet. */
export async function readTextHead(
  { object_key: objectKey, file_bytes: fileBytes }: Pick<ImportRecord, 'object_key' | 'file_bytes'>,
  table: ScannedTable | undefined,
  { storage, bytesMax, limits }: HeadOptions,
): Promise<TextHead> {
  const head = (key: string) => getRange(storage, key, 0, Buffer.alloc(bytesMax));
  if (!table) {
    const bytes = await head(objectKey);
    return { bytes, isWhole: bytes.length >= fileBytes };
  }
  const bytes = await head(tableKey(objectKey, table)).catch((error: unknown) => {
    if (!isObjectMissing(error)) throw error;
    return withContainer(storage, { objectKey, fileBytes }, limits, async (container) => {
      const reading = container.read(table.n, { headBytes: bytesMax });
      return Buffer.concat(await Array.fromAsync(reading.pieces()));
    });
  });
  return { bytes: bytes.subarray(0, bytesMax), isWhole: bytes.length < bytesMax };
}
