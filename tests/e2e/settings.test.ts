import { randomBytes } from 'node:crypto';
import { requestTask } from '@draftshelf/core/work/background-tasks';
import type { Page } from 'playwright-core';
import { afterAll, expect } from 'vitest';
import { demoShop } from '../../apps/simulators/store/src/demo-shop.ts';
import { accessToken, startStore, type TestStore } from '../store/start-store.ts';
import { startAi, type TestAi } from '../support/ai.ts';
import { productCsv, storedImport } from '../support/fixture.ts';
import { isLong } from '../support/queue-backend.ts';
import { storeToken } from '../support/stack.ts';
import { waitMsMax } from './browser.ts';
import { api, browser, stack, testOnOwnStack, workers } from './own-stack.ts';
import { violationsOf } from './page-checks.ts';
import {
  expectNoSidewaysScroll,
  goTo,
  holdPost,
  openSession,
  post,
  requestsOf,
  sees,
  seesOptions,
  signInAt,
  tabNames,
  toast,
} from './steps.ts';

let narrow: TestStore;
let ai: TestAi;
afterAll(async () => {
  await narrow?.stop();
  await ai?.close();
});
const test = testOnOwnStack(async () => {
  ai = await startAi();
  narrow = await startStore({ shop: { ...demoShop(), scopes: ['write_products'] } });
  return {
    names: [...workers, 'folder-worker'],
    env: { FETCH_ALLOW: ai.env.FETCH_ALLOW ?? '' },
    credentialsKey: randomBytes(32).toString('hex'),
  };
});

const shopify = (page: Page) => page.getByRole('region', { name: 'Shopify', exact: true });
const status = (page: Page) => page.getByRole('region', { name: 'Status' });

async function openTab(page: Page, tab: string): Promise<void> {
  await goTo(page, 'Settings');
  await page.getByRole('tab', { name: tab }).click();
}

const eventually = { timeout: waitMsMax };

/** Asserts which switches the shown tab has, and which are on. */
async function expectSwitches(page: Page, expected: Record<string, boolean>): Promise<void> {
  for (const [name, isOn] of Object.entries(expected)) {
    expect(await page.getByRole('switch', { name }).isChecked(), name).toBe(isOn);
  }
  expect(await page.getByRole('switch').count()).toBe(Object.keys(expected).length);
}

const flip = (page: Page, label: string) => page.getByRole('switch', { name: label }).click();

async function enter(page: Page, storeUrl: string, token: string): Promise<void> {
  await shopify(page).getByLabel('Store address').fill(storeUrl);
  await shopify(page).getByRole('textbox', { name: 'Access token' }).fill(token);
  await shopify(page).getByRole('button', { name: 'Test and Save' }).click();
}

test.runIf(isLong)(
  'a store is connected: wrong token and missing scope are told apart, then it works at once',
  () =>
    browser.visit({ expectedConsole: [/status of 400 .*\/credentials/] }, async (page) => {
      await signInAt(page, '/settings?tab=connections');
      await sees(shopify(page), 'No store set up');
      await sees(status(page), 'Disconnected');
      const oneDrive = page.getByRole('region', { name: 'OneDrive' });
      const upcServices = page.getByRole('region', { name: 'UPC services' });
      await sees(oneDrive, 'Automatic file detection');
      await sees(upcServices, /^0 services active$/);
      const badges = ['Disconnected', 'Setup Required', 'Disconnected'];
      for (const [at, service] of [shopify(page), oneDrive, upcServices].entries()) {
        await service.getByText(badges[at] ?? '', { exact: true }).waitFor();
        await service.getByRole('button', { name: 'Configure', exact: true }).waitFor();
      }
      await oneDrive.getByRole('button', { name: 'Configure' }).click();
      await page.getByRole('tab', { name: 'OneDrive', selected: true }).waitFor();
      await openTab(page, 'Connections');
      const calls = requestsOf(page);
      await shopify(page).getByRole('button', { name: 'Configure' }).click();
      await sees(await toast(page, 'Connection Test'), 'Connection test completed successfully');
      await expect
        .poll(() => calls.filter((one) => one.includes('/connections')), eventually)
        .toEqual(['POST /api/connections/test/shopify', 'GET /api/connections']);
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
      await toast(page, 'Store connected');
      await status(page).getByText('Connected', { exact: true }).waitFor();
      await sees(shopify(page), 'with an access token, saved');
      await shopify(page).getByText(new URL(stack.store.url).host, { exact: true }).waitFor();
      await shopify(page).getByText('Connected', { exact: true }).waitFor();
      expect(await shopify(page).getByRole('textbox', { name: 'Access token' }).inputValue()).toBe('');
      await shopify(page).getByRole('button', { name: 'Test', exact: true }).click();
      await sees(shopify(page), /Connected to Draftshelf Demo Store\. Tested in \d+ ms/);
      // The navigation of phones has no entry for it.
      const link = shopify(page).getByRole('link', { name: 'Open Shopify Integration' });
      expect(await link.getAttribute('href')).toBe('/shopify');
    }),
);

