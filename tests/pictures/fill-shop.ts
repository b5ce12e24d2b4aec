import { fileURLToPath } from 'node:url';
import type { BenchStack } from '../bench/bench-stack.ts';
import { uploadFile } from '../bench/upload-file.ts';

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/mapping/${name}`, import.meta.url));
/** The sample file. */
export const sample = fileURLToPath(
  new URL('../../apps/web/public/sample/home-decor-manifest.csv', import.meta.url),
);
const waitMsMax = 60_000;

/** Uploads files and pushes some of them, so that every screen has something to show. Answers their ids. */
export async function fillShop(stack: BenchStack) {
  const upload = async (path: string) => {
    const id = await uploadFile(stack, path);
    await until(stack, id, (status) => status === 'queued' || status === 'processed');
    return id;
  };
  const pushed = await upload(fixture('platform-shopify-apparel.csv'));
  await push(stack, pushed);
  const second = await upload(fixture('trade-kbeauty-distributor.csv'));
  await push(stack, second);
  const failed = await upload(fixture('unsellable-stock-count.csv'));
  const reviewed = await upload(sample);
  await upload(fixture('language-de-haendler.csv'));
  return { pushed, failed, reviewed };
}

async function push(stack: BenchStack, id: string): Promise<void> {
  await call(stack, 'POST', `/api/queue/${id}/push`);
  await until(stack, id, (status) => status === 'completed' || status === 'failed');
}

async function until(stack: BenchStack, id: string, isReached: (status: string) => boolean): Promise<void> {
  const deadline = Date.now() + waitMsMax;
  for (;;) {
    const { job } = (await call(stack, 'GET', `/api/queue/${id}?rows=0`)) as { job: { status: string } };
    const { status } = job;
    if (isReached(status)) return;
    if (Date.now() > deadline) throw new Error(`The import is still ${status}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function call({ apiUrl, cookie }: BenchStack, method: string, path: string): Promise<unknown> {
  const answer = await fetch(`${apiUrl}${path}`, { method, headers: { cookie } });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}
