import type { AppName } from '@draftshelf/infra/app-mains';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { metricsAddress } from '../../support/alert-rules.ts';
import { until } from '../../support/fixture.ts';
import { type Stack, startStack } from '../../support/stack.ts';
import { type OwnServices, startOwnServices } from '../own-services.ts';

const names: AppName[] = ['api', 'parse-worker', 'enrich-worker', 'push-worker', 'folder-worker', 'keeper'];
const frozenMs = 60_000;
const noticeMsMax = 10_000;

let services: OwnServices;
let stack: Stack;
beforeAll(async () => {
  services = await startOwnServices();
  const env = { METRICS_PORT: '0', LOG_LEVEL: 'info', BACKUP_DIR: '/tmp/draftshelf-none' };
  stack = await startStack({ names, env, services });
});
afterAll(async () => {
  await stack?.close();
  await services?.stop();
});

const statusOf = async (name: AppName, path: string) =>
  (await fetch(`${await metricsAddress(stack.process(name))}${path}`)).status;
const allAre = (path: string, status: number) => async () =>
  (await Promise.all(names.map((name) => statusOf(name, path)))).every((one) => one === status);

test('without Postgres for a minute, every program stays alive, is not ready, and is ready again', async () => {
  const pids = names.map((name) => stack.process(name).pid);
  await until('all are ready', allAre('/readyz', 200));
  await services.signalPostgres('SIGSTOP');
  const frozenAt = performance.now();
  await until('none is ready', allAre('/readyz', 503), noticeMsMax);
  while (performance.now() - frozenAt < frozenMs) {
    expect(await allAre('/healthz', 200)()).toBe(true);
    expect(await allAre('/readyz', 503)()).toBe(true);
  }
  await services.signalPostgres('SIGCONT');
  await until('all are ready again', allAre('/readyz', 200), noticeMsMax);
  expect(names.filter((name) => !stack.process(name).isRunning())).toEqual([]);
  expect(names.map((name) => stack.process(name).pid)).toEqual(pids);
});
