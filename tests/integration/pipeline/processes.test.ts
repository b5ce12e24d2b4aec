import { hostname } from 'node:os';
import { readVersion } from '@draftshelf/runtime/version';
import { expect } from 'vitest';
import { until } from '../../support/fixture.ts';
import type { Stack } from '../../support/stack.ts';
import { testOnStack } from '../../support/test.ts';

const names = ['api', 'folder-worker', 'parse-worker'] as const;
const test = testOnStack({ names: [...names], env: { CONCURRENCY: '3' } });

const reported = ({ database }: Stack) =>
  database.db.selectFrom('processes').selectAll().orderBy('kind').orderBy('started_at').execute();

test('a process reports kind and slots when it is ready, then heartbeats, and removes itself when it stops', async ({
  stack,
}) => {
  const alike = { version: readVersion(), host: hostname() };
  const [api, folderWorker, worker] = await reported(stack);
  expect(api).toMatchObject({ ...alike, kind: 'api', slots: 0, pid: stack.process('api').pid });
  const { pid } = stack.process('folder-worker');
  expect(folderWorker).toMatchObject({ ...alike, kind: 'folder-worker', slots: 1, pid });
  expect(worker).toMatchObject({
    ...alike,
    kind: 'parse-worker',
    slots: 3,
    pid: stack.process('parse-worker').pid,
  });

  await until('a heartbeat of all', async () =>
    (await reported(stack)).every(({ seen_at, started_at }) => seen_at > started_at),
  );

  // If it was frozen until its row was removed, its next heartbeat adds the row again.
  await stack.database.db.deleteFrom('processes').where('kind', '=', 'parse-worker').execute();
  await until('the worker is back', async () => (await reported(stack)).length === 3);

  for (const name of names) await stack.process(name).stop();
  expect(await reported(stack)).toEqual([]);
});
