import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { browserOf, csvForm } from '../support/api-client.ts';
import { isLong } from '../support/queue-backend.ts';
import { accessKey } from './product.ts';
import { goTo, goToAddress, holdReplies, openSession, queueRow, sees } from './steps.ts';
import { test } from './test.ts';

let importId: string;
test.beforeAll(async ({ product }) => {
  importId = await uploadFile(product.apiUrl);
});

/** Transferred JavaScript including headers, for a browser with an empty cache. */
const loginBytesMax = 150_000;
const screenBytesMax = 350_000;

/** `late`: scripts that the page did not name, so that they waited for another one. */
type Sent = { bytes: number; files: number; late: string[] };
const measured = new Map<string, Sent>();

/** The page that the sizes are written to, with its table. One that is right within this many kB stays. */
const benchmarks = path.join(import.meta.dirname, '../../docs/BENCHMARKS.md');
const tablePattern = /(## JavaScript of a screen[\s\S]*?-->\n)((?:\|.*\n)+)(\n)/;
const writtenWithin = 1;

const screens: [path: string, name: string, bytesMax: number][] = [
  ['/login', 'Draftshelf', loginBytesMax],
  ['/queue/:id', 'first-load.csv', screenBytesMax],
];
const furtherScreens: typeof screens = [
  ['/', 'Dashboard', screenBytesMax],
  ['/upload', 'Upload CSV', screenBytesMax],
  ['/queue', 'Processing Queue', screenBytesMax],
  ['/history', 'History', screenBytesMax],
  ['/shopify', 'Shopify Integration', screenBytesMax],
  ['/scanner', 'Product Scanner', screenBytesMax],
  ['/settings', 'Settings', screenBytesMax],
];

test.for(isLong ? [...screens, ...furtherScreens] : screens)(
  'the JavaScript of %s stays within its limit, as it is sent to a cold cache',
  ([screen, name, bytesMax], { browser }) =>
    browser.visit({ isFirst: true }, async (page) => {
      if (screen !== '/login') await openSession(page);
      const scripts = listenForScripts(page);
      await page.goto(screen.replace(':id', importId));
      await heading(page, name).waitFor();
      await page.waitForLoadState('networkidle');
      const sent = await scripts();
      console.log(`${screen}: ${(sent.bytes / 1000).toFixed(1)} kB of JavaScript in ${sent.files} files`);
      measured.set(screen, sent);
      expect(sent.files).toBeGreaterThan(0);
      expect(sent.late).toEqual([]);
      expect(sent.bytes).toBeLessThanOrEqual(bytesMax);
    }),
);

test.runIf(isLong)('docs/BENCHMARKS.md has the sizes of the screens', async () => {
  expect(measured.size).toBe(screens.length + furtherScreens.length);
  const text = await readFile(benchmarks, 'utf8');
  const [, before = '', table = '', after = ''] = tablePattern.exec(text) ?? [];
  const written = new Map(
    Array.from(table.matchAll(/^\| (\/\S*) \| ([\d.]+) \|/gm), ([, screen = '', size]) => [
      screen,
      Number(size),
    ]),
  );
  const isWritten = [...measured].every(
    ([screen, { bytes }]) => Math.abs((written.get(screen) ?? 0) - bytes / 1000) < writtenWithin,
  );
  const lines = [...measured].map(
    ([screen, { bytes, files }]) => `| ${screen} | ${(bytes / 1000).toFixed(1)} | ${files} |\n`,
  );
  const head = '| screen | kB | files |\n|---|---|---|\n';
  if (!isWritten)
    await writeFile(benchmarks, text.replace(tablePattern, `${before}${head}${lines.join('')}${after}`));
  expect(before).not.toBe('');
});

test('a screen makes each of its reads once, does not repeat one that fails, and says what does not exist', ({
  browser,
}) =>
  browser.visit({ expectedConsole: [/status of 404 .*\/api\/queue\/nothing/] }, async (page) => {
    await openSession(page);
    const reads = listenForReads(page);
    await page.goto('/settings');
    await page.getByLabel('Batch Size').first().waitFor();
    expect(reads('/api/settings')).toHaveLength(1);
    await goTo(page, 'Upload CSV');
    await heading(page, 'Upload CSV').waitFor();
    expect(reads('/api/settings')).toHaveLength(1);

    await goTo(page, 'Processing Queue');
    await queueRow(page, 'first-load.csv').getByRole('link', { name: 'first-load.csv' }).click();
    await heading(page, 'first-load.csv').waitFor();
    await page.getByRole('table', { name: 'Product rows' }).waitFor();
    // Loader and component read the import under the same address.
    expect(new Set(reads(new RegExp(`^/api/queue/${importId}(?!/)`)))).toHaveProperty('size', 1);

    // The page preloads the first reads; a preload that the screen does not use would be a second read.
    await page.goto('/queue');
    await queueRow(page, 'first-load.csv').waitFor();
    expect(reads('/api/queue').length).toBeGreaterThan(0);
    expect(reads('/api/auth/status')).toHaveLength(2);

    // Here the router navigates: the loader's read may fail before the page mounts.
    for (const visit of [1, 2]) {
      await page.evaluate(() => {
        history.pushState(null, '', '/queue/nothing');
        dispatchEvent(new PopStateEvent('popstate'));
      });
      await sees(page.getByRole('alert'), 'Job not found or failed to load details.');
      await page.waitForLoadState('networkidle');
      expect(reads('/api/queue/nothing?rows=0')).toHaveLength(visit);
      await page.getByRole('link', { name: 'Back to Queue' }).click();
      await heading(page, 'Processing Queue').waitFor();
    }
    await goToAddress(page, '/no/such/screen');
    await heading(page, '404 Page Not Found').waitFor();
    await sees(page, 'Did you forget to add the page to the router?');
  }));

test('nothing that needs a session is read without one', ({ browser }) =>
  browser.visit({}, async (page) => {
    const reads = listenForReads(page);
    await page.goto(`/queue/${importId}`);
    await page.getByLabel('Access Key').waitFor();
    await page.waitForLoadState('networkidle');
    expect(new Set(reads(/^\/api\//))).toEqual(new Set(['/api/auth/status']));
  }));

test('a screen is shown at once, even if its reads are slow', ({ browser }) =>
  browser.visit({}, async (page) => {
    await openSession(page);
    const release = await holdReplies(page, '**/api/queue');
    await page.goto('/history');
    await goTo(page, 'Processing Queue');
    await heading(page, 'Processing Queue').waitFor();
    await sees(page.getByRole('navigation', { name: 'Main' }), 'Processing Queue');
    expect(await queueRow(page, 'first-load.csv').count()).toBe(0);
    release();
    await queueRow(page, 'first-load.csv').waitFor();
  }));

const notFound = /status of 404 .*\/assets\/(history|scanner)-page-/;

test.runIf(isLong)(
  'a chunk that loads, that an update has removed, and that is still missing after the reload',
  ({ browser }) =>
    browser.visit(
      { isFirst: true, expectedConsole: [notFound, /Failed to fetch dynamically imported module/] },
      async (page) => {
        await openSession(page);
        const release = await holdReplies(page, '**/assets/settings-page-*.js');
        // The routes stay: if one were removed after its first answer, the browser would stop to intercept requests in
        // the middle of those that the page makes then.
        let isRemoved = true;
        await page.route('**/assets/history-page-*.js', (route) => {
          if (!isRemoved) return route.continue();
          isRemoved = false;
          return route.fulfill({ status: 404 });
        });
        await page.route('**/assets/scanner-page-*.js', (route) => route.fulfill({ status: 404 }));
        const loads = listenForLoads(page);
        await page.goto('/queue');
        await queueRow(page, 'first-load.csv').waitFor();
        // The layout and the screen before stay.
        await goTo(page, 'Settings');
        await page.locator('main[aria-busy=true]').waitFor();
        expect(await heading(page, 'Processing Queue').isVisible()).toBe(true);
        expect(await page.getByRole('banner').isVisible()).toBe(true);
        release();
        await heading(page, 'Settings').waitFor();
        await page.locator('main[aria-busy=false]').waitFor();
        expect(loads()).toEqual(['/queue']);
        // The tab reloads, once for an update, at the new address.
        await goTo(page, 'History');
        await heading(page, 'History').waitFor();
        expect(loads()).toEqual(['/queue', '/history']);
        // After that the error is inside of the layout.
        await goTo(page, 'Product Scanner');
        await sees(page.getByRole('alert'), 'This page crashed.');
        await goTo(page, 'Processing Queue');
        await heading(page, 'Processing Queue').waitFor();
        expect(loads()).toHaveLength(2);
      },
    ),
);

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1, exact: true });

/** The matching paths, with their queries, that the page requests from the api. */
function listenForReads(page: Page): (wanted: string | RegExp) => string[] {
  const paths: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (request.method() === 'GET' && pathname.startsWith('/api/')) paths.push(pathname + search);
  });
  return (wanted) =>
    paths.filter((path) => (typeof wanted === 'string' ? path === wanted : wanted.test(path)));
}

