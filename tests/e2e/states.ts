import type { Page } from 'playwright-core';
import { type ApiClient, browserOf, csvForm } from '../support/api-client.ts';
import { until } from '../support/fixture.ts';
import { accessKey } from './product.ts';
import { choose, chooseInMenu, chooseOnPage, editRow, post, put, queueRow, sees } from './steps.ts';
import { typeAsScanner } from './type-as-scanner.ts';

/** A screen in one of its states, for tests that look at all of them. */
export type State = {
  name: string;
  /** `:name` stands for the id of an import of `makeImports`. */
  path: string;
  /** Brings the screen into the state, and waits until it is. */
  reach: (page: Page) => Promise<void>;
  /** `reach` only waits, so another screen can be opened from here without a page load. */
  isUntouched?: boolean;
};

/** A state that an address has by itself: `text` is shown, or what `shows` waits for. */
const at = (path: string, name: string, shows: string | RegExp | State['reach']): State => ({
  ...{ name, path, isUntouched: true },
  reach: typeof shows === 'function' ? shows : (page) => sees(page, shows),
});

const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
const firstRow = (page: Page) => page.locator('[data-row]').first();
const isPhone = (page: Page) => (page.viewportSize()?.width ?? 0) < 768;

/** The states that need nothing but their address, in an order in which the path always changes. */
const untouched: State[] = [
  at('/', 'dashboard', 'Queued'),
  at('/history', 'history', 'cancelled.csv'),
  at('/shopify', 'store', 'Store information'),
  at('/settings', 'settings', (page) => page.getByLabel('Batch Size').first().waitFor()),
  at('/history?file=nothing', 'history, nothing found', /^No proc/),
  at('/shopify?tab=products', 'store products', 'Stool'),
  at('/settings?tab=onedrive', 'settings, OneDrive', async (page) => {
    await sees(page, 'Connected');
    await sees(page, '2 files were there before watching began.');
    await page.getByRole('button', { name: 'Import It: held.csv' }).waitFor();
  }),
  at('/upload', 'upload', 'Choose File'),
  at('/shopify?tab=analytics', 'store analytics', 'Archived'),
  at('/settings?tab=csv', 'settings, files', 'Known headers'),
  at('/queue', 'queue', 'queued.csv'),
  at('/scanner', 'scanner', '2 product(s) scanned'),
  at('/settings?tab=debug', 'settings, debug', async (page) => {
    await sees(page, 'Database Connected');
    await page.getByRole('table', { name: 'Security events' }).waitFor();
  }),
  at('/queue?file=nothing', 'queue, nothing found', 'No imports match'),
  at('/scanner?q=nothing', 'scanner, nothing found', /^No products/),
  at('/queue/:queued', 'job, queued', (page) => firstRow(page).waitFor()),
  at('/queue/:ready', 'job, ready', (page) => firstRow(page).waitFor()),
  at('/queue/:completed', 'job, completed', (page) => firstRow(page).waitFor()),
  at('/queue/:queued?class=warning', 'job, filtered', /matching row/),
  at('/queue/:failed', 'job, failed', 'This import failed'),
  at('/queue/:queued?q=nothing', 'job, nothing found', 'No matching rows.'),
  at('/queue/:cancelled', 'job, cancelled', /^Stopped at/),
  at('/queue/nothing', 'job, unknown', 'Job not found'),
];

