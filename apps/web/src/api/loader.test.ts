import { QueryObserver } from '@tanstack/react-query';
import { type LoaderFunctionArgs, RouterContextProvider } from 'react-router';
import { afterEach, expect, test } from 'vitest';
import { toCacheKey } from './call.ts';
import { clientContext, createLoader, createQueryClient } from './query-client.ts';

let unsubscribe = () => {};
afterEach(() => unsubscribe());

/** A screen with one read that returns the result of `answer`. */
function screenWith(
  session: { authenticated: boolean; requiresAuth: boolean } | null,
  answer: () => Promise<string>,
) {
  const client = createQueryClient();
  if (session !== null) client.setQueryData(toCacheKey('authStatus'), session);
  let reads = 0;
  const read = {
    queryKey: ['/api/things'],
    queryFn: () => {
      reads += 1;
      return answer();
    },
  };
  const loader = createLoader(() => [read]);
  const context = new RouterContextProvider(new Map([[clientContext, client]]));
  return {
    /** Runs the loader, as the router does before it shows the screen. */
    load: () => loader({ context } as unknown as LoaderFunctionArgs, undefined as never),
    /** Draws the screen. */
    draw() {
      unsubscribe = new QueryObserver(client, read).subscribe(() => {});
    },
    leave: () => unsubscribe(),
    ended: () => expect.poll(() => client.isFetching()).toBe(0),
    reads: () => reads,
  };
}

const open = { authenticated: true, requiresAuth: true };
const fails = () => Promise.reject(new Error('away'));

test('the screen joins the read of its loader, which does not wait for it', () => {
  const screen = screenWith(open, () => new Promise(() => {}));
  expect(screen.load()).toBeNull();
  screen.draw();
  expect(screen.reads()).toBe(1);
});

test('a read that failed before the screen was drawn is retried by the next visit, not by the screen', async () => {
  const screen = screenWith(open, fails);
  screen.load();
  await screen.ended();
  screen.draw();
  await screen.ended();
  expect(screen.reads()).toBe(1);
  screen.leave();
  screen.load();
  await screen.ended();
  screen.draw();
  expect(screen.reads()).toBe(2);
});

test('the next visit does not read cached data again', async () => {
  const screen = screenWith(open, async () => 'things');
  screen.load();
  await screen.ended();
  screen.draw();
  screen.leave();
  screen.load();
  screen.draw();
  expect(screen.reads()).toBe(1);
});

test('without an open session only the screen reads, and retries a failed read', async () => {
  for (const session of [null, { authenticated: false, requiresAuth: true }]) {
    const screen = screenWith(session, fails);
    screen.load();
    expect(screen.reads()).toBe(0);
    screen.draw();
    await screen.ended();
    screen.leave();
    screen.draw();
    expect(screen.reads()).toBe(2);
    screen.leave();
  }
});
