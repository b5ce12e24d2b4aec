import { expect } from 'vitest';
import { commandEnded } from '../../support/command-steps.ts';
import { productCsv } from '../../support/fixture.ts';
import { importSteps } from '../../support/import-steps.ts';
import { readers, stack, testOnWorkers } from '../../support/test.ts';

const it = testOnWorkers(readers);
const { processed } = importSteps(() => stack);

/** Autovacuum begins once a minute and from 50,000 old versions on. */
const rows = 10_000;

const tableBytes = async () => {
  const { rows: sizes } = await stack.database.pool.query(`select pg_table_size('rows')::int as bytes`);
  return sizes[0].bytes as number;
};

/** Sends a change of all rows and waits until its task has ended; returns its id. */
async function change(id: string, path: string, body?: object): Promise<string> {
  const begun = await stack.api.call('POST', `/api/queue/${id}/edits${path}`, body ? { body } : {});
  expect(begun).toMatchObject({ status: 200, body: { inBackground: true } });
  await commandEnded(stack, id);
  return (begun.body as { command: string }).command;
}

it('uses the space of old row versions while all rows are changed and the change is undone', async () => {
  const id = await processed(productCsv(rows));
  const before = await tableBytes();
  const operations = [{ kind: 'calculate', field: 'price', by: 'percent', amount: '10' }];
  const command = await change(id, '', { target: {}, operations });
  expect((await tableBytes()) / before).toBeLessThan(1.6);
  await change(id, `/${command}/undo`);
  expect((await tableBytes()) / before).toBeLessThan(1.6);
});
