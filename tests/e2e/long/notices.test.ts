import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { isLong } from '../../support/queue-backend.ts';
import { waitMsMax } from '../browser.ts';
import { openSession, plainJob, queueRow, signInAt, toast, upload } from '../steps.ts';
import { test } from '../test.ts';

// Notifications, tooltips and polls. The clock of the page is the test's, so nothing here waits for real time.

const done = plainJob('done', 'completed', { progress: 100, completedAt: '2025-03-01T10:02:05.000Z' });
const broken = plainJob('broken', 'failed');

/** Opens the queue with two imports, and stops the clock of the page. */
async function openQueue(page: Page): Promise<void> {
  await page.clock.install();
  await page.addInitScript(noteReads);
  await page.route('**/api/queue', (route) => route.fulfill({ json: [done, broken] }));
  await page.route('**/retry', (route) =>
    route.fulfill({ json: { success: true, message: 'It runs again.', job: broken } }),
  );
  await signInAt(page, '/queue');
  await queueRow(page, 'done.csv').waitFor();
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
}

type Read = { atMs: number; isAnswered: boolean };
type Noting = { queueReads?: Read[] };

/** Notes when the page reads the queue, by its own clock. */
function noteReads(): void {
  const { fetch } = window;
  const reads: Read[] = [];
  Object.assign(globalThis, { queueReads: reads } satisfies Noting);
  window.fetch = (input, init) => {
    if (input !== '/api/queue') return fetch(input, init);
    const read = { atMs: Date.now(), isAnswered: false };
    reads.push(read);
    return fetch(input, init).finally(() => {
      read.isAnswered = true;
    });
  };
}

const readsOf = (page: Page) => page.evaluate(() => (globalThis as Noting).queueReads ?? []);

/** Lets the clock of the page run, and waits until the reads that begin meanwhile are answered. */
async function runFor(page: Page, ms: number): Promise<void> {
  await page.clock.runFor(ms);
  const isEachAnswered = async () => (await readsOf(page)).every(({ isAnswered }) => isAnswered);
  await expect.poll(isEachAnswered, { timeout: waitMsMax }).toBe(true);
}

const region = (page: Page) => page.getByRole('region', { name: 'Notifications (F8)' });
const notices = (page: Page) => region(page).getByRole('listitem');
const isThere = (element: Locator) => element.isVisible();

async function showReport(page: Page): Promise<Locator> {
  await queueRow(page, 'done.csv').getByRole('button', { name: 'View Report' }).click();
  return toast(page, 'Processing report');
}

test('by the clock of the page: notifications are shown for 5 or 10 s, a tooltip opens after 700 ms, the queue is read every 2 s', ({
  browser,
}) =>
  browser.visit({}, async (page) => {
    await openQueue(page);
    const report = await showReport(page);
    await page.clock.runFor(9_000);
    expect(await isThere(report)).toBe(true);
    await page.clock.runFor(2_000);
    await expect.poll(() => notices(page).count()).toBe(0);

    // Only one is there at a time.
    await showReport(page);
    await queueRow(page, 'broken.csv').getByRole('button', { name: 'Retry' }).click();
    const retrying = await toast(page, 'Retrying Job');
    expect(await notices(page).count()).toBe(1);
    await page.clock.runFor(4_500);
    expect(await isThere(retrying)).toBe(true);
    await page.clock.runFor(1_000);
    await expect.poll(() => notices(page).count()).toBe(0);

    // F8 moves the focus to it, and a swipe to the right by more than 50 px dismisses it.
    await showReport(page);
    await page.keyboard.press('F8');
    const focused = () => region(page).evaluate((one) => one.contains(document.activeElement));
    await expect.poll(focused).toBe(true);
    await swipe(page, report, 40);
    expect(await isThere(report)).toBe(true);
    await swipe(page, report, 60);
    await expect.poll(() => isThere(report)).toBe(false);

    await page.getByRole('button', { name: 'Help: progress tracking' }).hover();
    await page.clock.runFor(650);
    expect(await page.getByRole('tooltip').count()).toBe(0);
    // In steps, so that the page draws in between.
    for (let steps = 0; steps < 10; steps++) await page.clock.runFor(25);
    await page.getByRole('tooltip', { name: /^The bar shows progress/ }).waitFor();

    const before = (await readsOf(page)).length;
    for (let steps = 0; steps < 60 && (await readsOf(page)).length < before + 4; steps++) {
      await runFor(page, 200);
    }
    const times = (await readsOf(page)).slice(before).map(({ atMs }) => atMs);
    expect(times).toHaveLength(4);
    for (const [at, time] of times.slice(1).entries()) {
      const sinceMs = time - (times[at] ?? 0);
      // A poll counts from the reply before it, which takes some steps of the clock.
      expect(sinceMs).toBeGreaterThanOrEqual(2_000);
      expect(sinceMs).toBeLessThanOrEqual(3_000);
    }
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect.poll(async () => (await readsOf(page)).length).toBe(before + 5);
  }));

