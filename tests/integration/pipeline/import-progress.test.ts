import { findImport } from '@draftshelf/core/imports/imports';
import { expect } from 'vitest';
import { toJob } from '../../../apps/api/src/imports/to-job.ts';
import { csvOf, storedImport, until } from '../../support/fixture.ts';
import { readers, testOnWorkers } from '../../support/test.ts';

const test = testOnWorkers(readers);

const rows = 3000;

test('progress never goes backwards, even if a worker is killed and its chunks are repeated', async ({
  stack,
  onTestFinished,
}) => {
  const other = await stack.startAnother('parse-worker');
  onTestFinished(other.stop);
  const lines = Array.from({ length: rows }, (_, i) => [`Vase ${i + 1}`, '1.50', `V-${i}`, '036000291452']);
  const csv = csvOf([['Title', 'Price', 'SKU', 'UPC'], ...lines]);
  const { id } = await storedImport(stack, { csv, rowsMax: 25, set: { enable_upc: true } });
  const seen: { percent: number; parsedRows: number; enrichedRows: number; status: string }[] = [];
  let killed = false;
  await until('the import rests', async () => {
    const record = await findImport(stack.database.db, id);
    if (!record) throw new Error('The import is gone');
    const { parsed_rows: parsedRows, enriched_rows: enrichedRows, status } = record;
    seen.push({ percent: toJob(record, {}).progress, parsedRows, enrichedRows, status });
    if (!killed && parsedRows > rows / 4) {
      killed = true;
      stack.process('parse-worker').kill('SIGKILL');
    }
    return status !== 'processing';
  });
  for (const counter of ['percent', 'parsedRows', 'enrichedRows'] as const) {
    const values = seen.map((sample) => sample[counter]);
    expect(values).toEqual(values.toSorted((a, b) => a - b));
    expect(new Set(values).size).toBeGreaterThan(1);
  }
  const resting = seen.findIndex(({ percent }) => percent === 100);
  expect(seen.slice(0, resting).every(({ status }) => status === 'processing')).toBe(true);
  expect(seen.at(-1)).toMatchObject({ percent: 100, parsedRows: rows, enrichedRows: rows });
});
