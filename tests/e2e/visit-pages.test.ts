import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { openSession } from './steps.ts';
import { test } from './test.ts';

test('what a visit leaves behind is gone in the next one, which may have the same page', async ({
  browser,
}) => {
  const requests: string[] = [];
  const hovered = (page: Page) => page.evaluate(() => document.querySelector('input:hover') !== null);
  let left: Page | undefined;
  await browser.visit({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' }, async (page) => {
    left = page;
    page.on('request', (request) => requests.push(request.url()));
    await page.addInitScript(() => Object.assign(window, { left: true }));
    await page.route('**/icon.svg', (route) => route.abort());
    await page.goto('/');
    await page.getByLabel('Access Key').hover();
    expect(await hovered(page)).toBe(true);
    await page.emulateMedia({ media: 'print', forcedColors: 'active', contrast: 'more' });
    await openSession(page);
    await page.evaluate(async () => {
      localStorage.setItem('left', '1');
      sessionStorage.setItem('left', '1');
      await (await caches.open('left')).put('/left', new Response('left'));
      await new Promise((resolve) => Object.assign(indexedDB.open('left'), { onsuccess: resolve }));
      history.pushState(null, '', '/queue');
    });
    expect(await found(page)).toEqual({
      cookies: 1,
      stored: [1, 1, ['left'], ['left']],
      media: [true, true, true, true],
      window: [390, 844, true],
    });
  });
  const before = requests.length;
  expect(before).toBeGreaterThan(0);

  await browser.visit({}, async (page) => {
    expect(page).toBe(left);
    expect([page.url(), await page.evaluate(() => history.length)]).toEqual(['about:blank', 1]);
    await page.goto('/');
    await page.getByLabel('Access Key').waitFor();
    expect(await found(page)).toEqual({
      cookies: 0,
      stored: [0, 0, [], []],
      media: [false, false, false, false],
      window: [1440, 900, false],
    });
    expect(await hovered(page)).toBe(false);
    expect((await page.goto('/icon.svg'))?.ok()).toBe(true);
  });
  expect(requests.length).toBe(before);
});

const found = async (page: Page) => ({
  cookies: (await page.context().cookies()).length,
  stored: await page.evaluate(async () => [
    Object.keys(localStorage).filter((key) => key === 'left').length,
    Object.keys(sessionStorage).filter((key) => key === 'left').length,
    (await indexedDB.databases()).map(({ name }) => name),
    await caches.keys(),
  ]),
  media: await page.evaluate(() =>
    ['print', '(prefers-color-scheme: dark)', '(forced-colors: active)', '(prefers-contrast: more)'].map(
      (query) => matchMedia(query).matches,
    ),
  ),
  window: await page.evaluate(() => [innerWidth, innerHeight, 'left' in window]),
});

test.for<[string, (page: Page) => Promise<unknown>]>([
  ['another page', (page) => page.context().newPage()],
  ['a permission', (page) => page.context().grantPermissions(['clipboard-read'])],
  ['another clock', (page) => page.clock.install()],
  ['another origin', (page) => page.goto(page.url().replace('127.0.0.1', 'localhost'))],
])('%s is not left to the next visit: it has a new page', async ([, change], { browser }) => {
  let left: Page | undefined;
  await browser.visit({}, async (page) => {
    left = page;
    await page.goto('/icon.svg');
    await change(page);
  });
  await browser.visit({}, async (page) => expect(page).not.toBe(left));
});

test('the first visit of a browser has a new page', async ({ browser }) => {
  let left: Page | undefined;
  await browser.visit({}, async (page) => {
    left = page;
  });
  await browser.visit({ isFirst: true }, async (page) => expect(page).not.toBe(left));
  await browser.visit({}, async (page) => expect(page).toBe(left));
});
