import type { AppName } from '@draftshelf/infra/app-mains';
import { test as base } from 'vitest';
import { startApi, type TestApi } from './api.ts';
import { browserOf } from './api-client.ts';
import { type Fixture, openFixture } from './fixture.ts';
import type { QueueBackend } from './queue-backend.ts';
import { shareStack } from './shared-stack.ts';
import { type Stack, startStack, storeToken } from './stack.ts';

/** Tests on a database and a bucket of the file's own, and on an api in this process. */
export const test = base
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the needed fixtures from the pattern.
  .extend('fixture', { scope: 'file' }, async ({}, { onCleanup }) => {
    const fixture = await openFixture();
    onCleanup(fixture.close);
    return fixture;
  })
  .extend('api', { scope: 'file' }, async ({ fixture }, { onCleanup }) => {
    const api = await startApi(fixture);
    onCleanup(api.close);
    return api;
  });

/** What the tests of `testOnFixture` and `testOnApi` use, of the test file that runs. */
export let fixture: Fixture;
export let api: TestApi;

export function testOnFixture() {
  test.beforeAll(({ fixture: own }) => {
    fixture = own;
  });
  return test;
}

/** `options`: of an api of the file's own. */
export function testOnApi(options?: () => ApiOptions | Promise<ApiOptions>) {
  const it = test.extend('api', { scope: 'file' }, async ({ fixture: own }, { onCleanup }) => {
    const started = await startApi(own, await options?.());
    onCleanup(started.close);
    return started;
  });
  it.beforeAll(({ fixture: own, api: ownApi }) => {
    fixture = own;
    api = ownApi;
  });
  return it;
}

type ApiOptions = Parameters<typeof startApi>[1];

/** Tests on processes of the file's own, their database, bucket and store, and with a client of their api. */
export const testOnStack = (options: Parameters<typeof startStack>[0] = {}) =>
  base
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the needed fixtures from the pattern.
    .extend('stack', { scope: 'file' }, async ({}, { onCleanup }) => {
      const stack = await startStack(options);
      onCleanup(stack.close);
      return stack;
    })
    .extend('client', { scope: 'file' }, async ({ stack }) => {
      const client = browserOf(stack.apiUrl);
      await client.login();
      return client;
    });

/** Workers and a store, and an api in this process. */
export type WorkerStack = Stack & { api: TestApi };

async function startWorkers(names: AppName[] | undefined, backend: QueueBackend): Promise<WorkerStack> {
  const stack = await startStack({ ...(names && { names }), backend });
  const api = await startApi(stack, { storeUrl: stack.store.url, storeToken, redisUrl: stack.redis?.url });
  return { ...stack, api, close: () => api.close().finally(stack.close) };
}

/** The stack of the files of a Vitest worker. */
const shared = shareStack((names) => startWorkers(names, 'postgres'));

const testOnShared = base
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the needed fixtures from the pattern.
  .extend('worker', { scope: 'worker', auto: true }, ({}, { onCleanup }) => onCleanup(shared.close))
  .extend('failure', { auto: true }, ({ onTestFailed }) => onTestFailed(shared.fail));

const onWorkers = (names: AppName[], backend: QueueBackend) =>
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the needed fixtures from the pattern.
  testOnShared.extend('stack', { scope: 'file' }, async ({}, { onCleanup }) => {
    const own = backend === 'postgres' ? await shared.next(names) : await startWorkers(names, backend);
    if (backend === 'redis') onCleanup(own.close);
    await own.api.login();
    return own;
  });

/** The stack of the test file that runs, if its tests are those of `testOnWorkers`. */
export let stack: WorkerStack;

/**
 * Tests on the processes of `names` and an api in this process, which the files of a Vitest worker share: the database,
 * the bucket, the queue and the store are empty when a file begins.
 */
export function testOnWorkers(names: AppName[]) {
  const it = onWorkers(names, 'postgres');
  it.beforeAll(({ stack: own }) => {
    stack = own;
  });
  return it;
}

/** The tests of a scenario for each backend. With jobs in Redis, the processes are the file's own. */
export const testsOnBackends = (names: AppName[], backends: QueueBackend[]) =>
  backends.map((backend) => ({ backend, it: onWorkers(names, backend) }));

/** The processes that read files. */
export const readers: AppName[] = ['parse-worker', 'enrich-worker'];

/** The processes that read files and push products, and the store. */
export const pushers: AppName[] = ['store-simulator', ...readers, 'push-worker'];