const screens: State[] = [
  { name: 'queue, report', path: '/queue?report=:completed', reach: (page) => sees(page, 'Causes') },
  {
    name: 'batch push',
    path: '/shopify?tab=batch',
    async reach(page) {
      await page.getByRole('button', { name: 'Select All' }).click();
      await sees(page, '1 of 1 jobs selected');
    },
  },
  {
    name: 'settings, changed',
    path: '/settings',
    async reach(page) {
      await page.getByRole('switch', { name: 'Auto-retry Failed Items' }).press('Space');
      await sees(page, 'Unsaved changes');
    },
  },
  {
    name: 'settings, connections',
    path: '/settings?tab=connections',
    async reach(page) {
      await page.getByRole('button', { name: 'Show Credentials' }).click();
      await page.getByRole('button', { name: 'Hide Credentials' }).waitFor();
      await page.getByRole('button', { name: 'Key and quota of UPCitemdb' }).click();
      await page.getByRole('button', { name: 'Save Quota' }).waitFor();
    },
  },
  {
    name: 'settings, OneDrive, panel and cause of trouble',
    path: '/settings?tab=onedrive',
    async reach(page) {
      await page.getByRole('button', { name: 'Show Details' }).click();
      await page.getByRole('button', { name: 'Configure' }).click();
      await page.getByRole('button', { name: 'Disconnect' }).waitFor();
      await page.getByText('App registration', { exact: true }).click();
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      await sees(page, 'Enter the client secret.');
    },
  },
  {
    name: 'settings, full auto',
    path: '/settings?tab=onedrive',
    async reach(page) {
      await page.getByLabel('Auto-processing mode').first().click();
      await page.getByRole('option', { name: 'Full auto' }).click();
      await page.getByLabel('Largest import to push (products)').fill('0');
      await sees(page, 'Enter a whole number from 1 to 100,000 products.');
    },
  },
  {
    name: 'settings, AI service',
    path: '/settings?tab=connections',
    async reach(page) {
      const card = page.getByRole('region', { name: 'AI service' });
      await sees(card, 'No AI service is set up, so nothing is sent anywhere.');
      await card.getByRole('button', { name: 'Show Settings' }).click();
      await card.getByRole('button', { name: 'Test and Save' }).click();
      await sees(card, 'Enter the address.');
    },
  },
  {
    name: 'job, ask AI',
    path: '/queue/:queued',
    async reach(page) {
      await chooseOnPage(page, 'Ask AI');
      await sees(page.getByRole('region', { name: 'Ask AI', exact: true }), /^No AI service is set up/);
    },
  },
  {
    name: 'upload, preview',
    path: '/upload',
    async reach(page) {
      await choose(page, { name: 'chosen.csv', content: `Title,Price\n${mixed.join('\n')}\n` });
      await page.getByRole('table', { name: 'Rows of the file' }).waitFor();
    },
  },
  {
    name: 'queue, question',
    path: '/queue?file=queued',
    async reach(page) {
      const row = isPhone(page) ? page.getByRole('listitem') : queueRow(page, 'queued.csv');
      await chooseInMenu(row.filter({ hasText: 'queued.csv' }), 'Cancel Import');
      await page.getByRole('alertdialog').waitFor();
    },
  },
  {
    name: 'keys',
    path: '/no/such/screen',
    async reach(page) {
      await sees(page, '404');
      await page.keyboard.press('?');
      await dialog(page, 'Keyboard shortcuts').waitFor();
    },
  },
];

/** A product of the scanner's library, by an id of the test. */
const lampId = 'b7c0e3a8-6f5d-4c1b-9a2e-8d7f6e5c4b3a';
const lampPath = `/scanner?product=${lampId}`;
const productsPath = '/api/scanner/products';

/** Gives the page the browser's camera, which a visit refuses otherwise. */
const allowCamera = (page: Page) =>
  page.evaluate(() => Reflect.deleteProperty(navigator.mediaDevices, 'getUserMedia'));

async function openCamera(page: Page): Promise<void> {
  await page.getByLabel('Product Name *').waitFor();
  await allowCamera(page);
  await page.getByRole('button', { name: 'Take Photo' }).click();
  const capture = dialog(page, 'Capture Product Photo').getByRole('button', { name: 'Capture Photo' });
  await capture.and(page.locator(':not([aria-disabled])')).waitFor();
}

