import { expect } from 'vitest';
import { csvOf, storedImport, until } from '../../support/fixture.ts';
import { testOnWorkers } from '../../support/test.ts';

const test = testOnWorkers(['parse-worker']);

test('the log has neither text nor cells of a row that Postgres refuses', async ({ stack }) => {
  await stack.database.pool.query("alter table rows add constraint no_kites check (title not like 'Kite%')");
  const csv = csvOf([
    ['Title', 'Price', 'SKU', 'Remark'],
    ['Kite of silk', '12.00', 'K-1', 'bought of Aunt Ida'],
  ]);
  const process = stack.process('parse-worker');
  const before = process.output().length;
  const output = () => process.output().slice(before);
  await storedImport(stack, { csv });
  await until('the failure is logged', () => output().includes('A chunk failed'));
  expect(output()).toContain('no_kites');
  expect(output()).not.toMatch(/silk|Aunt Ida|K-1/);
  await stack.database.pool.query('alter table rows drop constraint no_kites');
});
