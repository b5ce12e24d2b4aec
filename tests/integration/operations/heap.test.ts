import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findImport } from '@draftshelf/core/imports/imports';
import { expect, test } from 'vitest';
import { storedImport, until } from '../../support/fixture.ts';
import { longRow, longRowsHeader } from '../../support/long-rows.ts';
import { startStack } from '../../support/stack.ts';

const mega = 1024 * 1024;
const heapBytesMax = 64 * mega;
const heapLimit = `--max-old-space-size=${heapBytesMax / mega}`;
const rows = 20_000;
/** For seventy megabytes, with another test file running on two cores. */
const processedMsMax = 60_000;

test('a parse worker reads a file larger than its heap limit', async () => {
  const stack = await startStack({ names: ['parse-worker'], env: { NODE_OPTIONS: heapLimit } });
  try {
    const lines = [longRowsHeader];
    for (let row = 1; row <= rows; row += 1) lines.push(longRow(row));
    const record = await storedImport(stack, { csv: lines.join('') });
    expect(record.file_bytes).toBeGreaterThan(heapBytesMax);
    const isProcessed = async () => (await findImport(stack.database.db, record.id))?.status === 'processed';
    await until('processed', isProcessed, processedMsMax);
    expect(await findImport(stack.database.db, record.id)).toMatchObject({
      parsed_rows: rows,
      valid_products: rows,
    });
  } finally {
    await stack.close();
  }
});

test('the preview counts a file larger than its heap limit', async () => {
  const main = fileURLToPath(new URL('preview-heap-main.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [heapLimit, main, String(rows)]);
  const found = JSON.parse(stdout) as { bytes: number; rows: number; valid: number };
  expect(found.bytes).toBeGreaterThan(heapBytesMax);
  expect(found).toMatchObject({ rows, valid: rows });
});
