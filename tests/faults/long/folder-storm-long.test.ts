import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Stack, startStack } from '../../support/stack.ts';
import { runFolderStorm } from '../folder-storm.ts';
import { type OwnServices, startOwnServices } from '../own-services.ts';

const sizes = { files: 200, kills: 30, frozenMs: 90_000 };

let services: OwnServices;
let stack: Stack;
beforeAll(async () => {
  services = await startOwnServices();
  stack = await startStack({
    names: ['parse-worker', 'enrich-worker', 'folder-worker'],
    services,
    env: { FOLDER_SETTLE_MS: '1000' },
  });
});
afterAll(async () => {
  await stack?.close();
  await services?.stop();
});

it(`two watchers take ${sizes.files} files once each, one killed every few files and one frozen for 90 s`, async () => {
  expect(await runFolderStorm(stack, sizes)).toEqual([]);
});
