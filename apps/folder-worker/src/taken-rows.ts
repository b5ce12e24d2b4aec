import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FileLimits, TakenFile } from '@draftshelf/core/reading/take-file';
import { scannedKey } from '@draftshelf/csv/object-keys';
import type { ObjectStorage } from '@draftshelf/object-storage/connect';
import { getRange } from '@draftshelf/object-storage/objects';
import { type ParsedRow, readChunk } from '@draftshelf/reading/read-chunk';

/** Reads the rows of a taken file again, in parts, between which others get their turn. */
export async function* readTakenRows(
  { objectKey, read: { whole, ...header } }: Pick<TakenFile, 'objectKey' | 'read'>,
  { storage, limits }: { storage: ObjectStorage; limits: FileLimits },
): AsyncGenerator<ParsedRow[]> {
  const key = scannedKey(objectKey, header.dialect);
  for (const bounds of whole.cuts) {
    const memory = Buffer.allocUnsafe(bounds.byteTo - bounds.byteFrom);
    const bytes = await getRange(storage, key, bounds.byteFrom, memory);
    let part: ParsedRow[] = [];
    for (const row of readChunk(bytes, bounds, header, limits).rows()) {
      part.push(row);
      if (part.length < partMax) continue;
      yield part;
      part = [];
      await nextTurn();
    }
    yield part;
  }
}

const partMax = 1_000;

/** Hashes the mapped columns of a taken file, in any order of rows: each export of a workbook has other bytes. */
export async function hashTakenRows(
  taken: Pick<TakenFile, 'objectKey' | 'read'>,
  options: Parameters<typeof readTakenRows>[1],
): Promise<string> {
  let rows = 0;
  let sum = 0n;
  for await (const part of readTakenRows(taken, options)) {
    for (const { item, cells, ignored } of part) {
      if (ignored !== null) continue;
      rows += 1;
      const text = item
        ? [item.key, ...item.hashes, item.price, item.quantity, item.gtin].join('|')
        : cells.join('\u001f');
      const digest = createHash('sha256').update(text).digest();
      sum = BigInt.asUintN(128, sum + digest.readBigUInt64BE(0) * 2n ** 64n + digest.readBigUInt64BE(8));
    }
  }
  const fields = Object.keys(taken.read.mapping.sources).sort().join(',');
  return createHash('sha256').update(`${rows} ${sum} ${fields}`).digest('hex');
}
