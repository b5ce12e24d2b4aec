import { afterAll, beforeAll, expect, it } from 'vitest';
import { productCsv, until } from '../../support/fixture.ts';
import { pushSteps } from '../../support/push-steps.ts';
import { type Stack, startStack } from '../../support/stack.ts';

const workers = 4;
const products = 600;
/** What a push worker opens at most: a pool of 6, the claims, LISTEN, and two pools of two for the jobs. */
const connectionsMax = 12;

let stack: Stack;
const { reach, push, importOf, calls, outcomes } = pushSteps(() => stack);

beforeAll(async () => {
  stack = await startStack();
  for (let at = 1; at < workers; at += 1) await stack.startAnother('push-worker');
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

/** The connections to the database of processes that push. */
const countConnections = async () => {
  const { rows } = await stack.database.pool.query<{ connections: number }>(
    `select count(*)::int as connections from pg_stat_activity
     where datname = current_database() and application_name <> 'draftshelf-test'`,
  );
  return rows[0]?.connections ?? 0;
};

it('four workers share the reads of unchanged products and few connections', async () => {
  const { id } = await importOf(productCsv(products).replaceAll('Vase', 'Shared'), 'd1'.repeat(32));
  // Their pools are not those of a push.
  await stack.process('parse-worker').stop();
  await stack.process('enrich-worker').stop();
  await push(id);
  let most = 0;
  const watching = until(
    'the push has ended',
    async () => {
      most = Math.max(most, await countConnections());
      return (await reachedEnd(id)) === true;
    },
    60_000,
  );
  await watching;
  expect(await reach(id, 'completed', 'failed')).toMatchObject({ created: products, failed: 0 });
  expect(most).toBeGreaterThan(workers);
  expect(most).toBeLessThanOrEqual(workers * connectionsMax);

  const [written, spent] = [await calls(), await pointsOfProducts()];
  await push(id);
  expect(await reach(id, 'completed', 'failed')).toMatchObject({
    unchanged: products,
    created: 0,
    updated: 0,
  });
  expect(await calls()).toBe(written);
  expect((await pointsOfProducts()) - spent).toBeLessThanOrEqual(products / 100);
  expect((await outcomes(id)).filter(({ message }) => message !== null)).toEqual([]);
  const { rows } = await stack.database.pool.query('select 1 from stamp_reads');
  expect(rows).toEqual([]);
});

const reachedEnd = async (id: string) => {
  const { rows } = await stack.database.pool.query<{ status: string }>(
    'select status from imports where id = $1',
    [id],
  );
  return rows[0]?.status !== 'uploading';
};
