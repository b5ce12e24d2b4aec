import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, expect } from 'vitest';
import { until } from '../../support/fixture.ts';
import { startGraph, type TestGraph } from '../../support/graph.ts';
import { storeToken } from '../../support/stack.ts';
import { waitMsMax } from '../browser.ts';
import { api, browser, stack, testOnOwnStack, workers } from '../own-stack.ts';
import { queueRow, sees, signInAt, toast } from '../steps.ts';

// Watched folders with a real folder worker: a folder of the server, and a simulated OneDrive.

let graph: TestGraph;
afterAll(() => graph?.close());
const test = testOnOwnStack(async () => {
  graph = await startGraph();
  const credentialsKey = randomBytes(32).toString('hex');
  return { names: [...workers, 'folder-worker'], credentialsKey, env: graph.env };
});
test.beforeAll(async () => {
  const store = { storeUrl: stack.store.url, accessToken: storeToken };
  const path = '/api/connections/shopify/credentials';
  expect((await api.call('PUT', path, { body: store })).body).toMatchObject({ success: true });
});

const tab = '/settings?tab=onedrive';
const content = (title: string) => `Title,Price,SKU\n${title},9.90,${title}\n`;
const local = (page: Page) => page.getByRole('region', { name: 'Local folder', exact: true });
const saveSettings = (page: Page) => page.getByRole('button', { name: 'Save Settings' }).click();

/** Waits until a look is accepted, then until the file was read. Files need not be still for as long as usual. */
async function lookUntilTaken(source: 'local' | 'onedrive', name: string): Promise<void> {
  const look = async () => (await api.call('POST', `/api/folders/${source}/look`)).status;
  await expect.poll(look, { timeout: waitMsMax, interval: 500 }).toBe(202);
  await until(`${name} is taken`, async () => {
    await stack.database.pool.query(`update watched_files set not_before = null where state = 'settling'`);
    const taken = `select 1 from watched_files where name = $1 and state = 'taken'`;
    return (await stack.database.pool.query(taken, [name])).rows.length > 0;
  });
}

test('a file dropped into the folder waits in manual, and becomes drafts by itself in full auto', () =>
  browser.visit({}, async (page) => {
    await signInAt(page, tab);
    await sees(local(page), `Turn on file monitoring to watch ${stack.watchFolder}.`);
    await sees(page, 'Watches the local folder, if there is one, and OneDrive once it is connected.');
    await page.getByRole('switch', { name: 'Enable file monitoring' }).click();
    await saveSettings(page);
    await toast(page, 'Settings Updated');
    await local(page).getByText('Watching', { exact: true }).waitFor();
    await sees(local(page), /^Checked at /);
    await sees(page.getByRole('region', { name: 'Status' }), 'OneDrive Pending');

    await writeFile(join(stack.watchFolder, 'by-hand.csv'), content('Lamp'));
    await lookUntilTaken('local', 'by-hand.csv');
    const files = page.getByRole('region', { name: 'Files of the local folder' });
    await sees(files, 'Imported.');
    await files.getByRole('link', { name: 'by-hand.csv' }).click();
    await page.getByRole('heading', { name: 'by-hand.csv', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Details', exact: true }).click();
    await sees(page, join(stack.watchFolder, 'by-hand.csv'));
    await page.goto('/queue');
    await sees(queueRow(page, 'by-hand.csv'), 'Queued');
    await queueRow(page, 'by-hand.csv').getByText('Folder', { exact: true }).waitFor();

    await api.call('POST', '/api/preferences', { body: { autoPushDelayMinutes: 0 } });
    expect((await api.call('POST', '/api/settings', { body: { autoProcessMode: 'full-auto' } })).status).toBe(
      200,
    );
    await stack.process('push-worker').stop();
    await writeFile(join(stack.watchFolder, 'by-itself.csv'), content('Vase'));
    await lookUntilTaken('local', 'by-itself.csv');
    const waits = 'No push worker is running. Once one runs, full auto decides.';
    await sees(queueRow(page, 'by-itself.csv'), waits);
    await queueRow(page, 'by-itself.csv').getByRole('link', { name: 'by-itself.csv' }).click();
    await sees(page.getByRole('main'), waits);
    await page.goto('/queue');
    await stack.start('push-worker');
    await sees(queueRow(page, 'by-itself.csv'), '1 uploaded to Shopify');
    await sees(queueRow(page, 'by-hand.csv'), 'Queued');
    const products = await stack.store.products();
    expect(products.map(({ title, status }) => [title, status])).toEqual([['Vase', 'DRAFT']]);
  }));

// secrets.test.ts signs in to OneDrive in both ways, and tests/faults/drive-storm.test.ts takes its files.
test('OneDrive is connected with a code, its files arrive, and an ended sign-in says so', () =>
  browser.visit({}, async (page) => {
    await api.call('POST', '/api/settings', { body: { autoProcessMode: 'manual', oneDriveEnabled: true } });
    await graph.change([{ path: '/SCD CSV Processing', folder: true }]);
    await signInAt(page, tab);
    await page.getByRole('button', { name: 'Configure' }).click();
    const panel = page.getByRole('region', { name: 'Configure OneDrive' });
    await panel.getByRole('button', { name: 'Get Code' }).click();
    await sees(panel, 'Enter this code at Microsoft:');
    const { body } = await api.call('GET', '/api/folders/onedrive/sign-in');
    const { userCode } = (body as { signIn: { userCode: string } }).signIn;
    await panel.getByText(userCode, { exact: true }).waitFor();
    await page.reload();
    await panel.getByText(userCode, { exact: true }).waitFor();
    expect(await graph.answer(userCode, true)).toBe(true);
    await sees(panel.getByRole('status'), /^Signed in as .+\.$/);

    await page.getByPlaceholder('/SCD CSV Processing').fill('/SCD CSV Processing');
    await saveSettings(page);
    await toast(page, 'Settings Updated');
    await page.getByRole('main').getByText('Connected', { exact: true }).waitFor();
    await expect
      .poll(() => page.getByRole('region', { name: 'Status' }).textContent(), { timeout: waitMsMax })
      .toContain('OneDrive Connected');

    await graph.change([{ path: '/SCD CSV Processing/prices.csv', text: content('Stool') }]);
    await lookUntilTaken('onedrive', 'prices.csv');
    await sees(page.getByRole('region', { name: 'Files of OneDrive' }), 'Imported.');
    await page.goto('/queue');
    await queueRow(page, 'prices.csv').getByText('OneDrive', { exact: true }).waitFor();

    await graph.account({ revoke: 'all' });
    const look = async () => (await api.call('POST', '/api/folders/onedrive/look')).status;
    await expect.poll(look, { timeout: waitMsMax, interval: 500 }).toBe(202);
    await page.goto(tab);
    await page.getByRole('main').getByText('Sign In Again', { exact: true }).first().waitFor();
    await page.getByRole('main').getByRole('button', { name: 'Sign In Again' }).click();
    await panel.getByRole('button', { name: 'Disconnect' }).click();
    const question = page.getByRole('alertdialog', { name: 'Disconnect OneDrive?' });
    await question.getByRole('button', { name: 'Disconnect' }).click();
    await sees(page, 'Nothing in OneDrive is watched until it is connected.');
  }));
