import { hostname } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../support/fixture.ts';
import { type Stack, startStack } from '../../support/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ names: ['api', 'parse-worker'], env: { CONCURRENCY: '3' } });
});
afterAll(() => stack?.close());

const reported = () =>
  stack.database.db.selectFrom('processes').selectAll().orderBy('kind').orderBy('started_at').execute();

test('a process reports kind and slots when it is ready, then heartbeats, and removes itself when it stops', async () => {
  const alike = { version: '0.1.0', host: hostname() };
  const [api, worker] = await reported();
  expect(api).toMatchObject({ ...alike, kind: 'api', slots: 0, pid: stack.process('api').pid });
  expect(worker).toMatchObject({
    ...alike,
    kind: 'parse-worker',
    slots: 3,
    pid: stack.process('parse-worker').pid,
  });

  await until('a heartbeat of both', async () =>
    (await reported()).every(({ seen_at, started_at }) => seen_at > started_at),
  );

  // If it was frozen until its row was removed, its next heartbeat adds the row again.
  await stack.database.db.deleteFrom('processes').where('kind', '=', 'parse-worker').execute();
  await until('the worker is back', async () => (await reported()).length === 2);

  for (const name of ['api', 'parse-worker'] as const) await stack.process(name).stop();
  expect(await reported()).toEqual([]);
});
