import { authStatus } from '@draftshelf/contract/auth';
import { QueryObserver } from '@tanstack/react-query';
import { type LoaderFunctionArgs, RouterContextProvider } from 'react-router';
import { afterEach, expect, test } from 'vitest';
import { clientContext, loaderOf } from './loader.ts';
import { createQueryClient } from './query-client.ts';
import { readKey } from './read.ts';

let unsubscribe = () => {};
afterEach(() => unsubscribe());

/** A screen with one read, which answers what `answer` does. */
function aScreen(
  session: { authenticated: boolean; requiresAuth: boolean } | null,
  answer: () => Promise<string>,
) {
  const client = createQueryClient();
  if (session !== null) client.setQueryData(readKey(authStatus.path), session);
  let reads = 0;
  const read = {
    queryKey: ['/api/things'],
    queryFn: () => {
      reads += 1;
      return answer();
    },
  };
  const loader = loaderOf(() => [read]);
  const context = new RouterContextProvider(new Map([[clientContext, client]]));
  return {
    /** What the router does on the way to the screen. */
    lead: () => loader({ context } as unknown as LoaderFunctionArgs, undefined as never),
    /** What drawing the screen does. */
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

test('the screen joins the read of its loader, which answers before it has ended', () => {
  const screen = aScreen(open, () => new Promise(() => {}));
  expect(screen.lead()).toBeNull();
  screen.draw();
  expect(screen.reads()).toBe(1);
});

test('a read that failed before the screen was drawn is not repeated by it, but by the next visit', async () => {
  const screen = aScreen(open, fails);
  screen.lead();
  await screen.ended();
  screen.draw();
  await screen.ended();
  expect(screen.reads()).toBe(1);
  screen.leave();
  screen.lead();
  await screen.ended();
  screen.draw();
  expect(screen.reads()).toBe(2);
});

test('what was read is not read again by the next visit', async () => {
  const screen = aScreen(open, async () => 'things');
  screen.lead();
  await screen.ended();
  screen.draw();
  screen.leave();
  screen.lead();
  screen.draw();
  expect(screen.reads()).toBe(1);
});

test('without a known and open session only the drawn screen reads, also again where it failed', async () => {
  for (const session of [null, { authenticated: false, requiresAuth: true }]) {
    const screen = aScreen(session, fails);
    screen.lead();
    expect(screen.reads()).toBe(0);
    screen.draw();
    await screen.ended();
    screen.leave();
    screen.draw();
    expect(screen.reads()).toBe(2);
    screen.leave();
  }
});
