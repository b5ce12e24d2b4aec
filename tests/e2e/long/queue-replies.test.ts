import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { isLong } from '../../support/queue-backend.ts';
import { plainJob, queueRow, sees, signInAt, toast } from '../steps.ts';
import { test } from '../test.ts';

// The queue's list is the test's.

const bar = (row: Locator) => row.getByRole('progressbar');

/** Imports in every status, one of which is unknown. */
const inEveryStatus = [
  plainJob('reading', 'processing'),
  plainJob('sending', 'uploading'),
  plainJob('review', 'queued', { progress: 100 }),
  plainJob('ready', 'processed', { progress: 100 }),
  plainJob('waiting', 'paused'),
  plainJob('done', 'completed', {
    progress: 100,
    processedProducts: 12,
    createdProducts: 3,
    completedAt: '2025-03-01T10:02:05.000Z',
    errorLog: ['no price', 'no title', 'too long', 'no store', 'no name'],
    errorCount: 5,
  }),
  plainJob('broken', 'failed', { errorMessage: 'The file is gone.' }),
  plainJob('stopped', 'cancelled'),
  plainJob('odd', 'thawing', { startedAt: null }),
];

/** Opens the queue with these imports. */
async function openQueue(page: Page): Promise<void> {
  await page.route('**/api/queue', (route) => route.fulfill({ json: inEveryStatus }));
  await signInAt(page, '/queue');
}

test.runIf(isLong)('the queue shows replies that have the fields of the specification only', ({ browser }) =>
  browser.visit({ expectedConsole: [/status of 404 .*\/api\/queue\/review/] }, async (page) => {
    await openQueue(page);
    const explainer = page.getByRole('region', { name: 'How the Queue Works' });
    await explainer.getByRole('button', { name: 'Show How the Queue Works' }).click();
    expect(await explainer.getByRole('listitem').locator('strong').allTextContents()).toEqual([
      'File upload',
      'Field mapping',
      'Validation',
      'Store upload',
      'Completion',
    ]);
    await page.getByRole('heading', { name: /^Active Jobs/, level: 2 }).waitFor();
    const table = page.getByRole('table', { name: 'Active Jobs' });
    expect(await table.getByRole('columnheader').allTextContents()).toEqual([
      'File',
      'Status',
      'Progress',
      'Products',
      'Started',
      'Actions',
    ]);
    const wordsOf = async (file: string) => {
      const row = queueRow(page, `${file}.csv`);
      const [, status] = await row.getByRole('cell').allTextContents();
      const buttons = await row
        .getByRole('button')
        .or(row.getByRole('link').filter({ hasText: /^Review$/ }))
        .allTextContents();
      return [status, ...buttons.filter((words) => words !== '')];
    };
    const shown = inEveryStatus.map(async ({ id }) => [id, ...(await wordsOf(id))]);
    expect(await Promise.all(shown)).toEqual([
      ['reading', 'Processing', 'Pause'],
      ['sending', 'Uploading to Shopify', 'Pause'],
      ['review', 'Queued', 'Review', 'Push'],
      ['ready', 'Ready for Shopify', 'Push to Shopify', 'Review'],
      ['waiting', 'Paused', 'Resume'],
      ['done', 'Completed', 'View Report', 'Push again'],
      ['broken', 'Failed', 'Retry'],
      ['stopped', 'Cancelled'],
      ['odd', 'thawing'],
    ]);
    const reading = queueRow(page, 'reading.csv');
    for (const words of [/^1\.5 KB · /, '40%', '5 of 12']) await sees(reading, words);
    expect(await bar(reading).getAttribute('aria-valuenow')).toBe('40');
    const started = reading.getByRole('cell').nth(4).locator('time');
    expect(await started.getAttribute('datetime')).toBe('2025-03-01T10:00:00.000Z');
    expect(await started.textContent()).toMatch(/ago$/);
    await sees(queueRow(page, 'done.csv'), '3 uploaded to Shopify');
    expect(await page.getByText(/uploaded to Shopify$/).count()).toBe(1);

    await queueRow(page, 'done.csv').getByRole('button', { name: 'View Report' }).click();
    const report = await toast(page, 'Processing report');
    for (const line of [
      'File: done.csv',
      'Status: Completed',
      'Products: 12 of 12',
      'Uploaded: 3',
      'Progress: 100%',
      /^Started: .*2025/,
      /^Completed: .*2025/,
      'Error 3: too long',
    ]) {
      await sees(report, line);
    }
    expect(await report.getByText('no store').count()).toBe(0);
    await queueRow(page, 'review.csv').getByRole('link', { name: 'Review', exact: true }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/queue/review');
  }),
);

test('all counts of an import stay visible when products were found since its push', ({ browser }) =>
  browser.visit({ viewport: { width: 1366, height: 820 } }, async (page) => {
    const outcomes = { created: 50, updated: 0, unchanged: 0, skipped: 3, failed: 0 };
    const found = plainJob('found', 'completed', { progress: 100, outcomes, foundSincePush: 16 });
    await page.route('**/api/queue', (route) => route.fulfill({ json: [found] }));
    await signInAt(page, '/queue');
    const row = queueRow(page, 'found.csv');
    await sees(row, '16 found since');
    const created = row.getByText('50 created');
    const isInside = await created.evaluate((part) => {
      const [own, box] = [part.getBoundingClientRect(), part.closest('td')?.getBoundingClientRect()];
      const clip = part.parentElement?.getBoundingClientRect();
      return box && clip && own.bottom <= clip.bottom && own.bottom <= box.bottom && own.right <= box.right;
    });
    expect(isInside).toBe(true);
  }));

test('an action that fails shows the server’s answer, and sends nothing but its address', ({ browser }) =>
  browser.visit({ expectedConsole: [/status of 500/] }, async (page) => {
    await page.route(/\/(pause|resume|push|retry)$/, (route) =>
      route.fulfill({ status: 500, contentType: 'text/plain', body: 'boom' }),
    );
    await openQueue(page);
    for (const [file, button, title, path] of [
      ['reading', 'Pause', 'Failed to pause job', '/api/queue/reading/pause'],
      ['sending', 'Pause', 'Failed to pause job', '/api/queue/sending/pause'],
      ['waiting', 'Resume', 'Failed to resume job', '/api/queue/waiting/resume'],
      ['review', 'Push', 'Failed to start Shopify upload', '/api/queue/review/push'],
      ['ready', 'Push to Shopify', 'Failed to start Shopify upload', '/api/queue/ready/push'],
    ] as const) {
      const asked = page.waitForRequest((request) => request.method() === 'POST');
      await queueRow(page, `${file}.csv`).getByRole('button', { name: button, exact: true }).click();
      const request = await asked;
      expect([
        new URL(request.url()).pathname,
        request.headers()['content-type'],
        request.postData(),
      ]).toEqual([path, undefined, null]);
      const shown = await toast(page, title);
      await sees(shown, '500: boom');
      expect(await shown.getAttribute('data-tone')).toBe('failure');
      await shown.getByRole('button', { name: 'Close notification' }).click();
      await shown.waitFor({ state: 'detached' });
    }
    const held = Promise.withResolvers<void>();
    await page.route('**/retry', async (route) => {
      await held.promise;
      await route.fulfill({ status: 500, contentType: 'text/plain', body: 'boom' });
    });
    await queueRow(page, 'broken.csv').getByRole('button', { name: 'Retry' }).click();
    await sees(await toast(page, 'Retrying Job'), 'broken.csv');
    held.resolve();
    await sees(await toast(page, 'Couldn’t retry the import'), '500: boom');
  }));
