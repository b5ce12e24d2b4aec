import { expect } from 'vitest';
import { csvOf, storedImport, until } from '../../support/fixture.ts';
import { testOnStack } from '../../support/test.ts';

const test = testOnStack({ names: ['parse-worker'] });

test('the log has neither text nor cells of a row that Postgres refuses', async ({ stack }) => {
  await stack.database.pool.query("alter table rows add constraint no_kites check (title not like 'Kite%')");
  const csv = csvOf([
    ['Title', 'Price', 'SKU', 'Remark'],
    ['Kite of silk', '12.00', 'K-1', 'bought of Aunt Ida'],
  ]);
  await storedImport(stack, { csv });
  const { output } = stack.process('parse-worker');
  await until('the failure is logged', () => output().includes('A chunk failed'));
  expect(output()).toContain('no_kites');
  expect(output()).not.toMatch(/silk|Aunt Ida|K-1/);
});
