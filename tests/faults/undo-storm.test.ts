import { expect } from 'vitest';
import { productCsv, until } from '../support/fixture.ts';
import { pushSteps } from '../support/push-steps.ts';
import { pushers, testOnWorkers } from '../support/test.ts';
import { undoSteps } from '../support/undo-steps.ts';
import { createRandom, seedOfRun } from './fault-random.ts';
import { kill } from './inject.ts';

const it = testOnWorkers(pushers);
const products = 200;
const kills = 3;

it('an undo of a push deletes each product once, wherever its worker is killed and its answers are lost', async ({
  stack,
}) => {
  const seed = seedOfRun();
  const random = createRandom(seed);
  const { push, reach, read, importOf } = pushSteps(() => stack);
  const { preview, begin, ended, effects, expectAudited } = undoSteps(() => stack);
  const before = await stack.store.products();
  const { id } = await importOf(productCsv(products), '7'.repeat(64));
  await push(id);
  await reach(id, 'completed');
  await preview(id);
  await stack.store.fault({ kind: 'drop-after', operation: 'productDelete', every: 10, times: products });
  await stack.store.fault({ kind: 'delay', delayMs: 300, operation: 'productDelete', times: products });
  await begin(id);
  const points = Array.from({ length: kills }, () => Math.floor(random.between(1, products - 20))).sort(
    (a, b) => a - b,
  );
  for (const point of points) {
    await until(`${point} products are undone`, async () => (await read(id)).push_done >= point);
    await kill(stack, 'push-worker');
  }
  const lines = await ended(id);
  const seeded = `FAULT_SEED=${seed}`;
  expect(
    lines.map(({ result }) => result),
    seeded,
  ).toEqual(Array.from({ length: products }, () => 'delete'));
  expect(await effects(id), seeded).toEqual(Array.from({ length: products }, () => 'deleted'));
  expect(await stack.store.products(), seeded).toEqual(before);
  const { rows } = await stack.database.pool.query('select 1 from listings');
  expect(rows, seeded).toEqual([]);
  expect(await read(id)).toMatchObject({ status: 'processed', created: 0, undoes_run: null });
  await expectAudited(id);
});
