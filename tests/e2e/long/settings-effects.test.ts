import type { Page } from 'playwright-core';
import { afterAll, expect } from 'vitest';
import { storedImport, storedUnder, until } from '../../support/fixture.ts';
import { gtinOf, startSources, type TestSources } from '../../support/sources.ts';
import { waitMsMax } from '../browser.ts';
import { browser, stack, testOnOwnStack } from '../own-stack.ts';
import {
  goTo,
  openSession,
  post,
  queueRow,
  sees,
  signIn,
  toast,
  uploadByCall,
  uploadOnScreen,
} from '../steps.ts';

let sources: TestSources;
afterAll(() => sources?.close());
const test = testOnOwnStack(async () => {
  sources = await startSources();
  return { env: { ...sources.env, SOURCES_ON: 'upcitemdb' } };
});

const flip = (page: Page, label: string) => page.getByRole('switch', { name: label }).click();

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByLabel(label).first().click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

/** Makes a change in the general settings, and saves it. */
async function change(page: Page, make: (page: Page) => Promise<void>): Promise<void> {
  await goTo(page, 'Settings');
  await make(page);
  await page.getByRole('button', { name: 'Save Settings' }).click();
  await toast(page, 'Settings Updated');
}

/** Uploads a file and pushes it, by calls: only the change of the setting is made on the screen. */
async function push(page: Page, name: string, lines: readonly string[]): Promise<void> {
  const content = ['Title,Price,Status,SKU', ...lines].join('\n');
  const id = await uploadByCall(page, { name, content });
  await post(page, `/api/queue/${id}/push`);
  const status = async () => (await (await page.request.get(`/api/jobs/${id}?rows=0`)).json()).status;
  await expect.poll(status, { timeout: waitMsMax }).toBe('completed');
}

async function pushedStatus(page: Page, title: string): Promise<string | undefined> {
  await push(page, `${title}.csv`, [`${title},9.90,active,${title}`]);
  return (await stack.store.products()).find((product) => product.title === title)?.status;
}

/** How many batches have been pushed. */
async function batchesDone(): Promise<number> {
  const { rows } = await stack.database.pool.query<{ count: number }>(
    `select count(*)::int as count from chunks where stage = 'push' and kind = 'work' and state = 'done'`,
  );
  return rows[0]?.count ?? 0;
}

async function batchesOf21(page: Page, name: string): Promise<number> {
  const before = await batchesDone();
  await push(
    page,
    `${name}.csv`,
    Array.from({ length: 21 }, (_, n) => `${name} ${n},5,draft,${name}-${n}`),
  );
  return (await batchesDone()) - before;
}

/** An import that failed six minutes ago, because its chunk was out of attempts. */
async function failedImport(): Promise<string> {
  const failed = { status: 'failed', failed_in: 'parse', open_chunks: 0 } as const;
  const sixMinutesAgo = new Date(Date.now() - 6 * 60_000);
  const { id } = await storedImport(stack, {
    csv: 'Title,Price,SKU\nLantern,7.50,LA-1\n',
    filename: 'lantern.csv',
    set: { ...failed, completed_at: sixMinutesAgo },
  });
  const dead = `update chunks set state = 'dead', attempts = 5, ended_at = now() where import_id = $1`;
  await stack.database.pool.query(dead, [id]);
  return id;
}

/** Waits for the next sweep of the stage parse, which retries what is due if the setting is on. */
async function parseSweep(): Promise<void> {
  const { pool } = stack.database;
  const { rows: now } = await pool.query<{ at: Date }>('select clock_timestamp() as at');
  await until('a sweep', async () => {
    const swept = `select 1 from processes where kind = 'parse-worker' and swept_at > $1`;
    return (await pool.query(swept, [now[0]?.at])).rows.length > 0;
  });
}

/** Uploads a row whose brand is only in another of its cells. */
async function uploadHiddenBrand(page: Page, name: string, gtin: string): Promise<void> {
  const content = `Title,Price,UPC,Notes\nOak Tray,12,${gtin.slice(1)},Brand: Threshold\n`;
  await uploadOnScreen(page, { name, content });
  await sees(rows(page), 'Oak Tray');
}

const upc = gtinOf(610_000_000_001);
const notAsked = gtinOf(610_000_000_002);
const vase = (gtin: string) => `Title,Price,UPC\nBlue Vase,9.90,${gtin.slice(1)}\n`;
const rows = (page: Page) => page.getByRole('table', { name: 'Product rows' });
let failedId = '';

