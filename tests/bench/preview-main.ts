import { fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildWeb } from '@draftshelf/infra/web-build';
import type { Browser } from 'playwright-core';
import { writeProductFile } from '../../scripts/product-file.ts';
import { launchChromium } from '../e2e/chromium.ts';
import { type BenchStack, startBenchStack } from './bench-stack.ts';
import { describeMachine, median } from './figures.ts';
import { givenNumbers } from './given-numbers.ts';

// The preview of files of 50 MB in a real browser, alternating with the same reader on the same file in Node.
const { rounds } = givenNumbers({ rounds: 5 });

type Times = { firstRows: number; complete: number; longTasks: number[] };
type ChosenFile = { name: string; path: string; rows: number };

const webDir = await buildWeb(fileURLToPath(new URL('../..', import.meta.url)), console.log);
const stack = await startBenchStack(['api'], { webDir });
const browser = await launchChromium();
try {
  console.log(`${await describeMachine(stack.database)}, Chromium ${browser.version()}`);
  for (const file of writeFiles(stack.dir)) await measure(stack, browser, file);
} finally {
  await browser.close();
  await stack.close();
}

function writeFiles(dir: string): ChosenFile[] {
  const wide = { name: '12 columns', path: join(dir, 'wide.csv'), rows: 240_000 };
  writeProductFile(wide.path, wide.rows, 'ascii');
  const accented = {
    name: '12 columns, letters beyond ASCII',
    path: join(dir, 'accented.csv'),
    rows: 225_000,
  };
  writeProductFile(accented.path, accented.rows, 'accented');
  const narrow = { name: '3 columns', path: join(dir, 'narrow.csv'), rows: 1_400_000 };
  writeNarrowFile(narrow.path, narrow.rows);
  return [wide, accented, narrow];
}

/** Only the columns that a product needs, for as many rows as possible in a file. */
function writeNarrowFile(path: string, rows: number): void {
  const descriptor = openSync(path, 'w');
  let lines = 'Title,Price,SKU\n';
  for (let row = 1; row <= rows; row += 1) {
    lines += `Vase of glass ${row},${row % 90}.50,V-${row}\n`;
    if (row % 10_000 > 0) continue;
    writeSync(descriptor, lines);
    lines = '';
  }
  writeSync(descriptor, lines);
  closeSync(descriptor);
}

async function measure(stack: BenchStack, browser: Browser, file: ChosenFile): Promise<void> {
  const inBrowser: Times[] = [];
  const inNode: number[] = [];
  // The first round is a warm-up (the file's pages are cached) and not counted.
  for (let round = 0; round <= rounds; round += 1) {
    const times = await previewInBrowser(stack, browser, file);
    const ms = await previewInNode(file);
    if (round === 0) continue;
    inBrowser.push(times);
    inNode.push(ms);
  }
  const middle = (pick: (times: Times) => number) => median(inBrowser.map(pick));
  const node = median(inNode);
  const longTasks = inBrowser.flatMap((times) => times.longTasks);
  console.log(`
${file.name}: ${file.rows} rows, ${(statSync(file.path).size / 1e6).toFixed(1)} MB; medians of ${rounds} rounds in turns
  the reader in Node         ${node.toFixed(0)} ms
  first rows on the page     ${middle((times) => times.firstRows).toFixed(0)} ms
  all rows counted           ${middle((times) => times.complete).toFixed(0)} ms (${(middle((times) => times.complete) / node).toFixed(2)} × Node), slowest ${Math.max(...inBrowser.map((times) => times.complete)).toFixed(0)} ms
  tasks over 50 ms           ${longTasks.length} in all rounds, longest ${longTasks.length === 0 ? '–' : `${Math.max(...longTasks).toFixed(0)} ms`}`);
}

/** Chooses the file on the page and measures there, from the choice until the result is shown. */
async function previewInBrowser(
  { apiUrl, cookie }: BenchStack,
  browser: Browser,
  file: ChosenFile,
): Promise<Times> {
  const context = await browser.newContext({
    baseURL: apiUrl,
    locale: 'en-US',
    viewport: { width: 1440, height: 900 },
  });
  try {
    const [name = '', value = ''] = cookie.split('=');
    await context.addCookies([{ name, value, url: apiUrl }]);
    const page = await context.newPage();
    await page.goto('/upload');
    await page.getByRole('button', { name: 'Choose File' }).waitFor();
    const times = page.evaluate(watchPreview);
    await page.locator('input[type=file]').setInputFiles(file.path);
    const measured = await times;
    await page.getByText(`${file.rows.toLocaleString('en-US')} rows`, { exact: true }).waitFor();
    return measured;
  } finally {
    await context.close();
  }
}

/** Runs in the page: after the next choice of a file, records when rows are shown and counted, and every long task. */
function watchPreview(): Promise<Times> {
  const longTasks: number[] = [];
  const take = (entries: PerformanceEntryList) => longTasks.push(...entries.map((entry) => entry.duration));
  const observer = new PerformanceObserver((list) => void take(list.getEntries()));
  return new Promise((resolve) => {
    document.addEventListener(
      'change',
      () => {
        const begun = performance.now();
        let firstRows = 0;
        observer.observe({ type: 'longtask' });
        const look = new MutationObserver(() => {
          const since = performance.now() - begun;
          if (!document.querySelector('table[aria-label="Rows of the file"] tbody tr')) return;
          if (firstRows === 0) firstRows = since;
          if (document.querySelector('[aria-label="Reading file"]')) return;
          look.disconnect();
          // The last render is a task too, which is reported after its end.
          setTimeout(() => {
            take(observer.takeRecords());
            resolve({ firstRows, complete: since, longTasks });
          }, 500);
        });
        look.observe(document.body, { childList: true, subtree: true, attributes: true });
      },
      { capture: true, once: true },
    );
  });
}

async function previewInNode(file: ChosenFile): Promise<number> {
  const child = fork(fileURLToPath(new URL('preview-in-node-main.ts', import.meta.url)), [file.path]);
  const [reply] = (await once(child, 'message')) as [{ ms: number; rows: number }];
  if (reply.rows !== file.rows) throw new Error(`The reader found ${reply.rows} rows, not ${file.rows}`);
  return reply.ms;
}
