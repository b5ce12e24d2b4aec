import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createSharedReply, sharedReadOptions } from './shared-reply.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => vi.useRealTimers());

type Body = { status: string; progress: number };

/** A reply about something whose progress may come later. */
function progressing() {
  const now: Body = { status: 'processing', progress: 0 };
  const reply = createSharedReply(
    async () => ({ ...now }),
    (before, after) => before.status === after.status,
  );
  const set = (change: Partial<Body>) => Object.assign(now, change);
  /** As of a poll when the reading before is too old to be used. */
  const next = async () => {
    vi.advanceTimersByTime(sharedReadOptions.staleMsMax);
    return { version: await reply.version(), body: await reply.body() };
  };
  return { reply, set, next };
}

it('keeps its version and its very body for two seconds while only progress changes', async () => {
  const { set, next } = progressing();
  const first = await next();
  for (const progress of [10, 20, 30]) {
    set({ progress });
    const kept = await next();
    expect(kept.version).toBe(first.version);
    expect(kept.body).toBe(first.body);
  }
  const later = await next();
  expect(later.version).not.toBe(first.version);
  expect(later.body).toEqual({ status: 'processing', progress: 30 });
});

it('shows another state at once, with its progress', async () => {
  const { set, next } = progressing();
  const first = await next();
  set({ status: 'processed', progress: 100 });
  const ended = await next();
  expect(ended.version).not.toBe(first.version);
  expect(ended.body).toEqual({ status: 'processed', progress: 100 });
});

it('shows progress at once to a client that has changed something', async () => {
  const { reply, set, next } = progressing();
  await next();
  set({ progress: 10 });
  reply.forget();
  expect(await reply.body()).toEqual({ status: 'processing', progress: 10 });
});
