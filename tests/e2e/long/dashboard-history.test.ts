import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { isLong } from '../../support/queue-backend.ts';
import { waitMsMax } from '../browser.ts';
import { columnEdges, expectNoShift, measureShifts, violationsOf } from '../page-checks.ts';
import {
  chooseInMenu,
  expectNoSidewaysScroll,
  goTo,
  hasFocus,
  openSession,
  plainJob,
  post,
  queueRow,
  sees,
  seesOptions,
  signIn,
  toast,
  uploadAndOpen,
  uploadByCall,
} from '../steps.ts';
import { test } from '../test.ts';

const section = (page: Page, name: string) => page.getByRole('region', { name });
const stat = (page: Page, label: string): Locator =>
  section(page, 'Statistics')
    .locator('div')
    .filter({ has: page.getByText(label, { exact: true }) })
    .getByRole('definition');
const historyTable = (page: Page) => page.getByRole('table', { name: 'History' });
const historyRow = (page: Page, filename: string) =>
  historyTable(page)
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name: filename }) });

const notices = (page: Page) => page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem');
const counts = { progress: 5, processedProducts: 1, totalProducts: 2 };

/** Answers calls below `path` with `body` instead of the server. */
const answer = (page: Page, path: string, body: unknown) =>
  page.route(`**${path}`, (route) => route.fulfill({ json: body }));

test.runIf(isLong)('the dashboard of an empty product leads to the sample file', ({ browser }) =>
  browser.visit({}, async (page) => {
    await signIn(page);
    for (const label of ['Files Processed', 'Products Created', 'In Queue', 'Errors']) {
      await expect.poll(() => stat(page, label).textContent()).toBe('0');
    }
    await sees(section(page, 'Recent Activity'), 'No recent activity');
    await sees(section(page, 'Current Processing'), 'No active processing jobs');
    await sees(page, 'Nothing to review or push.');
    await sees(section(page, 'Products per day'), 'Nothing was pushed in the last 14 days.');
    const steps = section(page, 'First steps').getByRole('listitem');
    await sees(steps.filter({ has: page.getByRole('link', { name: 'Upload a file' }) }), 'Upload a file');
    await goTo(page, 'History');
    await sees(page, 'No processing history found');
    await sees(page, 'Try adjusting your filters');
    await sees(page, 'No filter is set. Imports are listed once they’re pushed, failed or cancelled.');
    await goTo(page, 'Dashboard');
    await page.getByRole('button', { name: 'Try the Sample File' }).click();
    await toast(page, 'CSV Processing Complete!');
    await goTo(page, 'Dashboard');
    await expect.poll(() => stat(page, 'Files Processed').textContent(), { timeout: waitMsMax }).toBe('1');
    await sees(section(page, 'Recent Activity'), 'Processing ');
    await sees(steps.first(), 'Upload a file (done)');
    // The sample stays at hand until something was pushed.
    await section(page, 'First steps').getByRole('button', { name: 'Try the Sample File' }).waitFor();
    await section(page, 'First steps').getByRole('link', { name: 'Fix 3 problems' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('class')).toBe('needs-you');
    await goTo(page, 'Dashboard');
    await section(page, 'First steps').getByRole('button', { name: 'Hide' }).click();
    await page.reload();
    await sees(section(page, 'Recent Activity'), 'Processing ');
    expect(await section(page, 'First steps').count()).toBe(0);
  }),
);

test('the chart of products per day is read by keyboard, mouse and finger, and opens the history of a day', ({
  browser,
}) =>
  browser.visit({ touch: true }, async (page) => {
    const none = { created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0 };
    const hour = (daysAgo: number) => {
      const noon = new Date();
      noon.setHours(12, 0, 0, 0);
      noon.setDate(noon.getDate() - daysAgo);
      return noon;
    };
    await answer(page, '/api/dashboard/pushed', [
      { ...none, hour: hour(5).toISOString(), created: 1_000_000, failed: 1 },
      { ...none, hour: hour(0).toISOString(), created: 40, skipped: 2 },
    ]);
    await signIn(page);
    const panel = section(page, 'Products per day');
    const chart = panel.getByRole('slider', { name: /^Products per day/ });
    await sees(panel, '1,000,043 products in all');
    // The highest bar and today carry their value.
    for (const value of ['1,000,001', '42']) await panel.getByText(value, { exact: true }).waitFor();
    const day = () => chart.getAttribute('aria-valuetext');
    await chart.focus();
    await page.keyboard.press('End');
    expect(await day()).toMatch(/: 40 created, 2 skipped$/);
    for (let pressed = 0; pressed < 5; pressed += 1) await page.keyboard.press('ArrowLeft');
    expect(await day()).toMatch(/: 1,000,000 created, 1 failed$/);
    await sees(panel, /1,000,000 created, 1 failed/);
    const box = await chart.boundingBox();
    if (box === null) throw new Error('The chart has no box');
    await page.touchscreen.tap(box.x + box.width * 0.99, box.y + box.height / 2);
    await sees(panel, /40 created, 2 skipped/);
    expect(new URL(page.url()).pathname).toBe('/');
    await chart.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'History', level: 1 }).waitFor();
    const first = hour(13);
    const two = (part: number) => String(part).padStart(2, '0');
    const date = `${first.getFullYear()}-${two(first.getMonth() + 1)}-${two(first.getDate())}`;
    expect(new URL(page.url()).searchParams.get('date')).toBe(date);
  }));

