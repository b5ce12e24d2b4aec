import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { goTo, queueRow, sees, signIn, uploadByCall } from '../steps.ts';
import { test } from '../test.ts';

/** Polls of one call, which a page makes in three hours. */
const polls = 5000;
/** A poll takes about 20 ms, on a busy machine more. */
const testMsMax = 60_000 + polls * 100;
const grownBytesMax = 10_000_000;
/** Polls before the first measurement: the page fills its caches. */
const warmUp = 50;
/** How many times faster the page's clocks run. */
const speed = 200;

/** Lets timers of a second or more run faster. Animations and time-outs below that stay as they are. */
const hurryTimers = (times: number) => {
  const faster = (ms: number | undefined) => (ms !== undefined && ms >= 1000 ? ms / times : ms);
  const [timeout, interval] = [window.setTimeout, window.setInterval];
  window.setTimeout = ((run: TimerHandler, ms?: number, ...rest: unknown[]) =>
    timeout(run, faster(ms), ...rest)) as typeof window.setTimeout;
  window.setInterval = ((run: TimerHandler, ms?: number, ...rest: unknown[]) =>
    interval(run, faster(ms), ...rest)) as typeof window.setInterval;
};

async function heapBytes(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize;
}

test.for([
  ['Dashboard', '/api/dashboard/current'],
  ['Processing Queue', '/api/queue'],
] as const)(
  '%s grows by at most 10 MB while it is left open',
  { timeout: testMsMax },
  ([name, polled], { browser }) =>
    browser.visit({}, async (page) => {
      await page.addInitScript(hurryTimers, speed);
      await signIn(page);
      const file = `${name}.csv`;
      await uploadByCall(page, { name: file, content: 'Title,Price\nLamp,5\n' });
      let answered = 0;
      page.on('requestfinished', (request) => {
        if (new URL(request.url()).pathname === polled) answered += 1;
      });
      await goTo(page, name);
      const reach = (count: number) =>
        expect.poll(() => answered, { timeout: testMsMax }).toBeGreaterThan(count);
      await reach(warmUp);
      const before = await heapBytes(page);
      const began = Date.now();
      await reach(warmUp + polls);
      const took = Date.now() - began;
      const grown = (await heapBytes(page)) - before;
      console.log(`${name}: ${polls} polls in ${took} ms, ${(grown / 1e6).toFixed(2)} MB grown`);
      expect(grown).toBeLessThanOrEqual(grownBytesMax);
      if (name === 'Dashboard') await sees(page, file);
      else await queueRow(page, file).waitFor();
    }),
);
