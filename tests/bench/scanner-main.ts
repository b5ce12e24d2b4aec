import { writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { buildWeb } from '@draftshelf/infra/web-build';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../e2e/chromium.ts';
import { pictureOfCode, videoFile } from '../e2e/scan-steps.ts';
import { typeAsScanner } from '../e2e/type-as-scanner.ts';
import { gtinOf } from '../support/sources.ts';
import { startBenchStack } from './bench-stack.ts';
import { describeMachine, median, percentile } from './figures.ts';
import { givenNumbers } from './given-numbers.ts';
import { measureReplies } from './scanner-library.ts';
import {
  frameTimes,
  painted,
  scanViewReady,
  scrollThrough,
  scrollUntil,
  watchScanner,
} from './scanner-watch.ts';

// What an operator of the scanner waits for, in a real browser: a known code's form, the scan view, a large library,
// and the camera's frames.
const { products, rounds } = givenNumbers({ products: 2000, rounds: 20 });
const pageOf = 500;
const scannedMs = 10_000;
const pauseMs = 300;
const card = '[data-product]';
const onlyCard = `${card}:only-child`;
/** Fewer than are drawn at first, and more than a screen shows. */
const cardsMin = 30;
const scrolledPixels = 500;
const phone = { width: 390, height: 844 };
const openedForm = '#scanned-name:not([value=""])';
const upcOf = (number: number) => gtinOf(36_000_300_000 + number).slice(2);
/** The code in front of the camera, which no product has. */
const shownCode = upcOf(products + 1);

const webDir = await buildWeb(fileURLToPath(new URL('../..', import.meta.url)), console.log);
const stack = await startBenchStack(['api'], { webDir });
const video = join(stack.dir, 'code.y4m');
const browsers: Browser[] = [];
try {
  const grayVideo = join(stack.dir, 'gray.y4m');
  await writeFile(video, videoFile(await pictureOfCode(shownCode)));
  await writeFile(grayVideo, videoFile({ data: new Uint8ClampedArray(), width: 0, height: 0 }));
  const browser = await launch(grayVideo);
  console.log(`${await describeMachine(stack.database)}, Chromium ${browser.version()}; ${rounds} rounds`);
  await fillLibrary();
  await measureReplies(stack, upcOf);
  await measureKnownCodes(browser);
  await measureScanView(browser);
  await measureFrames(browser);
  await measureLibrary(browser);
  await measureCamera(await launch(video));
} finally {
  await Promise.all(browsers.map((browser) => browser.close()));
  await stack.close();
}

async function launch(file: string): Promise<Browser> {
  const browser = await launchChromium([`--use-file-for-fake-video-capture=${file}`]);
  browsers.push(browser);
  return browser;
}

function report(what: string, figures: readonly number[]): void {
  const [middle, most] = [median(figures), percentile(figures, 95)];
  const load = loadavg()[0]?.toFixed(1);
  console.log(
    `${what.padEnd(60)} ${middle.toFixed(0).padStart(5)} ms; p95 ${most.toFixed(0).padStart(5)} ms; load ${load}`,
  );
}

async function fillLibrary(): Promise<void> {
  const upcs = Array.from({ length: products }, (_, number) => upcOf(number));
  await stack.database.pool.query(
    `insert into scanned_products (id, name, description, price, sku, upc, gtin, dimensions, weight)
     select gen_random_uuid(), 'Ceramic vase ' || nth, repeat('Blown by hand. ', 20), '24.99', upc, upc, '00' || upc,
       '{"length":10,"width":5,"height":3,"unit":"in"}', '{"value":2.5,"unit":"lb"}'
     from unnest($1::text[]) with ordinality as one (upc, nth)`,
    [upcs],
  );
}

/** A new page with an empty cache. */
async function visit(browser: Browser, path: string, act: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({
    baseURL: stack.apiUrl,
    locale: 'en-US',
    viewport: phone,
    hasTouch: true,
    isMobile: true,
  });
  const [name = '', value = ''] = stack.cookie.split('=');
  await context.addCookies([{ name, value, url: stack.apiUrl }]);
  await context.addInitScript(watchScanner);
  const page = await context.newPage();
  try {
    await page.goto(path);
    await page.locator(card).first().waitFor();
    await page.waitForLoadState('networkidle');
    await act(page);
  } finally {
    await context.close();
  }
}

/** From the Enter of a hand-held scanner until the form of the code's product is painted. */
async function measureKnownCodes(browser: Browser): Promise<void> {
  const first: number[] = [];
  const again: number[] = [];
  await visit(browser, '/scanner', async (page) => {
    for (let round = 0; round <= rounds; round += 1) {
      await typeAsScanner(page, upcOf((round * 97) % products));
      const ms = await page.evaluate(painted, { selector: openedForm, count: 1, from: 'act' } as const);
      (round === 0 ? first : again).push(ms);
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.locator(card).first().waitFor();
      await page.waitForLoadState('networkidle');
      await pause(pauseMs);
    }
  });
  report('known code, the form for the first time', first);
  report('known code, the form again', again);
}

/** From the click on *Scan* until the camera's picture is shown and the reader is loaded. */
async function measureScanView(browser: Browser): Promise<void> {
  const first: number[] = [];
  const again: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await visit(browser, '/scanner', async (page) => {
      for (const figures of [first, again]) {
        await page.getByRole('button', { name: 'Scan', exact: true }).click();
        figures.push(await page.evaluate(scanViewReady));
        await page.getByRole('button', { name: 'Close', exact: true }).last().click();
        await page.getByRole('dialog').waitFor({ state: 'hidden' });
      }
    });
  }
  report('scan view ready, empty cache', first);
  report('scan view ready, again', again);
}