const scannerStates: State[] = [
  {
    name: 'scanner, question',
    path: '/scanner?q=lamp',
    async reach(page) {
      await page.getByRole('button', { name: 'Delete Oak lamp' }).click();
      await page.getByRole('alertdialog').waitFor();
    },
  },
  {
    name: 'scanner, new product',
    path: '/scanner?new',
    async reach(page) {
      await page.getByRole('button', { name: 'Save Product' }).click();
      await sees(page, 'Enter a name.');
      await page.getByLabel('Product Name *').fill('Rug');
      await page.getByLabel('SKU *').fill('R-1');
      await page.getByLabel('Price ($) *').fill('5');
    },
  },
  {
    name: 'scanner, product with photos after a scan',
    path: lampPath,
    async reach(page) {
      await openCamera(page);
      await page.getByRole('button', { name: 'Capture and Continue' }).click();
      await page.getByRole('button', { name: 'Capture Photo' }).click();
      await page.getByLabel('SKU *').focus();
      await typeAsScanner(page, '036000291452');
      await page.getByRole('button', { name: 'Use as SKU' }).waitFor();
    },
  },
  {
    name: 'scanner, changed in another tab',
    path: lampPath,
    async reach(page) {
      const name = page.getByLabel('Product Name *');
      await name.waitFor();
      const data = { name: 'Oak lamp', sku: 'S-0', price: String(Date.now()) };
      await put(page, `${productsPath}/${lampId}`, data);
      await name.fill('x'.repeat(80));
      await page.getByRole('button', { name: 'Update Product' }).click();
      await page.getByRole('table', { name: 'Both values' }).waitFor();
    },
  },
  {
    name: 'scanner, sync refused',
    path: '/scanner?q=lamp',
    async reach(page) {
      const current = { title: 'Oak lamp', storeUrl: 'https://example.com/admin/products/1' };
      const message = 'Already in the store with the same SKU.';
      await page.route(
        `**${productsPath}/*/sync-shopify`,
        (route) => route.fulfill({ status: 409, json: { code: 'in_store', message, current } }),
        { times: 1 },
      );
      await page.getByRole('button', { name: 'Sync', exact: true }).click();
      await page.getByRole('button', { name: 'Create Another' }).waitFor();
    },
  },
  {
    name: 'scanner, scan view',
    path: '/scanner',
    async reach(page) {
      await page.getByRole('button', { name: 'Scan', exact: true }).waitFor();
      await typeAsScanner(page, 'VA-1234');
      await page.getByRole('heading', { name: 'Create New Product' }).waitFor();
      await allowCamera(page);
      await page.getByRole('button', { name: 'Scan a code' }).click();
      const view = dialog(page, 'Scan a code');
      await sees(view, 'Hold the code in the frame.');
      await view.getByRole('button', { name: 'Type It In' }).click();
      await view.getByRole('button', { name: 'Use Again: VA-1234' }).waitFor();
    },
  },
  {
    name: 'scanner, many codes',
    path: '/scanner',
    async reach(page) {
      await page.getByRole('button', { name: 'Scan Many' }).click();
      const view = dialog(page, 'Scan many codes');
      await sees(view, 'The camera is blocked');
      for (const code of ['036000291452', 'x'.repeat(80), 'x'.repeat(80)]) await typeAsScanner(page, code);
      await view.getByLabel('Name of 036000291452').fill('Ceramic vase');
      await view.getByLabel('Price of 036000291452').fill('9.90');
      await view.getByRole('button', { name: 'Save All (1)' }).waitFor();
      await sees(view, /Scanned 2 times/);
    },
  },
  {
    name: 'scanner, camera refused',
    path: '/scanner?new',
    async reach(page) {
      await page.getByRole('button', { name: 'Take Photo' }).click();
      await sees(dialog(page, 'Capture Product Photo'), 'The camera is blocked');
    },
  },
  { name: 'scanner, camera', path: '/scanner?new', reach: openCamera },
  {
    name: 'scanner, photos chosen',
    path: '/scanner?new',
    async reach(page) {
      await page.getByRole('button', { name: 'Upload Photo' }).click();
      const files = ['image/jpeg', 'text/html'].map((mimeType, at) => ({
        name: `${'long-name-'.repeat(8)}${at}`,
        mimeType,
        buffer: Buffer.from('x'),
      }));
      await dialog(page, 'Upload photos').getByLabel('Photos', { exact: true }).setInputFiles(files);
      await sees(page, 'Use a JPEG, PNG, WebP or GIF picture.');
    },
  },
];

/** Products of the scanner's library. */
async function makeProducts({ call }: ApiClient): Promise<void> {
  const names = ['Oak lamp', 'x'.repeat(80)];
  for (const [at, name] of names.entries()) {
    const dimensions = { length: 10, width: 5, height: 3, unit: 'in' };
    const body = {
      ...(at === 0 && { id: lampId }),
      name,
      sku: `S-${at}`,
      price: '24.99',
      dimensions,
      weight: { value: 2, unit: 'lb' },
      photos: [],
    };
    await call('POST', productsPath, { body });
  }
}

const proposal = (id: number, row: number, set: object) => ({
  ...{ id, row, title: 'x'.repeat(80), field: 'description', before: 'A blue vase of glass.', changed: true },
  ...{ value: 'A tall vase of glass, 白色台灯罩.', source: 'AI', sourceName: 'ai', attribution: null },
  ...{ group: null, reason: 'Rewritten.', evidence: 'A vase of glass' },
  ...set,
});
const ofBrand = { field: 'vendor', before: null, value: 'y'.repeat(80), source: 'UPCitemdb' };

/** A reply with proposals, which no call of the api can make. */
const proposed = {
  proposals: [
    proposal(1, 1, {}),
    proposal(2, 2, { ...ofBrand, sourceName: 'upcitemdb', reason: 'other-product' }),
    proposal(3, 3, { before: 'Red', value: 'Green' }),
  ],
  total: 3,
  counts: [
    { field: 'description', source: 'ai', label: 'AI', count: 2 },
    { field: 'vendor', source: 'upcitemdb', label: 'UPCitemdb', count: 1 },
  ],
  groups: [{ key: 'z'.repeat(80), field: 'type', source: 'rule', reason: 'By a rule.', count: 63 }],
  newest: 3,
};