test('settings of all tabs are saved together, on request, and are guarded until then', () =>
  browser.visit({}, async (page) => {
    await openSession(page);
    const posts: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/api/settings')) {
        posts.push(request.postData() ?? '');
      }
    });
    await page.goto('/settings');
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    expect(await tabNames(page)).toEqual(['General', 'OneDrive', 'Connections', 'CSV Processing', 'Debug']);
    await sees(page, 'Protected');
    await expectSwitches(page, {
      'Safe Mode (Draft Only)': true,
      'AI Validation & Enhancement': true,
      'UPC Image Lookup': true,
      'Auto-retry Failed Items': false,
    });
    expect(await page.getByLabel('Batch Size').first().inputValue()).toBe('25');
    await flip(page, 'Safe Mode (Draft Only)');
    await sees(page, 'Live Upload');
    await sees(page, 'Products whose status is Active go live on push.');
    await page.getByLabel('Batch Size').first().click();
    await seesOptions(page, '10', '25', '50', '100');
    await page.getByRole('option', { name: '10', exact: true }).click();

    await page.getByRole('tab', { name: 'OneDrive' }).click();
    await sees(page, 'Setup Required');
    await sees(page, 'Nothing in OneDrive is watched until it is connected.');
    await page.getByRole('button', { name: 'Configure' }).waitFor();
    await expectSwitches(page, {
      'Enable file monitoring': false,
      'Delete after processing': false,
      'Move to archive': false,
      'Notify on completion': false,
    });
    await flip(page, 'Enable file monitoring');
    await page.getByPlaceholder('/SCD CSV Processing').fill('/Suppliers');
    const frequency = page.getByLabel('Watch frequency').first();
    expect(await frequency.inputValue()).toBe('Every 30 minutes');
    await frequency.click();
    await seesOptions(
      page,
      'Every 5 minutes',
      'Every 15 minutes',
      'Every 30 minutes',
      'Every hour',
      'Every 2 hours',
      'Every 6 hours',
      'Every 12 hours',
      'Every 24 hours',
    );
    await page.getByRole('option', { name: 'Every 2 hours' }).click();
    const mode = page.getByLabel('Auto-processing mode').first();
    expect(await mode.inputValue()).toBe('Manual');
    await mode.click();
    await seesOptions(page, 'Manual', 'Validate only', 'Full auto');
    await page.getByRole('option', { name: 'Validate only' }).click();
    for (const label of ['Delete after processing', 'Move to archive', 'Notify on completion']) {
      await flip(page, label);
    }
    await sees(page, 'Unsaved changes');
    expect(posts).toEqual([]);

    await goTo(page, 'Processing Queue');
    const question = page.getByRole('alertdialog', { name: 'Discard unsaved changes?' });
    await question.getByRole('button', { name: 'Keep Editing' }).click();
    const release = await holdPost(page, '/api/settings');
    await page.getByRole('button', { name: 'Save Settings' }).click();
    expect(await page.getByRole('button', { name: 'Saving...' }).isDisabled()).toBe(true);
    release();
    await sees(await toast(page, 'Settings Updated'), 'Your settings have been saved successfully');
    await page.getByRole('button', { name: 'Save Settings' }).waitFor();
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