test('the dashboard follows imports by its polls, and its reset clears what it may', ({ browser }) =>
  browser.visit({ expectedConsole: [/status of 500 .*\/api\/dashboard\/reset/] }, async (page) => {
    await openSession(page);
    await uploadAndOpen(page, { name: 'shown.csv', content: 'Title,Price\nLamp,5\nVase,6\nStool,\n' });
    await goTo(page, 'Dashboard');
    const current = section(page, 'Current Processing')
      .getByRole('listitem')
      .filter({ hasText: 'shown.csv' });
    await sees(current, '3 products queued');
    await sees(current, 'Queued');
    await sees(page, /imports? needs? your review/);
    expect(await current.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('100');
    const id = (await current.getByRole('link', { name: 'shown.csv' }).getAttribute('href'))
      ?.split('/')
      .at(-1);

    // From another browser, so that only the polls can show it.
    await post(page, `/api/queue/${id}/push`);
    await sees(current, 'Completed');
    await sees(current, '3 products completed');
    const activity = section(page, 'Recent Activity');
    await sees(activity, 'shown.csv: 2 products uploaded to Shopify, 1 skipped.');
    await expect.poll(() => stat(page, 'Products Created').textContent(), { timeout: waitMsMax }).toBe('2');
    await page.reload();
    const today = section(page, 'Products per day').getByRole('row').last();
    await expect
      .poll(() => today.getByRole('cell').allTextContents(), { timeout: waitMsMax })
      .toEqual(['2', '0', '0', '1', '0', '0']);

    const reset = page.getByRole('button', { name: 'Reset Dashboard' });
    await reset.hover();
    await page
      .getByRole('tooltip', { name: 'Clear all dashboard data, activity logs, and reset statistics' })
      .waitFor();
    await page.route('**/api/dashboard/reset', (route) => route.fulfill({ status: 500, body: '' }));
    await reset.click();
    const failure = await toast(page, 'Reset Failed');
    await sees(failure, 'Failed to reset dashboard data');
    const iconColor = (shown: Locator) =>
      shown
        .locator('svg')
        .first()
        .evaluate((icon) => getComputedStyle(icon).color);
    const failureColor = await iconColor(failure);
    await page.unroute('**/api/dashboard/reset');
    const asked = page.waitForRequest('**/api/dashboard/reset');
    await reset.focus();
    await page.keyboard.press('Enter');
    const request = await asked;
    expect([request.headers()['content-type'], request.postData()]).toEqual(['application/json', null]);
    const success = await toast(page, 'Dashboard Reset');
    await sees(success, 'Dashboard data has been cleared successfully');
    expect(await iconColor(success)).not.toBe(failureColor);
    await sees(activity, 'No recent activity');
    await expect.poll(() => stat(page, 'Products Created').textContent()).toBe('0');
    await expect.poll(() => stat(page, 'Files Processed').textContent()).toBe('0');
    await sees(current, 'Completed');
  }));

test('dashboard and history show replies that have the fields of the specification only, and a retry that fails', ({
  browser,
}) =>
  browser.visit({ expectedConsole: [/status of 409/] }, async (page) => {
    const now = new Date().toISOString();
    const job = (id: string, status: string, rest: object) => ({
      id,
      filename: `${id}.csv`,
      status,
      ...rest,
    });
    await answer(page, '/api/dashboard/current', [
      job('going', 'processing', { progress: 40, processedProducts: 5, totalProducts: 12 }),
      job('waiting', 'queued', { progress: 100, processedProducts: 10, totalProducts: 10 }),
      job('broken', 'error', { progress: 12, processedProducts: 1, totalProducts: 8 }),
      job('odd', 'thawing', { progress: 3, processedProducts: 1, totalProducts: 8 }),
    ]);
    const item = (id: number, type: string) => ({ id, type, message: `an event ${type}`, createdAt: now });
    const types = ['completed', 'processing', 'error', 'other', 'unheard'];
    await answer(
      page,
      '/api/dashboard/activity',
      types.map((type, at) => item(at, type)),
    );
    await answer(page, '/api/dashboard/stats', {
      filesProcessed: 1234,
      productsCreated: 7,
      inQueue: 3,
      errors: 2,
    });
    await signIn(page);

    const items = section(page, 'Current Processing').getByRole('listitem');
    await expect.poll(() => items.count()).toBe(4);
    const texts = await items.allTextContents();
    expect(texts.map((text) => text.slice(0, text.indexOf('.csv')))).toEqual([
      'waiting',
      'broken',
      'going',
      'odd',
    ]);
    expect(texts[0]).toContain('Queued');
    expect(texts[0]).toContain('10 products queued');
    expect(texts[0]).not.toContain('%');
    expect(texts[1]).toContain('8 products error');
    expect(texts[2]).toContain('40%');
    expect(texts[2]).toContain('Processing 5 of 12 products');
    expect(texts[3]).toContain('thawing');
    const numbers = ['Files Processed', 'Products Created', 'In Queue', 'Errors'].map((label) =>
      stat(page, label).textContent(),
    );
    expect(await Promise.all(numbers)).toEqual(['1,234', '7', '3', '2']);
    expect(
      await items
        .getByRole('progressbar')
        .evaluateAll((bars) => bars.map((bar) => bar.getAttribute('aria-valuenow'))),
    ).toEqual(['100', '12', '40', '3']);

    const colors = await section(page, 'Recent Activity')
      .locator('[data-kind]')
      .evaluateAll((dots) => dots.map((dot) => getComputedStyle(dot).backgroundColor));
    const [completed, processing, error, other, unheard] = colors;
    expect(new Set([completed, processing, error, other]).size).toBe(4);
    expect(unheard).toBe(other);
    expect([completed, processing, error, other]).toEqual([
      'rgb(47, 158, 68)',
      'rgb(28, 126, 214)',
      'rgb(224, 49, 49)',
      'rgb(240, 180, 0)',
    ]);
    const told = section(page, 'Recent Activity').getByRole('listitem');
    for (const [at, type] of types.entries()) {
      await sees(told.nth(at), `an event ${type}`);
      const time = told.nth(at).locator('time');
      expect([await time.getAttribute('datetime'), await time.textContent()]).toEqual([
        now,
        expect.stringMatching(/^(now|this minute|\d+ minutes? ago)$/),
      ]);
    }

    const completedAt = '2025-03-01T10:02:05.000Z';
    await answer(page, '/api/history', [
      plainJob('done', 'completed', { completedAt }),
      plainJob('not', 'failed', { completedAt }),
    ]);
    await goTo(page, 'History');
    await sees(historyRow(page, 'done.csv'), '2m 5s');
    expect(await historyRow(page, 'done.csv').getByRole('button', { name: 'Retry' }).count()).toBe(0);
    await page.route('**/retry', (route) =>
      route.fulfill({ status: 409, json: { code: 'conflict', message: 'Nothing failed.' } }),
    );
    await historyRow(page, 'not.csv').getByRole('button', { name: 'Retry' }).click();
    await sees(await toast(page, 'Couldn’t retry the import'), '409: Nothing failed.');
  }));

test.runIf(isLong)(
  'the dashboard reads its parts every 5 s and every 2 s, by the clock of the page',
  ({ browser }) =>
    browser.visit({}, async (page) => {
      await page.clock.install();
      const asked = new Map<string, number[]>();
      let passedMs = 0;
      let open = 0;
      page.on('request', (request) => {
        const path = new URL(request.url()).pathname;
        asked.set(path, [...(asked.get(path) ?? []), passedMs]);
        open += 1;
      });
      const close = () => {
        open -= 1;
      };
      page.on('requestfinished', close);
      page.on('requestfailed', close);
      await signIn(page);
      await page.waitForLoadState('networkidle');
      await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
      asked.clear();
      const stepMs = 200;
      for (; passedMs < 20_000; passedMs += stepMs) {
        await page.clock.runFor(stepMs);
        // The next poll counts from the reply.
        await expect.poll(() => open, { timeout: waitMsMax }).toBe(0);
      }
      const timesOf = (path: string) => asked.get(`/api/dashboard/${path}`) ?? [];
      for (const [path, everyMs, countMin] of [
        ['stats', 5000, 3],
        ['activity', 5000, 3],
        ['current', 2000, 8],
      ] as const) {
        const times = timesOf(path);
        expect(times.length, path).toBeGreaterThanOrEqual(countMin);
        for (const [at, time] of times.slice(1).entries()) {
          const gapMs = time - (times[at] ?? 0);
          expect(gapMs, path).toBeGreaterThanOrEqual(everyMs);
          // The screen may see a reply in the step after it.
          expect(gapMs, path).toBeLessThanOrEqual(everyMs + 2 * stepMs);
        }
      }
      expect(timesOf('pushed')).toEqual([]);
    }),
);

test.runIf(isLong)(
  'the dashboard keeps its data while the server is gone; a part that never loaded says so',
  ({ browser }) =>
    browser.visit({ expectedConsole: [/ERR_CONNECTION_REFUSED/, /status of (500|401)/] }, async (page) => {
      await page.route('**/api/dashboard/activity', (route) => route.fulfill({ status: 500, body: 'torn' }));
      await signIn(page);
      await sees(section(page, 'Recent Activity'), 'Couldn’t load the activity.');
      await sees(section(page, 'Current Processing').getByRole('listitem').first(), /products /);
      await page.route('**/api/dashboard/**', (route) => route.abort('connectionrefused'));
      await sees(section(page, 'Current Processing'), /^as of /);
      await sees(page, 'No connection');
      await sees(section(page, 'Current Processing').getByRole('listitem').first(), /products /);
      await page.unrouteAll();
      await page.getByText(/^as of /).waitFor({ state: 'detached' });
      await page.getByText('Couldn’t load the activity.').waitFor({ state: 'detached' });

      // The session ends in another browser.
      await page.route('**/api/dashboard/stats', (route) =>
        route.fulfill({ status: 401, json: { code: 'unauthorized', message: 'Sign in.' } }),
      );
      await page.getByLabel('Access Key').waitFor();
      expect(new URL(page.url()).pathname).toBe('/login');
    }),
);

test('the history filters by its address, shows reports and retries', ({ browser }) =>
  browser.visit({}, async (page) => {
    await openSession(page);
    await uploadAndOpen(page, { name: 'hopeless.csv', content: 'Title,Price\nLamp,\nVase,call\n' });
    await goTo(page, 'Processing Queue');
    await queueRow(page, 'hopeless.csv').getByRole('button', { name: 'Push', exact: true }).click();
    await sees(queueRow(page, 'hopeless.csv'), 'Failed');
    await uploadAndOpen(page, { name: 'given-up.csv', content: 'Title,Price\nLamp,\n' });
    await goTo(page, 'Processing Queue');
    const answered = Promise.withResolvers<void>();
    await page.route('**/cancel', (route) => answered.promise.then(() => route.continue()));
    await chooseInMenu(queueRow(page, 'given-up.csv'), 'Cancel Import');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel Import' }).click();
    await sees(queueRow(page, 'given-up.csv'), 'Cancelled');

    // The list is read before the server has answered.
    await goTo(page, 'History');
    await historyRow(page, 'hopeless.csv').waitFor();
    answered.resolve();
    await historyRow(page, 'given-up.csv').waitFor();
    const edges = await columnEdges(historyTable(page));
    expect(
      await historyTable(page)
        .getByRole('link', { name: /\.csv$/ })
        .allTextContents(),
    ).toEqual(['given-up.csv', 'hopeless.csv', 'shown.csv']);
    await sees(historyRow(page, 'hopeless.csv'), /^\d+m \d+s$/);
    await sees(historyRow(page, 'hopeless.csv'), /^No products were pushed: 2 skipped/);
    await sees(historyRow(page, 'shown.csv'), '2 created · 1 skipped');
    expect(await historyTable(page).getByRole('button', { name: 'Retry' }).count()).toBe(1);
    // The rows are one Tab stop; arrow keys go to the others.
    await historyRow(page, 'hopeless.csv').getByRole('link', { name: 'hopeless.csv' }).focus();
    const inOrder = historyTable(page).locator('tbody :is(a, button):not([tabindex="-1"])');
    await expect.poll(() => inOrder.count(), { timeout: waitMsMax }).toBe(1);
    await page.keyboard.press('ArrowUp');
    await hasFocus(historyRow(page, 'given-up.csv').getByRole('link', { name: 'given-up.csv' }));
    await page.keyboard.press('Control+End');
    await hasFocus(historyTable(page).locator('tbody tr').last().locator('a, button').last());

    const status = page.getByRole('combobox', { name: 'Status' });
    await status.click();
    await seesOptions(page, 'All Status', 'Completed', 'Failed', 'Cancelled');
    const asked = page.waitForRequest('**/api/history?status=cancelled');
    await page.getByRole('option', { name: 'Cancelled' }).click();
    await asked;
    await historyRow(page, 'hopeless.csv').waitFor({ state: 'detached' });
    await historyRow(page, 'given-up.csv').waitFor();
    expect(await columnEdges(historyTable(page))).toEqual(edges);
    const dated = page.waitForRequest('**/api/history?status=cancelled&date=2020-01-02');
    await page.getByLabel('Completed on (UTC)').fill('2020-01-02');
    await dated;
    await sees(page, 'No processing history found');
    await sees(page, 'Try adjusting your filters');
    expect(await page.getByText('No filter is set.').count()).toBe(0);
    await page.getByRole('button', { name: 'Clear Filters' }).click();
    await page.getByRole('button', { name: 'Today' }).click();
    await historyRow(page, 'hopeless.csv').waitFor();
    await page.getByLabel('Filter by file name').fill('HOPE');
    await historyRow(page, 'shown.csv').waitFor({ state: 'detached' });
    expect(await columnEdges(historyTable(page))).toEqual(edges);

    const link = historyRow(page, 'hopeless.csv').getByRole('link', { name: 'View Report' });
    await link.focus();
    await page.keyboard.press('Enter');
    const report = page.getByRole('dialog', { name: 'Report' });
    await sees(report, '2 × Missing required fields: price');
    const timeline = report.getByRole('table', { name: 'Spans of the import' }).getByRole('rowheader');
    // A wait of less than a second is none: it depends on how fast the machine is.
    const spans = (await timeline.allTextContents()).filter((name) => name !== 'Waited for you');
    expect(spans.slice(0, 2)).toEqual(['Read', 'Pushed']);
    await page.keyboard.press('Escape');
    await report.waitFor({ state: 'detached' });
    await expect.poll(() => link.evaluate((one) => one === document.activeElement)).toBe(true);

    // A mark in the page shows that it is really loaded again; its address keeps the filters.
    await page.evaluate(() => document.body.setAttribute('data-mark', ''));
    const retried = page.waitForRequest((request) => request.url().endsWith('/retry'));
    await historyRow(page, 'hopeless.csv').getByRole('button', { name: 'Retry' }).click();
    expect(new URL((await retried).url()).pathname).toMatch(/^\/api\/jobs\/[\w-]+\/retry$/);
    await expect.poll(() => page.locator('[data-mark]').count()).toBe(0);
    await page.getByRole('heading', { name: 'History', level: 1 }).waitFor();
    expect(new URL(page.url()).searchParams.get('file')).toBe('HOPE');
    const notice = await toast(page, 'Retrying Job');
    await sees(notice, 'hopeless.csv');
    await notice.getByRole('link', { name: 'View in queue' }).click();
    await queueRow(page, 'hopeless.csv').waitFor();
    await sees(queueRow(page, 'hopeless.csv'), 'Failed');
    // Only once: the next load of the history says nothing.
    await goTo(page, 'History');
    await page.reload();
    await historyRow(page, 'hopeless.csv').waitFor();
    expect(await notices(page).count()).toBe(0);
  }));

test.runIf(isLong)(
  'the end of a push is told once on every screen, and the store’s products follow',
  ({ browser }) =>
    browser.visit({}, async (page) => {
      await signIn(page);
      const id = await uploadByCall(page, {
        name: 'told.csv',
        content: 'Title,Price\nTold lamp,5\nTold vase,6\n',
      });
      const push = () => post(page, `/api/queue/${id}/push`);
      await goTo(page, 'Shopify Integration');
      await page.getByRole('tab', { name: 'Products' }).click();
      await push();
      const notice = await toast(page, 'Push Completed');
      await sees(notice, 'told.csv: 2 created.');
      await sees(page.getByRole('tabpanel', { name: 'Products' }), 'Told vase');
      await notice.getByRole('link', { name: 'View Report' }).click();
      await sees(page.getByRole('dialog', { name: 'Report' }), 'told.csv');
      await page.keyboard.press('Escape');

      // In the queue, its row says it, and no notification does.
      const row = queueRow(page, 'told.csv');
      await row.waitFor();
      await expect.poll(() => notices(page).count()).toBe(0);
      await push();
      await expect
        .poll(() => row.getByRole('status').textContent(), { timeout: waitMsMax })
        .toBe('told.csv: 2 unchanged.');
      const followed = page.waitForResponse('**/api/dashboard/current');
      await followed;
      expect(await notices(page).count()).toBe(0);

      // Nothing is told again by a page that is loaded after the end.
      await goTo(page, 'Settings');
      const settings = page.getByRole('heading', { name: 'Settings', level: 1 });
      await settings.waitFor();
      const current = page.waitForResponse('**/api/dashboard/current');
      await page.reload();
      await current;
      await settings.waitFor();
      expect(await notices(page).count()).toBe(0);

      const job = (at: number) => ({
        id: `run-${at}`,
        filename: `run-${at}.csv`,
        status: 'uploading',
        ...counts,
      });
      await answer(page, '/api/dashboard/current', [job(1), job(2)]);
      await goTo(page, 'Processing Queue');
      await page.getByRole('link', { name: 'Processing Queue (2)' }).waitFor();
      await expect.poll(() => page.title()).toBe('(2) Processing Queue · Draftshelf');
    }),
);

test.runIf(isLong).for([
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
])(
  'both screens with data at $width px: accessible, and nothing moves while they load',
  (viewport, { browser }) => {
    const touch = viewport.width < 768;
    return browser.visit({ isFirst: true, viewport, touch }, async (page) => {
      await measureShifts(page);
      await signIn(page);
      await uploadByCall(page, { name: `${'manifest_'.repeat(12)}.csv`, content: 'Title,Price\nLamp,\n' });
      const ended = await uploadByCall(page, { name: 'ended.csv', content: 'Title,Price\nLamp,\n' });
      await post(page, `/api/queue/${ended}/cancel`);
      const expectGood = async () => {
        await page.waitForLoadState('networkidle');
        await expectNoShift(page);
        expect([page.url(), await violationsOf(page)]).toEqual([page.url(), []]);
        await expectNoSidewaysScroll(page);
      };
      await page.goto('/');
      await sees(section(page, 'Current Processing'), '1 product queued');
      await sees(section(page, 'Recent Activity'), 'needs your review');
      await expectGood();
      await page.goto('/history');
      await page.getByRole('link', { name: 'View Report' }).first().waitFor();
      expect(await historyTable(page).count()).toBe(viewport.width === 1440 ? 1 : 0);
      expect(await page.getByRole('list', { name: 'History' }).count()).toBe(viewport.width === 1440 ? 0 : 1);
      await expectGood();
    });
  },
);
