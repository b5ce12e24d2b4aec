import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { browserOf, csvForm } from '../support/api.ts';
import { until } from '../support/fixture.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { violationsOf } from './page-checks.ts';
import { accessKey, type Product, startProduct } from './product.ts';
import { expectNoSidewaysScroll, sees } from './steps.ts';

// axe-core on every screen and state, in both schemes, on a phone and on a desk. Add a line to the table for a new one.

let product: Product;
let browser: TestBrowser;
const ids: Record<string, string> = {};
beforeAll(async () => {
  product = await startProduct();
  browser = await openBrowser(product.apiUrl);
  await makeImports();
});
afterAll(async () => {
  await browser?.close();
  await product?.close();
});

type State = {
  name: string;
  /** `:name` stands for the id of an import of `makeImports`. */
  path: string;
  /** Brings the screen into the state, and waits until it is. */
  reach: (page: Page) => Promise<void>;
};

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
const firstRow = (page: Page) => page.locator('[data-row]').first();

const states: State[] = [
  { name: 'queue', path: '/queue', reach: (page) => sees(page, 'queued.csv') },
  {
    name: 'queue, nothing found',
    path: '/queue?file=nothing',
    reach: (page) => sees(page, 'No imports match'),
  },
  { name: 'queue, report', path: '/queue?report=:completed', reach: (page) => sees(page, 'Causes') },
  { name: 'upload', path: '/upload', reach: (page) => page.getByText('Choose File').first().waitFor() },
  { name: 'job, queued', path: '/queue/:queued', reach: (page) => firstRow(page).waitFor() },
  { name: 'job, ready', path: '/queue/:ready', reach: (page) => firstRow(page).waitFor() },
  { name: 'job, completed', path: '/queue/:completed', reach: (page) => firstRow(page).waitFor() },
  { name: 'job, failed', path: '/queue/:failed', reach: (page) => sees(page, 'This import failed') },
  { name: 'job, cancelled', path: '/queue/:cancelled', reach: (page) => sees(page, /^Stopped at/) },
  {
    name: 'job, filtered',
    path: '/queue/:queued?class=warning',
    reach: (page) => sees(page, /matching row/),
  },
  {
    name: 'job, nothing found',
    path: '/queue/:queued?q=nothing',
    reach: (page) => sees(page, 'No matching rows.'),
  },
  {
    name: 'job, row edited',
    path: '/queue/:queued',
    async reach(page) {
      await page.getByRole('button', { name: 'Edit row 2' }).click();
      await page.getByLabel('Price of row 2').fill('ask');
    },
  },
  {
    name: 'job, mapping unfolded',
    path: '/queue/:queued',
    async reach(page) {
      await page.getByRole('button', { name: /^\d+ fields?$/ }).click();
      await page.getByRole('button', { name: 'Change how this file is read' }).waitFor();
    },
  },
  {
    name: 'job, file format',
    path: '/queue/:ready',
    async reach(page) {
      if ((page.viewportSize()?.width ?? 0) < 768) {
        await page.getByRole('button', { name: /^\d+ fields?$/ }).click();
      }
      await page.getByRole('button', { name: 'Change how this file is read' }).click();
      await dialog(page, 'File format').getByLabel('Separator').first().waitFor();
    },
  },
  { name: 'job, report', path: '/queue/:completed?report=:completed', reach: (page) => sees(page, 'Causes') },
  { name: 'job, unknown', path: '/queue/nothing', reach: (page) => sees(page, 'Job not found') },
];

const situations = (['light', 'dark'] as const).flatMap((scheme) =>
  [1440, 390].map((width) => ({ scheme, width })),
);

test.each(situations)('$scheme, $width px: no screen has a violation', ({ scheme, width }) =>
  browser.visit(
    {
      viewport: { width, height: 900 },
      colorScheme: scheme,
      touch: width < 768,
      expectedConsole: [/status of 404 .*\/api\/queue\/nothing/],
    },
    async (page) => {
      const found: string[] = [];
      const look = async (name: string) => {
        for (const violation of await violationsOf(page)) found.push(`${name}: ${violation}`);
        await expectNoSidewaysScroll(page);
      };
      await page.goto('/login');
      await page.getByLabel('Access Key').waitFor();
      await look('login');
      expect((await page.request.post('/api/auth/login', { data: { accessKey } })).status()).toBe(200);
      for (const { name, path, reach } of states) {
        await page.goto(path.replace(/:(\w+)/g, (_match, id: string) => ids[id] ?? 'nothing'));
        await reach(page);
        await look(name);
      }
      expect(found).toEqual([]);
    },
  ),
);

/** An import in each status that stays. */
async function makeImports(): Promise<void> {
  const api = browserOf(product.apiUrl);
  await api.login(accessKey);
  const reach = (id: string, status: string) =>
    until(`${id} is ${status}`, async () => {
      const job = (await api.call('GET', `/api/jobs/${id}?rows=0`)).body as { status: string };
      return job.status === status;
    });
  const make = async (name: string, rows: readonly string[], status: string) => {
    const content = `Title,Price,Brand,UPC\n${rows.join('\n')}\n`;
    const { id } = (await api.upload(csvForm(content, { filename: `${name}.csv` }))).body as { id: string };
    ids[name] = id;
    await reach(id, status);
    return id;
  };
  const mixed = ['Lamp,5,Oak,036000291453', 'Vase,call,Oak,', ',7,Oak,', 'Bowl,9.50,,', ',,,x'];
  await make('queued', mixed, 'queued');
  await make('ready', ['Lamp,6,Oak,', 'Vase,7,Oak,'], 'processed');
  const completed = await make('completed', ['Stool,5,Oak,', 'Bench,,Oak,'], 'queued');
  await api.call('POST', `/api/queue/${completed}/push`);
  await reach(completed, 'completed');
  const failed = await make('failed', ['Table,,Oak,', 'Chair,ask,Oak,'], 'queued');
  await api.call('POST', `/api/queue/${failed}/push`);
  await reach(failed, 'failed');
  const cancelled = await make('cancelled', ['Rug,,Oak,'], 'queued');
  await api.call('POST', `/api/queue/${cancelled}/cancel`);
  await reach(cancelled, 'cancelled');
}