test.runIf(isLong)('a save over somebody else’s change shows both and overwrites nothing', () =>
  browser.visit({ expectedConsole: [/status of (409|503) .*\/api\/settings/] }, async (page) => {
    await api.call('POST', '/api/settings', { body: { batchSize: 25, draftMode: true } });
    await signInAt(page, '/settings');
    await sees(page, 'Protected');
    await flip(page, 'Auto-retry Failed Items');
    await api.call('POST', '/api/settings', { body: { batchSize: 100 } });
    const save = page.getByRole('button', { name: 'Save Settings' });
    const busy = { status: 503, json: { message: 'The database is busy.' } };
    (await holdPost(page, '/api/settings', busy))();
    await save.click();
    await sees(await toast(page, 'Update Failed'), '503: The database is busy.');
    await save.click();
    const said = await toast(page, 'Update Failed');
    await sees(said, '409: Somebody else has changed the settings. Nothing was saved.');
    expect(await said.getAttribute('data-tone')).toBe('failure');
    const both = page.getByRole('table', { name: 'Both values' });
    await both.getByRole('row', { name: 'Batch Size 25 100' }).waitFor();
    await both.getByRole('row', { name: 'Auto-retry Failed Items On Off' }).waitFor();
    expect((await api.call('GET', '/api/settings')).body).toMatchObject({ batchSize: 100, autoRetry: false });
    await page.getByRole('button', { name: 'Use Theirs' }).click();
    await both.waitFor({ state: 'detached' });
    await expect.poll(() => page.getByLabel('Batch Size').first().inputValue()).toBe('100');
    await flip(page, 'Auto-retry Failed Items');
    await save.click();
    await toast(page, 'Settings Updated');
    expect((await api.call('GET', '/api/settings')).body).toMatchObject({ batchSize: 100, autoRetry: true });
  }),
);

test.runIf(isLong)('CSV Processing explains the matching, and a header can be tried', () =>
  browser.visit({}, async (page) => {
    await signInAt(page, '/settings?tab=csv');
    await sees(page, 'Fuzzy header matching with a 70%+ similarity threshold');
    await sees(page, '120+ field variations');
    await sees(page, 'Levenshtein scoring');
    for (const label of ['Title', 'Price', 'UPC', 'Quantity']) {
      const aliases = page.getByRole('region', { name: `Headers for ${label}`, exact: true });
      await expect.poll(() => aliases.getByRole('listitem').count()).toBeGreaterThan(3);
    }
    await page.getByLabel('Try a header').fill('Prodct Titel');
    await sees(page, /^Title, \d+ % sure/);
    await page.getByLabel('Try a header').fill('Zzyzx');
    await sees(page, /^No field\./);
    await page.getByRole('region', { name: 'Remembered mappings' }).waitFor();
  }),
);

