import { afterAll, beforeAll, expect, it } from 'vitest';
import { productCsv, until } from '../../support/fixture.ts';
import { pushSteps } from '../../support/push-steps.ts';
import { type Stack, startStack } from '../../support/stack.ts';

const workers = 4;
const products = 400;
/** What a push worker opens at most, by OPERATIONS.md: a pool of 6, the claims, LISTEN, and 8 for its two queues. */
const connectionsMax = 16;

let stack: Stack;
let [shared, cut] = ['', ''];
const { read, reach, push, importOf, calls, outcomes, productsNamed } = pushSteps(() => stack);

beforeAll(async () => {
  stack = await startStack();
  for (let at = 1; at < workers; at += 1) await stack.startAnother('push-worker');
  shared = (await importOf(productCsv(products).replaceAll('Vase', 'Shared'), 'd1'.repeat(32))).id;
  cut = (await importOf(productCsv(150).replaceAll('Vase', 'Cut'), 'd2'.repeat(32))).id;
  // Only connections of push workers are counted.
  await stack.process('parse-worker').stop();
  await stack.process('enrich-worker').stop();
});
afterAll(() => stack?.close());

/** What a session of a store costs: once per process in ten minutes, not per product. */
const ofSession: readonly string[] = [
  'shop',
  'currentAppInstallation',
  'locations',
  'collections',
  'metafieldDefinitions',
];

const pointsOfProducts = async () => {
  const { points } = await stack.store.stats();
  return Object.entries(points)
    .filter(([operation]) => !ofSession.includes(operation))
    .reduce((sum, [, spent]) => sum + spent, 0);
};

/** The open connections to the database, but those of this test, by the name of the application. */
const countConnections = async () => {
  const { rows } = await stack.database.pool.query<{ name: string; connections: number }>(
    `select application_name as name, count(*)::int as connections from pg_stat_activity
     where datname = current_database() and application_name <> 'draftshelf-test'
       and backend_type = 'client backend' group by 1`,
  );
  const all = rows.reduce((sum, { connections }) => sum + connections, 0);
  return { all, byName: Object.fromEntries(rows.map(({ name, connections }) => [name, connections])) };
};

it('four workers share the reads of unchanged products and few connections', async () => {
  const id = shared;
  await push(id);
  let most = await countConnections();
  await until('the push has ended', async () => {
    const now = await countConnections();
    if (now.all > most.all) most = now;
    return (await read(id)).status !== 'uploading';
  });
  expect(await reach(id, 'completed', 'failed')).toMatchObject({ created: products, failed: 0 });
  expect(most.byName).toMatchObject({ 'draftshelf-push-claims': workers });
  expect(most.all, JSON.stringify(most.byName)).toBeLessThanOrEqual(workers * connectionsMax);

  for (const batchSize of [25, 5]) {
    const [written, spent] = [await calls(), await pointsOfProducts()];
    await push(id, batchSize);
    const unchanged = { unchanged: products, created: 0, updated: 0 };
    expect(await reach(id, 'completed', 'failed')).toMatchObject(unchanged);
    expect(await calls()).toBe(written);
    expect((await pointsOfProducts()) - spent).toBeLessThanOrEqual(products / 100);
  }
  expect((await outcomes(id)).filter(({ message }) => message !== null)).toEqual([]);
  const { rows } = await stack.database.pool.query('select 1 from stamp_reads');
  expect(rows).toEqual([]);
});

it('when the connections that hold the claims are lost, the chunks begin again and nothing is made twice', async () => {
  const id = cut;
  await stack.store.fault({ kind: 'delay', delayMs: 500, operation: 'productSet', times: 1000 });
  await push(id);
  await until('some products are sent', async () => (await read(id)).created > 0);
  const { rowCount } = await stack.database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'draftshelf-push-claims'`,
  );
  expect(rowCount).toBe(workers);
  expect(await reach(id, 'completed', 'failed')).toMatchObject({ created: 150, failed: 0 });
  expect(await productsNamed('Cut')).toHaveLength(150);
});
