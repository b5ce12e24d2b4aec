import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildWeb } from '@draftshelf/infra/web-build';
import type { Browser, Page } from 'playwright-core';
import { type BenchStack, startBenchStack } from '../bench/bench-stack.ts';
import { launchChromium } from '../e2e/chromium.ts';
import { fillShop } from './fill-shop.ts';

// Pictures of the screens with the same imports each time. Without --all only those that README and docs show.
const { values: given } = parseArgs({ options: { all: { type: 'string' } } });

type Scheme = 'light' | 'dark';
type Shot = { name: string; path: string; width: number; height: number; scheme: Scheme; whole: boolean };

const root = fileURLToPath(new URL('../..', import.meta.url));
const desktop = { width: 1440, height: 900 };

const webDir = await buildWeb(root, console.log);
const stack = await startBenchStack(
  ['store-simulator', 'api', 'parse-worker', 'enrich-worker', 'push-worker'],
  { webDir },
);
const browser = await launchChromium();
try {
  const imports = await fillShop(stack);
  const dir = given.all ?? join(root, 'docs/images');
  await mkdir(dir, { recursive: true });
  for (const shot of given.all === undefined ? shownShots(imports) : allShots(imports)) {
    await take(stack, browser, dir, shot);
  }
} finally {
  await browser.close();
  await stack.close();
}

type Imports = Awaited<ReturnType<typeof fillShop>>;

function shownShots({ reviewed }: Imports): Shot[] {
  const shown = { ...desktop, scheme: 'light' as const, whole: false };
  return [
    { ...shown, name: 'dashboard', path: '/' },
    { ...shown, name: 'job', path: `/queue/${reviewed}` },
  ];
}

function allShots({ reviewed, pushed, failed }: Imports): Shot[] {
  const screens: [string, string][] = [
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
    ...['general', 'onedrive', 'connections', 'csv', 'debug'].map((tab): [string, string] => [
      `settings-${tab}`,
      `/settings?tab=${tab}`,
    ]),
  ];
  const sizes = [
    desktop,
    { width: 1280, height: 800 },
    { width: 768, height: 1024 },
    { width: 390, height: 844 },
  ];
  return screens.flatMap(([name, path]) =>
    sizes.flatMap((size) =>
      (['light', 'dark'] as const).map((scheme) => ({
        ...size,
        name: `${name}-${size.width}-${scheme}`,
        path,
        scheme,
        whole: true,
      })),
    ),
  );
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
  await context.addCookies([{ name, value, url: apiUrl }]);
  try {
    const page = await context.newPage();
    await page.goto(shot.path);
    await settled(page);
    await page.screenshot({ path: join(dir, `${shot.name}.png`), fullPage: shot.whole });
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