/** Drags a notification to the right with the mouse. */
async function swipe(page: Page, notice: Locator, px: number): Promise<void> {
  const box = await notice.boundingBox();
  if (box === null) throw new Error('The notification is not drawn');
  const [x, y] = [box.x + 40, box.y + 20];
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let moved = 5; moved <= px; moved += 5) await page.mouse.move(x + moved, y);
  await page.mouse.up();
  await page.clock.runFor(500);
}

test.runIf(isLong)(
  'a tooltip opens with the focus of the keyboard, describes its control, and closes on Escape',
  ({ browser }) =>
    browser.visit({}, async (page) => {
      await signInAt(page, '/upload');
      const help = page.getByRole('button', { name: 'Help: file upload' });
      await help.waitFor();
      await expect
        .poll(async () => {
          await page.keyboard.press('Tab');
          return help.evaluate((button) => button === document.activeElement);
        })
        .toBe(true);
      await page.getByRole('tooltip', { name: /^Choose or drop a CSV file/ }).waitFor();
      const id = await help.getAttribute('aria-describedby');
      expect(await page.locator(`[id="${id}"]`).textContent()).toMatch(/^Choose or drop a CSV file/);
      await page.keyboard.press('Escape');
      await page.getByRole('tooltip').waitFor({ state: 'detached' });
      expect(await help.evaluate((button) => button === document.activeElement)).toBe(true);
      expect(await help.getAttribute('aria-describedby')).toBeNull();
    }),
);

test.runIf(isLong)('every topic has a help tooltip', ({ browser, product }) =>
  browser.visit({ expectedConsole: [/status of 409 .*values-sample/] }, async (page) => {
    const importId = await upload(product, 'helped.csv', 'Title,Price\nA vase,9.90\n');
    await openSession(page);
    for (const [path, topics] of [
      [
        '/upload',
        [
          ['file upload', /^Choose or drop a CSV file/],
          ['field mapping', /40\+ header variations/],
          ['AI validation', /^In rows with a UPC, fills missing images and brands/],
          ['UPC lookup', /^Finds missing images, brands, descriptions and categories by UPC/],
          ['batch processing', /^Products are sent in batches/],
          ['draft mode', /^Products are created as drafts/],
          ['progress tracking', /^The bar shows progress/],
        ],
      ],
      [`/queue/${importId}?details=file`, [['error handling', /^One bad row never stops the rest/]]],
      ['/shopify', [['inventory sync', /^Updates Draftshelf with quantities and statuses/]]],
      ['/settings?tab=connections', [['store integration', /through the Shopify Admin API\.$/]]],
    ] as const) {
      await page.goto(path);
      for (const [topic, text] of topics) {
        await page
          .getByRole('button', { name: `Help: ${topic}` })
          .first()
          .hover();
        await page.getByRole('tooltip', { name: text }).waitFor();
      }
    }
  }),
);