test.runIf(isLong)('Debug shows true states, on demand', () =>
  browser.visit({ viewport: { width: 390, height: 844 } }, async (page) => {
    await openSession(page);
    await post(page, '/api/settings', { batchSize: 10 });
    const calls: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/api/')) calls.push(pathname);
    });
    const called = (path: string) => calls.filter((one) => one === path).length;
    await stack.database.pool.query(
      `insert into backups (directory, bytes, checked_at, check_result) values ('/b', 1200000000, now(), $1)`,
      [{ tables: 71, rows: 4_120_331, objects: 12, seconds: 41, differences: [], count: 0, problem: null }],
    );
    await page.goto('/settings?tab=debug');
    for (const line of ['Database Connected', 'Object Storage Active', 'Session Store Operational']) {
      await page.getByText(line, { exact: true }).waitFor();
    }
    await page.getByText(/^Backed up .* \(1\.2 GB, 1 kept\)\.$/).waitFor();
    await page
      .getByText(/^Restored and compared .*: 71 tables, 4,120,331 rows, 12 files, 0 differences, 41 s\.$/)
      .waitFor();
    expect(called('/api/system/info') + called('/api/system/debug')).toBe(0);
    await page.getByRole('button', { name: 'Refresh System Info' }).click();
    const processes = page.getByRole('table', { name: 'Processes' });
    for (const kind of ['api', 'parse-worker', 'enrich-worker', 'push-worker', 'folder-worker']) {
      await processes.getByRole('row', { name: new RegExp(`^${kind} .*Running`) }).waitFor();
    }
    expect(called('/api/system/info')).toBe(1);
    const events = page.getByRole('table', { name: 'Security events' });
    await events
      .getByRole('row', { name: /^Signed in .* 127\.0\.0\.1/ })
      .first()
      .waitFor();
    await events
      .getByRole('row', { name: /^Settings changed .* Batch Size: 10/ })
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Generate Debug Report' }).click();
    const report = page.getByRole('textbox', { name: 'Debug report' });
    expect(JSON.parse(await report.inputValue())).toMatchObject({ info: { database: { ok: true } } });
    expect(await report.getAttribute('readonly')).not.toBeNull();
    await expectNoSidewaysScroll(page);
    const before = called('/api/settings');
    await page.getByRole('button', { name: 'Clear Cache' }).click();
    await sees(page, /^Cache cleared\. \d+ queries reloaded\.$/);
    expect(called('/api/settings')).toBe(before + 1);

    const everywhere = page.getByRole('button', { name: 'Sign Out Everywhere' });
    // By key: the list of events above it may get a line, and move it, while a mouse is pressed.
    await everywhere.press('Enter');
    const question = page.getByRole('alertdialog', { name: 'Sign out everywhere?' });
    await question.getByRole('button', { name: 'Stay Signed In' }).click();
    expect((await page.request.get('/api/settings')).status()).toBe(200);
    await everywhere.click();
    await question.getByRole('button', { name: 'Sign Out Everywhere' }).click();
    await page.getByLabel('Access Key').waitFor();
    expect((await page.request.get('/api/settings')).status()).toBe(401);
  }),
);

