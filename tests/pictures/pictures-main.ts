import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildWeb } from '@draftshelf/infra/web-build';
import type { Browser, Page } from 'playwright-core';
import { type BenchStack, startBenchStack } from '../bench/bench-stack.ts';
import { launchChromium } from '../e2e/chromium.ts';
import { fillShop, sample } from '../seed/fill-shop.ts';
import { operatorOf } from '../seed/operator.ts';
import { connectOneDrive } from '../support/connected-folders.ts';
import { keepFolderWorker } from '../support/folder-rows.ts';

// Pictures of the screens with the same imports each time. Without --all only those that README and docs show.
const { values: given } = parseArgs({ options: { all: { type: 'string' } } });

type Scheme = 'light' | 'dark';
type Shot = Screen & { width: number; height: number; scheme: Scheme; whole: boolean };
/** `act` opens what has no address of its own. */
type Screen = { name: string; path: string; act?: (page: Page) => Promise<void> };

const root = fileURLToPath(new URL('../..', import.meta.url));
const desktop = { width: 1440, height: 900 };

const webDir = await buildWeb(root, console.log);
const stack = await startBenchStack(
  ['store-simulator', 'api', 'parse-worker', 'enrich-worker', 'push-worker'],
  { webDir },
);
const stopWorker = await keepFolderWorker(stack);
const browser = await launchChromium();
try {
  const imports = await fillShop(operatorOf(stack.apiUrl, stack.cookie));
  await connectOneDrive(stack, imports.pushed);
  const dir = given.all ?? join(root, 'docs/images');
  await mkdir(dir, { recursive: true });
  for (const shot of given.all === undefined ? shownShots(imports) : allShots(imports)) {
    await take(stack, browser, dir, shot);
  }
} finally {
  await browser.close();
  await stopWorker();
  await stack.close();
}

type Imports = Awaited<ReturnType<typeof fillShop>>;

function shownShots({ reviewed }: Imports): Shot[] {
  const shown = { ...desktop, scheme: 'light' as const, whole: false };
  return [
    { ...shown, name: 'dashboard', path: '/' },
    {
      ...{ ...shown, name: 'job', path: `/queue/${reviewed}` },
      act: (page) => page.getByText(/^A push creates/).waitFor(),
    },
    { ...shown, name: 'onedrive', path: '/settings?tab=onedrive' },
    { ...shown, name: 'scanner', path: '/scanner' },
  ];
}

function allShots({ reviewed, pushed, failed }: Imports): Shot[] {
  const addressed: [string, string][] = [
    ['login', '/login'],
    ['dashboard', '/'],
    ['upload', '/upload'],
    ['queue', '/queue'],
    ['queue-report', `/queue?report=${pushed}`],
    ['job-review', `/queue/${reviewed}`],
    ['job-errors', `/queue/${reviewed}?class=error`],
    ['job-pushed', `/queue/${pushed}`],
    ['job-failed', `/queue/${failed}`],
    ['job-unknown', '/queue/00000000-0000-0000-0000-000000000000'],
    ['history', '/history'],
    ['shopify', '/shopify'],
    ['shopify-products', '/shopify?tab=products'],
    ['shopify-batch', '/shopify?tab=batch'],
    ['shopify-analytics', '/shopify?tab=analytics'],
    ['scanner', '/scanner'],
    ['scanner-new', '/scanner?new'],
    ...['general', 'onedrive', 'connections', 'csv', 'debug'].map((tab): [string, string] => [
      `settings-${tab}`,
      `/settings?tab=${tab}`,
    ]),
  ];
  const screens: Screen[] = [...addressed.map(([name, path]) => ({ name, path })), ...opened(reviewed)];
  const sizes = [
    desktop,
    { width: 1280, height: 800 },
    { width: 1024, height: 768 },
    { width: 768, height: 1024 },
    { width: 390, height: 844 },
  ];
  return screens.flatMap(({ name, ...screen }) =>
    sizes.flatMap((size) =>
      (['light', 'dark'] as const).map((scheme) => ({
        ...screen,
        ...size,
        name: `${name}-${size.width}-${scheme}`,
        scheme,
        whole: true,
      })),
    ),
  );
}

/** States of screens without an address. */
function opened(reviewed: string): Screen[] {
  const inDialog = (page: Page) => page.getByRole('dialog').last().getByRole('button').first().waitFor();
  const press = (name: string) => (page: Page) => page.getByRole('button', { name }).first().click();
  const path = `/queue/${reviewed}`;
  return [
    {
      name: 'upload-preview',
      path: '/upload',
      async act(page) {
        const chooser = page.waitForEvent('filechooser');
        await page.getByRole('button', { name: 'Choose File' }).click();
        await (await chooser).setFiles(sample);
        await page.getByRole('table', { name: 'Rows of the file' }).waitFor();
      },
    },
    { name: 'job-edit', path: `${path}?class=warning`, act: press('Edit row 51') },
    {
      name: 'job-fields',
      path: `${path}?class=warning`,
      async act(page) {
        const title = page.getByRole('button', { name: /edit all fields of row 51$/i });
        // On a phone the sheet leads to the dialog.
        if (!(await title.isVisible())) await press('Edit row 51')(page);
        await title.click();
        await page.getByRole('dialog').getByLabel('Title').first().waitFor();
      },
    },
    {
      name: 'job-mapping',
      path: `${path}?details=field-mapping`,
      async act(page) {
        await page.getByRole('button', { name: 'Change Mapping…' }).click();
        await inDialog(page);
      },
    },
    {
      name: 'keys',
      path: '/',
      async act(page) {
        await page.keyboard.press('?');
        await inDialog(page);
      },
    },
  ];
}

async function take(
  { apiUrl, cookie }: BenchStack,
  browser: Browser,
  dir: string,
  shot: Shot,
): Promise<void> {
  const isPhone = shot.width < 500;
  const context = await browser.newContext({
    baseURL: apiUrl,
    viewport: { width: shot.width, height: shot.height },
    colorScheme: shot.scheme,
    hasTouch: isPhone,
    isMobile: isPhone,
    locale: 'en-US',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  });
  const [name = '', value = ''] = cookie.split('=', 2);
  if (shot.path !== '/login') await context.addCookies([{ name, value, url: apiUrl }]);
  try {
    const page = await context.newPage();
    await page.goto(shot.path);
    await settled(page);
    if (shot.act !== undefined) {
      await shot.act(page);
      await page.waitForLoadState('networkidle');
      await settled(page);
    }
    await page.screenshot({
      path: join(dir, `${shot.name}.png`),
      fullPage: shot.whole && shot.act === undefined,
    });
    console.log(shot.name);
  } finally {
    await context.close();
  }
}

/** Waits until nothing is loading any more: fonts, chunks, data and skeletons. */
async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForLoadState('networkidle');
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null);
  await page.evaluate(() => document.fonts.ready);
}
