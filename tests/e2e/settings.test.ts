import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { demoShop } from '../../apps/store-simulator/src/demo-shop.ts';
import { accessToken, startStore, type TestStore } from '../store/start-store.ts';
import { browserOf } from '../support/api.ts';
import { type Stack, startStack, storeToken } from '../support/stack.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { accessKey } from './product.ts';
import { choose, expectNoSidewaysScroll, goTo, queueRow, sees, signIn, toast } from './steps.ts';

let stack: Stack;
let narrow: TestStore;
let browser: TestBrowser;
let api: ReturnType<typeof browserOf>;
beforeAll(async () => {
  stack = await startStack({
    names: ['store-simulator', 'api', 'parse-worker', 'enrich-worker', 'push-worker'],
    credentialsKey: randomBytes(32).toString('hex'),
    webDir: inject('webDir'),
  });
  narrow = await startStore({ shop: { ...demoShop(), scopes: ['write_products'] } });
  browser = await openBrowser(stack.apiUrl);
  api = browserOf(stack.apiUrl);
  await api.login(accessKey);
});
afterAll(async () => {
  await browser?.close();
  await narrow?.stop();
  await stack?.close();
});

const shopify = (page: Page) => page.getByRole('region', { name: 'Shopify', exact: true });
const status = (page: Page) => page.getByRole('region', { name: 'Status' });

async function openTab(page: Page, tab: string): Promise<void> {
  await goTo(page, 'Settings');
  await page.getByRole('tab', { name: tab }).click();
}

const flip = (page: Page, label: string) => page.getByRole('switch', { name: label }).click();

async function enter(page: Page, storeUrl: string, token: string): Promise<void> {
  await shopify(page).getByLabel('Store address').fill(storeUrl);
  await shopify(page).getByRole('textbox', { name: 'Access token' }).fill(token);
  await shopify(page).getByRole('button', { name: 'Test and Save' }).click();
}

test('a store is connected: wrong token and missing scope are told apart, then it works at once', () =>
  browser.visit({ expectedConsole: [/status of 400 .*\/credentials/] }, async (page) => {
    await signIn(page);
    await openTab(page, 'Connections');
    await sees(shopify(page), 'No store set up');
    await sees(status(page), 'Disconnected');
    await sees(page.getByRole('region', { name: 'OneDrive' }), 'Automatic file detection');
    await sees(page.getByRole('region', { name: 'UPC services' }), /^\d services active$/);
    await shopify(page).getByRole('button', { name: 'Configure' }).click();
    await toast(page, 'Connection Test');
    await sees(shopify(page), 'No store is connected.');

    await shopify(page).getByRole('button', { name: 'Test and Save' }).click();
    await sees(shopify(page), 'Enter the access token.');
    await enter(page, stack.store.url, 'shpat_wrong');
    await sees(shopify(page).getByRole('alert'), 'The store doesn’t accept the access token.');
    await enter(page, narrow.url, accessToken);
    await sees(shopify(page).getByRole('alert'), /lacks the scopes read_locations, write_inventory/);
    await enter(page, 'https://example.com', accessToken);
    await sees(shopify(page).getByRole('alert'), 'That’s not the address of a Shopify store.');

    await enter(page, stack.store.url, storeToken);
    await toast(page, 'Store Connected');
    await status(page).getByText('Connected', { exact: true }).waitFor();
    await sees(shopify(page), 'with an access token, saved');
    expect(await shopify(page).getByRole('textbox', { name: 'Access token' }).inputValue()).toBe('');
    await shopify(page).getByRole('button', { name: 'Test', exact: true }).click();
    await sees(shopify(page), /Connected to Draftshelf Demo Store\. Tested in \d+ ms/);
  }));

test('settings of all tabs are saved together, on request, and are guarded until then', () =>
  browser.visit({}, async (page) => {
    await signIn(page);
    const posts: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/api/settings')) {
        posts.push(request.postData() ?? '');
      }
    });
    await goTo(page, 'Settings');
    await sees(page, 'Protected');
    await flip(page, 'Safe Mode (Draft Only)');
    await sees(page, 'Live Upload');
    await sees(page, 'Products go live on push if their status says so.');
    await page.getByLabel('Batch Size').first().click();
    expect(await page.getByRole('option').allTextContents()).toEqual(['10', '25', '50', '100']);
    await page.getByRole('option', { name: '10', exact: true }).click();

    await page.getByRole('tab', { name: 'OneDrive' }).click();
    await sees(page, 'Setup Required');
    await sees(page, 'Nothing is watched until OneDrive is connected.');
    await page.getByRole('button', { name: 'Configure' }).waitFor();
    await flip(page, 'Enable file monitoring');
    await page.getByPlaceholder('/SCD CSV Processing').fill('/Suppliers');
    await page.getByLabel('Watch frequency').first().click();
    expect(await page.getByRole('option').count()).toBe(8);
    await page.getByRole('option', { name: 'Every 2 hours' }).click();
    await page.getByLabel('Auto-processing mode').first().click();
    expect(await page.getByRole('option').allTextContents()).toEqual([
      'Manual',
      'Validate only',
      'Full auto',
    ]);
    await page.getByRole('option', { name: 'Validate only' }).click();
    for (const label of ['Delete after processing', 'Move to archive', 'Notify on completion']) {
      await flip(page, label);
    }
    await sees(page, 'Unsaved changes');
    expect(posts).toEqual([]);

    await goTo(page, 'Processing Queue');
    const question = page.getByRole('alertdialog', { name: 'Discard unsaved changes?' });
    await question.getByRole('button', { name: 'Keep Editing' }).click();
    await page.getByRole('button', { name: 'Save Settings' }).click();
    await toast(page, 'Settings Updated');
    await sees(page, 'Your settings have been saved successfully');
    expect(posts).toHaveLength(1);
    expect((await api.call('GET', '/api/settings')).body).toMatchObject({
      draftMode: false,
      batchSize: 10,
      oneDriveEnabled: true,
      oneDriveFolder: '/Suppliers',
      watchFrequency: '120',
      autoProcessMode: 'validate-only',
      deleteAfterProcess: true,
      moveToArchive: true,
      notifyOnCompletion: true,
    });
    await goTo(page, 'Processing Queue');
    await page.getByRole('heading', { name: 'Processing Queue', level: 1 }).waitFor();
  }));

