import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { backUp } from '@draftshelf/backup/back-up';
import { restore } from '@draftshelf/backup/restore';
import { expect, onTestFinished } from 'vitest';
import { type AppProcess, startApp } from '../../support/app-process.ts';
import { openEmptyInstallation, workOn } from '../../support/empty-installation.ts';
import { fixtureEnv, productCsv, storedImport, until } from '../../support/fixture.ts';
import { pushSteps } from '../../support/push-steps.ts';
import { storeToken } from '../../support/stack.ts';
import { pushers, testOnWorkers } from '../../support/test.ts';

const test = testOnWorkers(pushers);
/** More than are sent at a time. */
const bowls = 300;

test('after a restore of a backup made during an import and a push, pushing everything again makes no product', async ({
  stack,
}) => {
  const directory = await mkdtemp(path.join(tmpdir(), 'draftshelf-backup-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const source = pushSteps(() => stack);
  const pushed = await source.importOf(productCsv(bowls).replaceAll('Vase', 'Bowl'), '1a'.repeat(32));
  const parsed = await storedImport(stack, {
    csv: productCsv(80).replaceAll(',V-', ',2b2b-').replaceAll('Vase', 'Jug'),
    rowsMax: 5,
  });
  const parser = stack.process('parse-worker');
  await until('rows are parsed', async () => (await source.read(parsed.id)).parsed_rows > 0);
  parser.kill('SIGSTOP');
  const pusher = stack.process('push-worker');
  await source.push(pushed.id);
  await until('products are pushed', async () => (await source.read(pushed.id)).created > 0);
  pusher.kill('SIGSTOP');
  const { objects } = await backUp(path.join(directory, 'a'), workOn(stack));
  expect(objects).toHaveLength(2);

  // The work goes on: products are made that the backup does not know.
  for (const worker of [parser, pusher]) worker.kill('SIGCONT');
  await source.reach(pushed.id, 'completed');
  await source.reach(parsed.id, 'processed', 'queued');
  await source.push(parsed.id);
  expect(await source.reach(parsed.id, 'completed')).toMatchObject({ created: 80 });
  const idsOf = async () => (await stack.store.products()).map(({ id }) => id).toSorted();
  const [products, writes] = [await idsOf(), await source.calls()];
  expect(products).toHaveLength(bowls + 80);

  const restored = await openEmptyInstallation();
  const workers: AppProcess[] = [];
  onTestFinished(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    await restored.close();
  });
  await restore(path.join(directory, 'a'), { ...workOn(restored), sealingKeys: [] });
  const again = pushSteps(() => ({ ...stack, ...restored }));
  expect(await again.read(pushed.id)).toMatchObject({ status: 'uploading' });
  expect(await again.read(parsed.id)).toMatchObject({ status: 'processing' });

  const env = {
    ...fixtureEnv(restored),
    RETRY_BASE_MS: '50',
    SHOPIFY_STORE_URL: stack.store.url,
    SHOPIFY_ACCESS_TOKEN: storeToken,
  };
  const names = ['parse-worker', 'enrich-worker', 'push-worker'] as const;
  workers.push(...(await Promise.all(names.map((name) => startApp(name, env)))));
  // What was under way goes on by itself.
  const done = await again.reach(pushed.id, 'completed');
  expect(done).toMatchObject({ skipped: 0, failed: 0, error_count: 0 });
  expect(done.created + done.unchanged).toBe(bowls);
  expect(done.unchanged).toBeGreaterThan(0);
  await again.reach(parsed.id, 'processed', 'queued');
  await again.push(parsed.id);
  expect(await again.reach(parsed.id, 'completed')).toMatchObject({ created: 0, unchanged: 80, skipped: 0 });
  expect(await idsOf()).toEqual(products);
  expect(await again.calls()).toBe(writes);
});