/** The frames of a camera without a code. */
async function measureFrames(browser: Browser): Promise<void> {
  await visit(browser, '/scanner', async (page) => {
    await page.getByRole('button', { name: 'Scan', exact: true }).click();
    await page.evaluate(scanViewReady);
    await page.evaluate(frameTimes);
    await pause(scannedMs);
    const { readMs, frameMs } = await page.evaluate(frameTimes);
    report(`a frame of the camera read in the worker (${readMs.length} in ${scannedMs / 1000} s)`, readMs);
    report('between two frames of the page meanwhile', frameMs);
  });
}

/** From the click on *Scan* until the form of the code in front of the camera is painted. */
async function measureCamera(browser: Browser): Promise<void> {
  const figures: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await visit(browser, '/scanner', async (page) => {
      await page.getByRole('button', { name: 'Scan', exact: true }).click();
      figures.push(
        await page.evaluate(painted, {
          selector: `#scanned-upc[value="${shownCode}"]`,
          count: 1,
          from: 'act',
        } as const),
      );
    });
  }
  report('*Scan* pressed → new code read, form shown, empty cache', figures);
}

/** The library on a phone: from its reply or from the last key until cards are painted, and frames while it scrolls. */
async function measureLibrary(browser: Browser): Promise<void> {
  const first: number[] = [];
  const found: number[] = [];
  const back: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await visit(browser, '/scanner', async (page) => {
      await page.reload();
      first.push(await page.evaluate(painted, { selector: card, count: cardsMin, from: 'reply' } as const));
      await page.getByRole('button', { name: 'New Product' }).click();
      await page.getByRole('heading', { name: 'Create New Product' }).waitFor();
      await page.waitForLoadState('networkidle');
      await page.getByRole('button', { name: 'Cancel' }).click();
      back.push(await page.evaluate(painted, { selector: card, count: cardsMin, from: 'act' } as const));
      await page.waitForLoadState('networkidle');
      await page.getByLabel('Search products').fill(upcOf(round));
      found.push(await page.evaluate(painted, { selector: onlyCard, count: 1, from: 'act' } as const));
    });
  }
  report('the first cards, reply → drawn', first);
  report('the first cards, back from the form', back);
  report(`search in ${products} products, last key → drawn`, found);
  await visit(browser, '/scanner', async (page) => {
    for (let shown = pageOf; ; shown += pageOf) {
      await page.evaluate(scrollUntil, { selector: card, count: Math.min(shown, products) });
      if (shown >= products) break;
      await page.getByRole('button', { name: /^Show More/ }).click();
    }
    await page.evaluate(frameTimes);
    await page.evaluate(scrollThrough, scrolledPixels);
    const { frameMs } = await page.evaluate(frameTimes);
    report(`between two frames while ${products} products scroll`, frameMs);
  });
}