/** The addresses at which the browser loaded the app. */
function listenForLoads(page: Page): () => string[] {
  const paths: string[] = [];
  page.on('request', (request) => {
    if (request.isNavigationRequest()) paths.push(new URL(request.url()).pathname);
  });
  return () => paths;
}

/** Counts the transferred scripts with their headers, and names the late ones; read when the page is quiet. */
function listenForScripts(page: Page): () => Promise<Sent> {
  const sizes: Promise<number>[] = [];
  const paths: string[] = [];
  page.on('requestfinished', (request) => {
    const { pathname } = new URL(request.url());
    if (!pathname.endsWith('.js')) return;
    paths.push(pathname);
    sizes.push(
      request
        .sizes()
        .then(({ responseBodySize, responseHeadersSize }) => responseBodySize + responseHeadersSize),
    );
  });
  return async () => {
    const known = await Promise.all(sizes);
    const html = await (await page.request.get(page.url())).text();
    const late = paths.filter((path) => !html.includes(`"${path}"`));
    return { bytes: known.reduce((sum, size) => sum + size, 0), files: known.length, late };
  };
}

async function uploadFile(apiUrl: string): Promise<string> {
  const api = browserOf(apiUrl);
  await api.login(accessKey);
  const answer = await api.upload(csvForm('Title,Price\nA vase,9.90\n', { filename: 'first-load.csv' }));
  return (answer.body as { id: string }).id;
}
