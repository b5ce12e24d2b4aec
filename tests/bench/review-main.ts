import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findImport } from '@draftshelf/core/imports/imports';
import { buildWeb } from '@draftshelf/infra/web-build';
import type { Page } from 'playwright-core';
import { launchChromium } from '../e2e/chromium.ts';
import { chooseClass } from '../e2e/steps.ts';
import { startBenchStack } from './bench-stack.ts';
import { describeMachine, median, percentile } from './figures.ts';
import { givenNumbers } from './given-numbers.ts';
import { waitForTasks, waitUntil } from './import-waits.ts';
import { sought, writeMixedProductFile } from './mixed-product-file.ts';
import { drawn, watchDrawing } from './review-watch.ts';
import { uploadFile } from './upload-file.ts';

// What an operator waits for, in a real browser: a small file from the upload to its review, a search while typing, and
// pages, filters and searches of a large import from the request to the drawn rows.
const {
  rows,
  searched: searchedRows,
  rounds,
} = givenNumbers({ rows: 1_000_000, searched: 25_000, rounds: 20 });
const smallRows = 20;
/** Words that are typed one after the other; each has rows. */
const typed = ['lamp', 'chair', 'candle', 'mirror', 'basket'];

const webDir = await buildWeb(fileURLToPath(new URL('../..', import.meta.url)), console.log);
const stack = await startBenchStack(['api', 'parse-worker', 'enrich-worker'], { webDir });
const browser = await launchChromium();
try {
  console.log(`${await describeMachine(stack.database)}, Chromium ${browser.version()}; ${rounds} rounds`);
  const context = await browser.newContext({
    baseURL: stack.apiUrl,
    locale: 'en-US',
    viewport: { width: 1440, height: 900 },
  });
  const [name = '', value = ''] = stack.cookie.split('=');
  await context.addCookies([{ name, value, url: stack.apiUrl }]);
  const page = await context.newPage();
  await measureUploads(page);
  await measureTyping(page);
  await measureLarge(page);
} finally {
  await browser.close();
  await stack.close();
}

function report(what: string, figures: readonly number[]): void {
  const [middle, most] = [median(figures), percentile(figures, 95)];
  console.log(
    `${what.padEnd(56)} ${middle.toFixed(0).padStart(6)} ms; p95 ${most.toFixed(0).padStart(6)} ms`,
  );
}

/** A small file, from the click on 'Process All' until 'Review' is offered. */
async function measureUploads(page: Page): Promise<void> {
  const figures: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const file = join(stack.dir, `small ${round}.csv`);
    writeMixedProductFile(file, smallRows + round);
    await page.goto('/upload');
    await page.getByRole('button', { name: 'Choose File' }).waitFor();
    await page.locator('input[type=file]').setInputFiles(file);
    const process = page.getByRole('button', { name: 'Process All' });
    await process.waitFor();
    const begun = performance.now();
    await process.click();
    await page.getByRole('link', { name: /^Review/ }).waitFor();
    // The first round is a warm-up and not counted.
    if (round > 0) figures.push(performance.now() - begun);
  }
  report(`${smallRows} rows: upload pressed → review offered`, figures);
}

/** From the last key of a search until its rows are drawn. */
async function measureTyping(page: Page): Promise<void> {
  await openLarge(page, 'searched.csv', searchedRows);
  const figures: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const field = page.getByLabel('Search rows');
    const found = await measure(page, async () => {
      await field.fill('');
      await field.pressSequentially(typed[round % typed.length] ?? '', { delay: 30 });
    });
    if (round > 0) figures.push(found.sinceKey);
    await clear(page);
  }
  report(`${searchedRows} rows: last key of a search → rows drawn`, figures);
}

/** From the request for rows until they are drawn. */
async function measureLarge(page: Page): Promise<void> {
  await openLarge(page, 'large.csv', rows);
  const pageNumber = (round: number) => 2 + Math.floor((rows / 25 - 3) * ((round + 0.5) / (rounds + 1)));
  const filters = page.getByRole('group', { name: 'Filter rows' });
  const searches = [sought.common, 'mirror', 'SKU-00', 'vase oak', 'chair'];
  const acts: [string, (round: number) => Promise<unknown>][] = [
    [
      'page anywhere',
      async (round) => {
        await page.getByLabel('Search rows').fill(`row ${pageNumber(round) * 25}`);
        await page.keyboard.press('Enter');
      },
    ],
    ['needs you', () => filters.getByRole('button', { name: /^Needs you/ }).click()],
    ['class warning', () => chooseClass(page, /^Warning/)],
    ['issue price-missing', () => filters.getByRole('button', { name: /^No price/ }).click()],
    ['search', (round) => page.getByLabel('Search rows').fill(searches[round % searches.length] ?? '')],
  ];
  for (const [name, act] of acts) {
    const figures: number[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const found = await measure(page, () => act(round));
      if (round > 0) figures.push(found.sinceRequest);
      await clear(page);
    }
    report(`${rows} rows: ${name}, request → rows drawn`, figures);
  }
}

async function measure(page: Page, act: () => Promise<unknown>) {
  await page.evaluate(watchDrawing);
  await act();
  return page.evaluate(drawn);
}

/** Shows the first page again, without its cached copy. */
async function clear(page: Page): Promise<void> {
  await page.goto(`${new URL(page.url()).pathname}?class=all`);
  await page.locator('[data-row]').first().waitFor();
}

/** Uploads a file, waits until its rows are stored and searchable, and opens its page. */
async function openLarge(page: Page, filename: string, count: number): Promise<void> {
  const file = join(stack.dir, filename);
  writeMixedProductFile(file, count);
  const id = await uploadFile(stack, file);
  await waitUntil(async () => {
    const record = await findImport(stack.database.db, id);
    return record?.status === 'queued' || record?.status === 'processed';
  });
  await waitForTasks(stack.database, id, "stage = 'parse'");
  await page.goto(`/queue/${id}?class=all`);
  await page.locator('[data-row]').first().waitFor();
}