test.runIf(isLong)('background tasks are listed, and a failed one is retried or given up', () =>
  browser.visit({ viewport: { width: 390, height: 844 } }, async (page) => {
    const { pool } = stack.database;
    const fail = (kind: string, error: string) =>
      pool.query(
        `insert into chunks (kind, task, subject, sequence, state, error) values ('task', $1, '', -1, 'done', $2)
         on conflict (task, subject) where subject is not null
         do update set error = excluded.error, state = 'done', not_before = null`,
        [kind, error],
      );
    await fail('remove-old', 'boom');
    await fail('remove-left-overs', 'bang');
    await requestTask(stack.database.db, 'summarize-folders', '', 5_000);
    await signInAt(page, '/settings?tab=debug');
    await page.getByRole('button', { name: 'Show Background work' }).click();
    const table = page.getByRole('table', { name: 'Background work by kind' });
    await sees(
      table.getByRole('row', { name: 'Adding files of folders to the activity' }),
      'Every 5 seconds',
    );
    const failed = (cause: string) => page.getByRole('region', { name: cause });
    await sees(failed('boom'), '1 task · Removing what was kept long enough');
    await failed('boom').getByRole('button', { name: 'Retry' }).click();
    await failed('bang').getByRole('button', { name: 'Give Up' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Give Up' }).click();
    await expect.poll(() => failed('boom').or(failed('bang')).count(), eventually).toBe(0);
    await expectNoSidewaysScroll(page);
    expect(await violationsOf(page)).toEqual([]);
  }),
);

test.runIf(isLong)('failed work is retried or given up, after a question that says what that means', () =>
  browser.visit({ viewport: { width: 390, height: 844 } }, async (page) => {
    const { pool } = stack.database;
    const ids = ['retried.csv', 'given-up.csv'].map(async (filename) => {
      const set = { status: 'failed', failed_in: 'parse', open_chunks: 0 } as const;
      const { id } = await storedImport(stack, { csv: productCsv(2), filename, set });
      await pool.query(
        `update chunks set state = 'dead', attempts = 5, error = 'boom' where import_id = $1`,
        [id],
      );
      return id;
    });
    const [retried, givenUp] = await Promise.all(ids);
    const statusOf = async (id: string | undefined) =>
      (await pool.query('select status from imports where id = $1', [id])).rows[0]?.status;
    await signInAt(page, '/settings?tab=debug');
    const dead = (name: string) => page.getByRole('article', { name: `Failed work of ${name}` });
    await sees(dead('given-up.csv'), 'It failed 5 times because of an internal error.');
    await dead('given-up.csv').getByRole('button', { name: 'Show Error' }).click();
    await sees(dead('given-up.csv'), 'boom');
    await expectNoSidewaysScroll(page);
    await dead('given-up.csv').getByRole('button', { name: 'Give up given-up.csv' }).click();
    const question = page.getByRole('alertdialog', { name: 'Give up given-up.csv?' });
    await sees(question, /^Imports with failed parts are cancelled for good/);
    await question.getByRole('button', { name: 'Give Up' }).click();
    await dead('given-up.csv').waitFor({ state: 'detached' });
    // The list shows it before the server answers.
    await expect.poll(() => statusOf(givenUp)).toBe('cancelled');
    await dead('retried.csv').getByRole('button', { name: 'Retry retried.csv' }).click();
    await dead('retried.csv').waitFor({ state: 'detached' });
    await expect.poll(() => statusOf(retried)).toMatch(/^(queued|processed)$/);
    expect(await violationsOf(page)).toEqual([]);
  }),
);

test.runIf(isLong)(
  'an AI service is set up among the connections, tested before it is saved, and says what leaves the machine',
  () =>
    browser.visit({}, async (page) => {
      await ai.behave({ keys: ['a-good-key'] });
      await signInAt(page, '/settings?tab=connections');
      const card = page.getByRole('region', { name: 'AI service' });
      await sees(card, 'No AI service is set up, so nothing is sent anywhere.');
      await card.getByRole('button', { name: 'Show Settings' }).press('Enter');
      await sees(card, 'Draftshelf sends the title');
      const enter = (label: string, value: string) => card.getByLabel(label, { exact: true }).fill(value);
      const save = async (name: string) => card.getByRole('button', { name, exact: true }).press('Enter');
      await enter('Address', 'http://ai.example/v1');
      await enter('Model', 'strict');
      await save('Test and Save');
      await sees(card.getByRole('alert'), 'The address must begin with https://.');
      await enter('Address', ai.url);
      await enter('Key', 'a-bad-key');
      await save('Test and Save');
      await sees(card.getByRole('alert'), 'The AI service refused the key.');
      await enter('Key', 'a-good-key');
      await save('Test and Save');
      await sees(await toast(page, 'AI service saved'), 'answers with the model strict.');
      await sees(card, `Proposals come from the model strict at ${new URL(ai.url).host}.`);
      expect(await card.getByLabel('Key', { exact: true }).inputValue()).toBe('');

      await enter('Cost for an import', '2');
      await save('Save Limits and Style');
      await sees(card, 'Enter both prices, so that costs can be calculated.');
      await enter('Price of 1M input tokens', '0.5');
      await enter('Price of 1M output tokens', '2');
      await enter('Tokens for an import', '0');
      await save('Save Limits and Style');
      await sees(card, 'Enter a number from 1 to 1,000,000,000.');
      await enter('Tokens for an import', '250000');
      await enter('Style of descriptions', 'Short and plain');
      await save('Save Limits and Style');
      await toast(page, 'Limits and style saved');
      expect(await (await page.request.get('/api/ai')).json()).toMatchObject({
        ...{ configured: true, keySaved: true, tone: 'Short and plain' },
        prices: { in: 0.5, out: 2, currency: 'USD' },
        limits: { importCost: 2, importTokens: 250_000, requestsPerMinute: 30 },
      });
      await sees(card, /^Last 24 hours: 2 requests · \d+ tokens/);
      await save('Remove Key');
      await toast(page, 'Key removed');
      await save('Test');
      await sees(card.getByRole('alert'), 'The AI service refused the key.');
      await page.setViewportSize({ width: 390, height: 844 });
      await expectNoSidewaysScroll(page);
    }),
);
