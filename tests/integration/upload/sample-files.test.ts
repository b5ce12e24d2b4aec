import { expect } from 'vitest';
import { productCsv, storedImport } from '../../support/fixture.ts';
import { test } from '../../support/test.ts';

test('a stored import has its file, its run and its chunks', async ({ fixture }) => {
  const record = await storedImport(fixture, { csv: productCsv(5), rowsMax: 2 });
  const chunks = await fixture.database.db
    .selectFrom('chunks')
    .select(['first_row', 'rows', 'state'])
    .where('import_id', '=', record.id)
    .orderBy('sequence')
    .execute();
  expect(chunks).toEqual([
    { first_row: 1, rows: 2, state: 'pending' },
    { first_row: 3, rows: 2, state: 'pending' },
    { first_row: 5, rows: 1, state: 'pending' },
  ]);
  expect(record).toMatchObject({ status: 'processing', open_chunks: 3, total_products: 5, total_rows: 5 });
});