test('a save over somebody else’s change shows both and overwrites nothing', () =>
  browser.visit({ expectedConsole: [/status of 409 .*\/api\/settings/] }, async (page) => {
    await api.call('POST', '/api/settings', { body: { batchSize: 25, draftMode: true } });
    await signIn(page);
    await goTo(page, 'Settings');
    await sees(page, 'Protected');
    await flip(page, 'Auto-retry Failed Items');
    await api.call('POST', '/api/settings', { body: { batchSize: 100 } });
    const save = page.getByRole('button', { name: 'Save Settings' });
    await save.click();
    await toast(page, 'Update Failed');
    const both = page.getByRole('table', { name: 'Both values' });
    await both.getByRole('row', { name: 'Batch Size 25 100' }).waitFor();
    await both.getByRole('row', { name: 'Auto-retry Failed Items On Off' }).waitFor();
    expect((await api.call('GET', '/api/settings')).body).toMatchObject({ batchSize: 100, autoRetry: false });
    await page.getByRole('button', { name: 'Use Theirs' }).click();
    await both.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Batch Size').first().inputValue()).toBe('100');
    await flip(page, 'Auto-retry Failed Items');
    await save.click();
    await toast(page, 'Settings Updated');
    expect((await api.call('GET', '/api/settings')).body).toMatchObject({ batchSize: 100, autoRetry: true });
  }));

test('a change of Safe Mode takes effect at the next push', () =>
  browser.visit({}, async (page) => {
    await api.call('POST', '/api/settings', { body: { draftMode: false, autoRetry: false } });
    await signIn(page);
    const push = async (name: string) => {
      await goTo(page, 'Upload CSV');
      await choose(page, { name: `${name}.csv`, content: `Title,Price,Status\n${name},9.90,active\n` });
      await page.getByRole('button', { name: 'Process All' }).click();
      await toast(page, 'CSV Processing Complete!');
      await goTo(page, 'Processing Queue');
      await queueRow(page, `${name}.csv`).getByRole('button', { name: 'Push to Shopify' }).click();
      await sees(queueRow(page, `${name}.csv`), '1 uploaded to Shopify');
      return (await stack.store.products()).find(({ title }) => title === name)?.status;
    };
    expect(await push('Live lamp')).toBe('ACTIVE');
    await goTo(page, 'Settings');
    await flip(page, 'Safe Mode (Draft Only)');
    await page.getByRole('button', { name: 'Save Settings' }).click();
    await toast(page, 'Settings Updated');
    expect(await push('Safe lamp')).toBe('DRAFT');
  }));

test('CSV Processing explains the matching, and a header can be tried', () =>
  browser.visit({}, async (page) => {
    await signIn(page);
    await openTab(page, 'CSV Processing');
    await sees(page, /70%\+ similarity threshold/);
    await sees(page, '120+ field variations');
    await sees(page, 'Levenshtein scoring');
    for (const label of ['Title', 'Price', 'UPC', 'Quantity']) {
      const aliases = page.getByRole('region', { name: `Headers for ${label}`, exact: true });
      expect(await aliases.getByRole('listitem').count()).toBeGreaterThan(3);
    }
    await page.getByLabel('Try a header').fill('Prodct Titel');
    await sees(page, /^Title, \d+ % sure/);
    await page.getByLabel('Try a header').fill('Zzyzx');
    await sees(page, /^No field\./);
    await page.getByRole('region', { name: 'Remembered Mappings' }).waitFor();
  }));

test('Debug shows true states, on demand', () =>
  browser.visit({ viewport: { width: 390, height: 844 } }, async (page) => {
    await page.request.post('/api/auth/login', { data: { accessKey } });
    const calls: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/api/')) calls.push(pathname);
    });
    const called = (path: string) => calls.filter((one) => one === path).length;
    await page.goto('/settings?tab=debug');
    for (const line of ['Database Connected', 'Object Storage Active', 'Session Store Operational']) {
      await page.getByText(line, { exact: true }).waitFor();
    }
    expect(called('/api/system/info') + called('/api/system/debug')).toBe(0);
    await page.getByRole('button', { name: 'Refresh System Info' }).click();
    const processes = page.getByRole('table', { name: 'Processes' });
    for (const kind of ['api', 'parse-worker', 'enrich-worker', 'push-worker']) {
      await processes.getByRole('row', { name: new RegExp(`^${kind} .*Running`) }).waitFor();
    }
    expect(called('/api/system/info')).toBe(1);
    await page.getByRole('button', { name: 'Generate Debug Report' }).click();
    const report = page.getByRole('textbox', { name: 'Debug report' });
    expect(JSON.parse(await report.inputValue())).toMatchObject({ info: { database: { ok: true } } });
    expect(await report.getAttribute('readonly')).not.toBeNull();
    await expectNoSidewaysScroll(page);
    const before = called('/api/settings');
    await page.getByRole('button', { name: 'Clear Cache' }).click();
    await sees(page, /^Cache cleared\. \d+ queries reloaded\.$/);
    expect(called('/api/settings')).toBe(before + 1);
  }));