/** A plan with decisions. */
const planned = {
  ...{ state: 'ready', endedAt: '2026-01-01T09:12:00.000Z', startedAt: '2026-01-01T09:12:00.000Z' },
  sums: [
    { outcome: 'created', code: null, products: 940 },
    { outcome: 'skipped', code: 'drifted', products: 64 },
  ],
  outdated: { rows: false, settings: true, store: false, editedRows: 14 },
  needDecision: 63,
  decided: 1,
  decidedSince: 1,
  decisions: [
    {
      ...{ about: 'drifted', open: 63 },
      choices: [
        { choice: 'keep-store', allowed: 63, decided: 1 },
        { choice: 'use-ours', allowed: 63, decided: 0 },
        { choice: 'skip', allowed: 62, decided: 0 },
      ],
    },
  ],
};
const plannedProduct = {
  ...{ product: 1, title: 'x'.repeat(80), sku: 'y'.repeat(40), outcome: 'skipped', code: 'drifted' },
  ...{ parts: ['title'], moreChanges: 5 },
  changes: [
    { part: 'variants', name: 'price', store: '68.99', push: '59.90' },
    { part: 'title', name: '', store: 'z'.repeat(80), push: 'x'.repeat(80) },
    { part: 'description', name: '', store: null, push: null },
  ],
  message: 'Changed in the store since the last push (title); left unchanged.',
  ...{ storeUrl: 'https://example.com/admin/products/1', edited: true, otherwise: null },
  ...{ about: 'drifted', choices: ['keep-store', 'use-ours', 'skip'], choice: null, plannedChoice: null },
};
const plannedProducts = {
  products: [plannedProduct, { ...plannedProduct, product: 2, title: 'Lamp', choice: 'keep-store' }],
  next: 2,
};

async function openPlan(page: Page): Promise<void> {
  await page.route('**/api/queue/*/plan', async (route) => {
    if (route.request().method() !== 'GET') return route.fallback();
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), ...planned } });
  });
  await page.route('**/api/queue/*/plan/products?*', (route) => route.fulfill({ json: plannedProducts }));
  await page.reload();
  await page.getByRole('link', { name: 'Download Plan (CSV)' }).waitFor();
}

const proposalsPanel = (page: Page) => page.getByRole('region', { name: /^Proposals/ });

async function openProposals(page: Page): Promise<void> {
  await page.route('**/api/queue/*/proposals?*', (route) => route.fulfill({ json: proposed }));
  await page.route('**/api/queue/*?rows=0*', async (route) => {
    const response = await route.fetch();
    const reply = await response.json();
    await route.fulfill({ response, json: { ...reply, job: { ...reply.job, proposals: 3 } } });
  });
  await page.reload();
  await page.getByRole('button', { name: '3 Proposals' }).click();
  await proposalsPanel(page).getByRole('checkbox', { name: 'Select the description of row 1' }).waitFor();
}

