import { focusManager, MutationObserver, onlineManager, QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, test } from 'vitest';
import { createQueryClient } from './query-client.ts';

let unsubscribe = () => {};
afterEach(() => {
  unsubscribe();
  focusManager.setFocused(undefined);
  onlineManager.setOnline(true);
});

/** A shown read, and how often it was made. */
function shown(answer: () => Promise<string>) {
  const client = createQueryClient();
  // As its provider does: from now on it hears of focus and network.
  client.mount();
  let reads = 0;
  const queryFn = () => {
    reads += 1;
    return answer();
  };
  const observer = new QueryObserver(client, { queryKey: ['/api/things'], queryFn });
  const stop = observer.subscribe(() => {});
  unsubscribe = () => {
    stop();
    client.unmount();
  };
  return {
    client,
    observer,
    reads: () => reads,
    ended: () => expect.poll(() => client.isFetching()).toBe(0),
  };
}

test('a read is not repeated when the window gets the focus or the network is back, and it never becomes stale', async () => {
  const read = shown(async () => 'things');
  await read.ended();
  focusManager.setFocused(false);
  focusManager.setFocused(true);
  onlineManager.setOnline(false);
  onlineManager.setOnline(true);
  await read.ended();
  expect(read.reads()).toBe(1);
  expect(read.observer.getCurrentResult()).toMatchObject({ data: 'things', isStale: false });
  expect(read.client.getDefaultOptions().queries).toMatchObject({ refetchInterval: false });
});

test('a failed read and a failed action are not repeated', async () => {
  const read = shown(() => Promise.reject(new Error('boom')));
  await read.ended();
  expect(read.reads()).toBe(1);
  expect(read.observer.getCurrentResult()).toMatchObject({ isError: true, failureCount: 1 });
  let calls = 0;
  const action = new MutationObserver(read.client, {
    mutationFn: () => {
      calls += 1;
      return Promise.reject(new Error('boom'));
    },
  });
  await expect(action.mutate()).rejects.toThrow('boom');
  expect(calls).toBe(1);
});

test.each([
  ['a first read that a screen waits for', true, undefined],
  ['a first read of a loader', false, undefined],
  ['a repeated read of a loader', false, 'older'],
])('the answer of %s is not kept if it was made before a change', async (_name, isWatched, known) => {
  const client = createQueryClient();
  const queryKey = ['/api/things'];
  client.setQueryData(queryKey, known);
  const before = Promise.withResolvers<string>();
  const answers = [before.promise, Promise.resolve('after')];
  const options = { queryKey, queryFn: () => answers.shift() ?? 'more reads', staleTime: 0 };
  const observer = new QueryObserver(client, options);
  void client.prefetchQuery(options);
  if (isWatched) unsubscribe = observer.subscribe(() => {});
  const invalidated = client.invalidateQueries({ queryKey });
  before.resolve('before');
  await invalidated;
  if (!isWatched) unsubscribe = observer.subscribe(() => {});
  await expect.poll(() => observer.getCurrentResult()).toMatchObject({ data: 'after', isFetching: false });
});
