import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Stack, startStack } from '../support/stack.ts';
import { runFolderStorm } from './folder-storm.ts';

const sizes = { files: 12, kills: 2, frozenMs: 20_000 };

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({
    names: ['parse-worker', 'enrich-worker', 'folder-worker'],
    env: { FOLDER_SETTLE_MS: '500' },
  });
});
afterAll(() => stack?.close());

it(`two watchers take ${sizes.files} files once each, one killed and one frozen`, async () => {
  expect(await runFolderStorm(stack, sizes)).toEqual([]);
});
