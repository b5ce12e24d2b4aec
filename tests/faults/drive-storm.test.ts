import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startGraph, type TestGraph } from '../support/graph.ts';
import { type Stack, startStack } from '../support/stack.ts';
import { runDriveStorm } from './drive-storm.ts';

const credentialsKey = randomBytes(32).toString('hex');
const sizes = { files: 10, kills: 2, credentialsKey };

let graph: TestGraph;
let stack: Stack;
beforeAll(async () => {
  graph = await startGraph();
  stack = await startStack({
    names: ['parse-worker', 'enrich-worker', 'folder-worker'],
    credentialsKey,
    env: { ...graph.env },
  });
});
afterAll(async () => {
  await stack?.close();
  await graph?.close();
});

it(`${sizes.files} files of OneDrive are taken and moved once each, while Graph refuses calls`, async () => {
  expect(await runDriveStorm(stack, graph, sizes)).toEqual([]);
});