type Effect = (page: Page) => Promise<void>;
/** What an import shows before a setting is changed, and after. */
const effects: { setting: string; before: Effect; make: Effect; after: Effect }[] = [
  {
    setting: 'Safe Mode (Draft Only)',
    before: async (page) => expect(await pushedStatus(page, 'Safe lamp')).toBe('DRAFT'),
    make: (page) => flip(page, 'Safe Mode (Draft Only)'),
    after: async (page) => expect(await pushedStatus(page, 'Live lamp')).toBe('ACTIVE'),
  },
  {
    setting: 'Batch Size',
    before: async (page) => expect(await batchesOf21(page, 'Whole')).toBe(1),
    make: (page) => choose(page, 'Batch Size', '10'),
    after: async (page) => expect(await batchesOf21(page, 'Split')).toBe(3),
  },
  {
    setting: 'Auto-retry Failed Items',
    before: async (page) => {
      failedId = await failedImport();
      await parseSweep();
      await page.goto(`/queue/${failedId}`);
      await page.getByText('Failed', { exact: true }).first().waitFor();
    },
    make: (page) => flip(page, 'Auto-retry Failed Items'),
    after: async (page) => {
      await goTo(page, 'Processing Queue');
      await sees(queueRow(page, 'lantern.csv'), 'Ready for Shopify');
      await page.goto(`/queue/${failedId}`);
      await sees(rows(page), 'Lantern');
    },
  },
  {
    setting: 'AI Validation & Enhancement',
    before: async (page) => {
      await uploadHiddenBrand(page, 'with-ai.csv', gtinOf(610_000_000_003));
      await sees(rows(page), 'Threshold');
    },
    make: (page) => flip(page, 'AI Validation & Enhancement'),
    after: async (page) => {
      // Without the result of the upload before, below which there are no switches.
      await page.goto('/upload');
      const choice = page.getByRole('switch', { name: 'AI Validation & Enhancement' });
      await expect.poll(() => choice.isChecked(), { timeout: waitMsMax }).toBe(false);
      await uploadHiddenBrand(page, 'without-ai.csv', gtinOf(610_000_000_004));
      expect(await rows(page).getByText('Threshold').count()).toBe(0);
    },
  },
  {
    setting: 'UPC Image Lookup',
    before: async (page) => {
      await sources.know([upc, notAsked].map((gtin) => ({ gtin, title: 'Acme Blue Vase', brand: 'Acme' })));
      await uploadOnScreen(page, { name: 'looked-up.csv', content: vase(upc) });
      const image = rows(page).getByRole('button', { name: /^Image of Blue Vase.*From UPCitemdb/ });
      expect(await image.locator('img').getAttribute('src')).toBe(`${sources.url}/pictures/${upc}.png`);
    },
    make: (page) => flip(page, 'UPC Image Lookup'),
    after: async (page) => {
      // Without the result of the upload before, below which there are no switches.
      await page.goto('/upload');
      await sees(page, 'UPC image lookup is off in Settings.');
      await uploadOnScreen(page, { name: 'not-looked-up.csv', content: vase(notAsked) });
      await sees(rows(page), 'Blue Vase');
      // Without images, the import has no column for them.
      expect(await rows(page).getByRole('columnheader', { name: 'Image' }).count()).toBe(0);
      await page.getByText('Ready for Shopify', { exact: true }).first().waitFor();
      const asked = (await sources.journal()).map(({ gtin }) => gtin);
      expect(asked).toContain(upc);
      expect(asked).not.toContain(notAsked);
    },
  },
];

test.each(effects)('$setting takes effect at the next import', ({ before, make, after }) =>
  browser.visit({}, async (page) => {
    await signIn(page);
    await before(page);
    await change(page, make);
    await after(page);
  }),
);

// tests/e2e/settings.test.ts saves them on the screen.
test('settings of the watched folder do nothing to an upload until OneDrive is connected', () =>
  browser.visit({}, async (page) => {
    await openSession(page);
    await post(page, '/api/settings', {
      ...{ oneDriveEnabled: true, oneDriveFolder: '/In', autoProcessMode: 'full-auto' },
      ...{ deleteAfterProcess: true, moveToArchive: true },
    });
    const before = (await stack.store.products()).length;
    const id = await uploadByCall(page, { name: 'by-hand.csv', content: 'Title,Price\nStool,30\n' });
    await page.goto(`/queue/${id}`);
    await page.getByText('Ready for Shopify', { exact: true }).first().waitFor();
    const { rows: files } = await stack.database.pool.query<{ object_key: string }>(
      'select object_key from imports where id = $1',
      [id],
    );
    expect(await storedUnder(stack.storage, files[0]?.object_key ?? 'none')).toHaveLength(1);
    expect(await stack.store.products()).toHaveLength(before);
  }));
