import { expect, test } from 'vitest';
import { blocksUntil, isReasonOf } from './preview-part.ts';

async function* failingAfter(blocks: readonly number[], fail: () => unknown) {
  yield* blocks;
  throw fail();
}

test('blocks before the limit are kept, and other errors are thrown', async () => {
  const limit = new AbortController();
  const { signal } = limit;
  const reached = () => {
    limit.abort();
    return AbortSignal.any([new AbortController().signal, signal]).reason;
  };
  expect(await blocksUntil(signal, failingAfter([1, 2], reached))).toEqual([1, 2]);
  const first = blocksUntil(signal, failingAfter([], reached));
  await expect(first).rejects.toSatisfy((error) => isReasonOf(signal, error));
  const broken = new Error('broken');
  // The limit is over, but that is not why the block failed.
  await expect(
    blocksUntil(
      signal,
      failingAfter([1], () => broken),
    ),
  ).rejects.toBe(broken);
  expect(isReasonOf(signal, broken)).toBe(false);
  expect(isReasonOf(new AbortController().signal, undefined)).toBe(false);
});
