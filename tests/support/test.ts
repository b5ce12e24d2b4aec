import { test as base } from 'vitest';
import { startApi } from './api.ts';
import { browserOf } from './api-client.ts';
import { openFixture } from './fixture.ts';
import { startStack } from './stack.ts';

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

/** Tests on processes, their database, bucket and store, and with a client of their api. */
export const testOnStack = (options: Parameters<typeof startStack>[0]) =>
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