const importStates: State[] = [
  { name: 'job, report', path: '/queue/:completed?report=:completed', reach: (page) => sees(page, 'Causes') },
  {
    name: 'job, undo of its push',
    path: '/queue/:completed?undo=push',
    reach: (page) => sees(dialog(page, /^Undo push/), /Compared with the store/),
  },
  {
    name: 'job, proposals',
    path: '/queue/:queued',
    async reach(page) {
      await openProposals(page);
      const panel = proposalsPanel(page);
      await panel.getByRole('checkbox', { name: 'Select the description of row 1' }).click();
      await panel.getByRole('button', { name: 'Change the brand of row 2 before accepting it' }).click();
    },
  },
  {
    name: 'job, proposals of a group',
    path: '/queue/:queued',
    async reach(page) {
      await openProposals(page);
      await proposalsPanel(page)
        .getByRole('button', { name: /^Show: / })
        .click();
      await page.getByRole('button', { name: /^Remove the filter z/ }).waitFor();
    },
  },
  { name: 'job, planned', path: '/queue/:ready?details=in-store', reach: openPlan },
  {
    name: 'job, decisions of a plan',
    path: '/queue/:ready?details=in-store',
    async reach(page) {
      await openPlan(page);
      await page.getByRole('button', { name: /need your decision/ }).click();
      await page.getByRole('button', { name: /^Use Ours: x/ }).waitFor();
    },
  },
  {
    name: 'job, row edited',
    path: '/queue/:queued?class=all',
    async reach(page) {
      await page.getByRole('button', { name: 'Edit row 2' }).click();
      await page.getByLabel('Price of row 2').fill('ask');
    },
  },
  {
    name: 'job, all fields',
    path: '/queue/:queued?class=all',
    async reach(page) {
      if (isPhone(page)) await page.getByRole('button', { name: 'Edit row 2' }).click();
      await page.getByRole('button', { name: /edit all fields of row 2$/i }).click();
      await page.getByRole('dialog').getByLabel('Price').first().fill('12');
    },
  },
  {
    name: 'job, history',
    path: '/queue/:ready?class=all',
    async reach(page) {
      await makeEdits(page);
      await chooseOnPage(page, 'History of Changes');
      await sees(dialog(page, 'History'), 'Undone: An API call');
    },
  },
  {
    name: 'job, history of a row',
    path: '/queue/:ready?class=all',
    async reach(page) {
      await makeEdits(page);
      await page.locator('[data-row="2"] [data-opens^="dialog "]').first().click();
      await page.getByRole('button', { name: 'Show History' }).click();
      await page.getByRole('button', { name: 'Back to this: Price 8' }).first().click();
    },
  },
  {
    name: 'job, dry run',
    path: '/queue/:ready',
    async reach(page) {
      if (isPhone(page)) await chooseOnPage(page, 'Dry Run');
      else await page.getByRole('button', { name: 'Dry Run' }).click();
      await page.getByRole('dialog').getByText('Lamp').first().waitFor();
    },
  },
  {
    name: 'job, details',
    path: '/queue/:queued?details=field-mapping',
    async reach(page) {
      await page.getByRole('button', { name: 'Change how this file is read' }).waitFor();
    },
  },
  {
    name: 'job, mapping',
    path: '/queue/:queued?details=field-mapping',
    async reach(page) {
      await page.getByRole('button', { name: 'Change Mapping…' }).click();
      const editor = dialog(page, 'Field Mapping');
      await editor.getByLabel('Column for Price').first().waitFor();
      await editor.getByLabel('Column for Brand: no column').click();
      await editor.getByRole('button', { name: 'Undo' }).waitFor();
    },
  },
  {
    name: 'job, file format',
    path: '/queue/:ready?details=field-mapping',
    async reach(page) {
      await page.getByRole('button', { name: 'Change how this file is read' }).click();
      await dialog(page, 'File format').getByLabel('Separator').first().click();
      await page.getByRole('option', { name: 'Semicolon' }).click();
      await sees(dialog(page, 'File format'), 'First 2 rows');
    },
  },
];

/** Edits row 2 of the import whose page is open twice, and undoes one of the edits. */
async function makeEdits(page: Page): Promise<void> {
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  await editRow(page, id, 2, { price: '7.50' });
  const { command } = await (await editRow(page, id, 2, { price: '8' })).json();
  await post(page, `/api/queue/${id}/edits/${command}/undo`);
}

/** Every screen and state. Add a line to the tables for a new one. */
export const states = [...untouched, ...screens, ...scannerStates, ...importStates];

const mixed = ['Lamp,5,Oak,036000291453', 'Vase,call,Oak,', ',7,Oak,', 'Bowl,9.50,,', ',,,x'];

/** Makes products of the scanner, and an import in each status that stays; returns the imports' ids by name. */
export async function makeImports(apiUrl: string): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  const api = browserOf(apiUrl);
  await api.login(accessKey);
  await makeProducts(api);
  const reach = (id: string, status: string) =>
    until(`${id} is ${status}`, async () => {
      const job = (await api.call('GET', `/api/jobs/${id}?rows=0`)).body as { status: string };
      return job.status === status;
    });
  const make = async (name: string, rows: readonly string[], status = 'queued') => {
    const content = `Title,Price,Brand,UPC\n${rows.join('\n')}\n`;
    const { id } = (await api.upload(csvForm(content, { filename: `${name}.csv` }))).body as { id: string };
    ids[name] = id;
    await reach(id, status);
    return id;
  };
  /** Makes an import that ends in the status of its name after an action. */
  const end = async (name: string, rows: readonly string[], action: 'push' | 'cancel') => {
    const id = await make(name, rows);
    await api.call('POST', `/api/queue/${id}/${action}`);
    await reach(id, name);
  };
  await Promise.all([
    make('queued', mixed),
    make('ready', ['Lamp,6,Oak,', 'Vase,7,Oak,'], 'processed'),
    end('completed', ['Stool,5,Oak,', 'Bench,,Oak,'], 'push'),
    end('failed', ['Table,,Oak,', 'Chair,ask,Oak,'], 'push'),
    end('cancelled', ['Rug,,Oak,'], 'cancel'),
  ]);
  return ids;
}
