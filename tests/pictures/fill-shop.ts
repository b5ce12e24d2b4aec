import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { sampleAt, sampleFile } from '@draftshelf/contract/sample';
import type { BenchStack } from '../bench/bench-stack.ts';
import { fairnessCalls } from '../bench/fairness-calls.ts';

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/mapping/${name}`, import.meta.url));
/** The sample file. */
export const sample = fileURLToPath(
  new URL('../../apps/web/public/sample/home-decor-manifest.csv', import.meta.url),
);
const waitMsMax = 60_000;

/** Uploads files and pushes some of them, so that every screen has something to show. Answers their ids. */
export async function fillShop(stack: BenchStack) {
  const calls = fairnessCalls(stack);
  const upload = async (path: string) => {
    const id = await calls.uploadFile(path);
    await calls.reach(id, ['queued', 'processed'], waitMsMax);
    return id;
  };
  const push = async (id: string) => {
    await calls.mustDo('POST', `/api/queue/${id}/push`);
    await calls.reach(id, ['completed', 'failed'], waitMsMax);
  };
  const pushed = await upload(fixture('platform-shopify-apparel.csv'));
  await push(pushed);
  // None of its rows can be sold.
  const failed = await upload(fixture('trade-kbeauty-distributor.csv'));
  await push(failed);
  await upload(fixture('unsellable-stock-count.csv'));
  const reviewed = await calls.uploadText(
    sampleAt(stack.apiUrl, await readFile(sample, 'utf8')),
    sampleFile.filename,
  );
  await calls.reach(reviewed, ['queued', 'processed'], waitMsMax);
  await upload(fixture('language-de-haendler.csv'));
  return { pushed, failed, reviewed };
}
