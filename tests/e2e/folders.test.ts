import type { Locator, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { keepFolderWorker, saveSignIn, writeFile, writeSource } from '../support/folder-rows.ts';
import { waitMsMax } from './browser.ts';
import { violationsOf } from './page-checks.ts';
import { expectNoSidewaysScroll, sees, signIn, toast } from './steps.ts';
import { test } from './test.ts';

// The screens of watched folders, with rows as the folder worker writes them.

const tab = '/settings?tab=onedrive';
const minutes = (count: number) => new Date(Date.now() + count * 60_000);
const looked = { state: 'ok', account: 'ada@example.com', looked_at: minutes(-1), next_look_at: minutes(29) };
const noTrouble = { trouble: null, trouble_kind: null, trouble_cause: null, blocked_until: null };
/** The time of the next try, which real trouble always has. */
const nextTry = { blocked_until: minutes(12) };
const watching = { oneDriveEnabled: true, oneDriveFolder: '/In' };

test.beforeEach(async ({ product }) => {
  const { pool } = product.database;
  await pool.query('truncate watched_files, watch_sources, sign_ins, settings cascade');
  await pool.query(`delete from credentials where service like 'onedrive%'`);
  await pool.query(`delete from processes where kind = 'folder-worker'`);
});

async function save(page: Page, settings: object): Promise<void> {
  expect((await page.request.post('/api/settings', { data: settings })).status()).toBe(200);
}

/** Waits until an element has the focus. */
const hasFocus = (element: Locator) =>
  expect
    .poll(() => element.evaluate((one) => one === document.activeElement), { timeout: waitMsMax })
    .toBe(true);

const oneDriveInSidebar = (page: Page) => page.getByRole('region', { name: 'Status' });

test('OneDrive is connected, then each trouble has its sentence and one way out', ({ browser, product }) =>
  browser.visit({ expectedConsole: [/status of 429/] }, async (page) => {
    await signIn(page);
    await sees(oneDriveInSidebar(page), 'OneDrive Pending');
    await page.goto(tab);
    await sees(page, 'Setup Required');
    await sees(page, 'Nothing is watched until OneDrive is connected.');
    expect(await page.getByRole('button', { name: 'Look Now' }).count()).toBe(0);

    const stopWorker = await keepFolderWorker(product);
    onTestFinished(stopWorker);
    await saveSignIn(product);
    await save(page, watching);
    await writeSource(product, 'onedrive', { ...looked, can_write: true });
    await sees(page, /^Looked at .+\. Looks again at .+\.$/);
    await sees(page, 'ada@example.com · /In');
    await page.getByText('Connected', { exact: true }).first().waitFor();
    await expect
      .poll(() => oneDriveInSidebar(page).textContent(), { timeout: waitMsMax })
      .toContain('OneDrive Connected');

    const lookNow = page.getByRole('button', { name: 'Look Now' });
    await writeSource(product, 'onedrive', { ...looked, asked_at: new Date() });
    await lookNow.click();
    await sees(await toast(page, 'Couldn’t Look Now'), /Try again in 10 seconds/);
    await writeSource(product, 'onedrive', { ...looked, asked_at: null });
    await lookNow.click();
    await sees(page, 'Looking now.');
    expect(await lookNow.getAttribute('aria-disabled')).toBe('true');

    const ended = 'The sign-in has ended. Sign in again; files that arrived meanwhile are taken then.';
    await writeSource(product, 'onedrive', {
      ...looked,
      ...nextTry,
      state: 'trouble',
      trouble: ended,
      trouble_kind: 'sign in',
      trouble_cause: 'invalid_grant',
    });
    await page.getByText(ended, { exact: true }).waitFor();
    await expect
      .poll(() => oneDriveInSidebar(page).textContent(), { timeout: waitMsMax })
      .toContain('OneDrive Pending');
    await page.getByRole('button', { name: 'Show Details' }).click();
    await sees(page, 'invalid_grant');
    const signInAgain = page.getByRole('button', { name: 'Sign In Again' });
    await signInAgain.click();
    await hasFocus(page.getByRole('region', { name: 'Configure OneDrive' }));
    expect(await signInAgain.count()).toBe(1);

    const missing = 'The folder /In isn’t in this OneDrive.';
    const notFound = { state: 'trouble', trouble: missing, trouble_kind: 'not found', trouble_cause: null };
    await writeSource(product, 'onedrive', { ...looked, ...nextTry, ...notFound });
    await sees(page, /^The folder \/In isn’t in this OneDrive\. Tries again at .+\.$/);
    await lookNow.waitFor();

    const wait = 'Microsoft asks to wait. Nothing is lost.';
    const throttled = { state: 'waiting', trouble: wait, trouble_kind: 'throttled', trouble_cause: null };
    await writeSource(product, 'onedrive', { ...looked, ...nextTry, ...throttled });
    await sees(page, /^Microsoft asks to wait\. Nothing is lost\. Tries again at .+\.$/);
    expect(await lookNow.count()).toBe(0);

    await writeSource(product, 'onedrive', { ...looked, ...noTrouble });
    await stopWorker();
    await sees(page, 'No folder worker is running.');
    await save(page, { oneDriveEnabled: false });
    await sees(page, 'Turn on file monitoring to watch /In.');
  }));

test('files show what became of them, can be taken, and one question is about those that were there', ({
  browser,
  product,
}) =>
  browser.visit({ viewport: { width: 390, height: 844 }, touch: true, colorScheme: 'dark' }, async (page) => {
    await signIn(page);
    const source = await writeSource(product, 'local', { place: { path: '/data/watched' }, ...looked });
    await writeFile(product, source, { name: 'prices.csv', state: 'taken', option: 'archived' });
    await writeFile(product, source, {
      name: 'book.xlsx',
      state: 'refused',
      reason: 'This is an Excel workbook.',
    });
    await writeFile(product, source, { name: `${'long-name-'.repeat(12)}.csv`, state: 'same' });
    for (const name of ['old-1.csv', 'old-2.csv'])
      await writeFile(product, source, { name, state: 'ignored' });
    await page.goto(tab);
    const local = page.getByRole('region', { name: 'Local Folder', exact: true });
    await sees(local, 'Turn on file monitoring to watch /data/watched.');
    await sees(local, 'Imported. Moved to Archive.');
    await sees(local, 'This is an Excel workbook.');
    await sees(local, '2 files were already there.');
    await expectNoSidewaysScroll(page);
    expect(await violationsOf(page)).toEqual([]);
    await local.getByRole('button', { name: 'Take It Anyway: long-name' }).click();
    await sees(local, 'Next.');
    await local.getByRole('button', { name: 'Leave Them' }).click();
    await local.getByText('2 files were already there.').waitFor({ state: 'detached' });
    await hasFocus(local.getByRole('status').first());
    await sees(local, 'Was there before.');
    await local.getByRole('button', { name: 'Try Again: book.xlsx' }).waitFor();
    await page.getByRole('main').getByText('Setup Required', { exact: true }).waitFor();
  }));

test('a code is shown large, survives a reload, gets the focus, can be cancelled, and its result is announced', ({
  browser,
  product,
}) =>
  browser.visit({ expectedConsole: [/status of 409/] }, async (page) => {
    await signIn(page);
    await page.goto(tab);
    await page.getByRole('button', { name: 'Configure' }).click();
    const panel = page.getByRole('region', { name: 'Configure OneDrive' });
    await panel.getByRole('button', { name: 'Get Code' }).click();
    await sees(panel.getByRole('alert'), 'the server has no key to seal the sign-in with');
    await panel.getByText('App registration', { exact: true }).click();
    await panel.getByRole('button', { name: 'Connect' }).click();
    await sees(panel, 'Enter the client secret.');

    const { pool } = product.database;
    const { rows } = await pool.query<{ id: string }>(
      `insert into sign_ins (way, state, user_code, verification_url, expires_at, claim, claimed_until)
       values ('code', 'code', 'ABCD-1234', 'https://microsoft.com/devicelogin', now() + interval '14.5 minutes', 1,
         now() + interval '1 hour') returning id`,
    );
    await page.reload();
    const code = panel.getByText('ABCD-1234', { exact: true });
    await hasFocus(code);
    expect(await panel.getByRole('link').getAttribute('href')).toBe('https://microsoft.com/devicelogin');
    await sees(panel, 'Valid for another 15 minutes.');
    await sees(panel, 'Microsoft will ask you to allow: Read files.');
    await panel.getByRole('button', { name: 'Copy' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.reload();
    await code.waitFor();
    await pool.query(
      `update sign_ins set state = 'done', user_code = null, message = 'Signed in as ada@example.com.' where id = $1`,
      [rows[0]?.id],
    );
    await saveSignIn(product);
    await writeSource(product, 'onedrive', looked);
    await sees(panel.getByRole('status'), 'Signed in as ada@example.com.');

    await panel.getByRole('button', { name: 'Disconnect' }).click();
    const question = page.getByRole('alertdialog', { name: 'Disconnect OneDrive?' });
    await sees(question, 'Files are no longer taken. Imports stay.');
    await question.getByRole('button', { name: 'Disconnect' }).click();
    await sees(page, 'Nothing is watched until OneDrive is connected.');
    await expect.poll(() => panel.getByText('Signed in as').count(), { timeout: waitMsMax }).toBe(0);
    await expect
      .poll(() => panel.evaluate((one) => one.contains(document.activeElement)), { timeout: waitMsMax })
      .toBe(true);

    await pool.query(
      `insert into sign_ins (way, state, user_code, claim, claimed_until)
       values ('code', 'code', 'WXYZ-5678', 1, now() + interval '1 hour')`,
    );
    await page.reload();
    await panel.getByText('WXYZ-5678').waitFor();
    await panel.getByRole('button', { name: 'Cancel' }).press('Enter');
    await sees(panel.getByRole('status'), 'The sign-in was cancelled.');
  }));

test('an app registration that fails keeps its fields, except the secret', ({ browser, product }) =>
  browser.visit({}, async (page) => {
    await signIn(page);
    await page.goto(tab);
    await page.getByRole('button', { name: 'Configure' }).click();
    const panel = page.getByRole('region', { name: 'Configure OneDrive' });
    await panel.getByText('App registration', { exact: true }).click();
    await panel.getByText('SharePoint site', { exact: true }).click();
    await panel.getByRole('button', { name: 'Connect' }).click();
    await sees(panel, 'Enter the address of the site.');
    const fields = {
      'Directory (tenant) ID': 'tenant',
      'Application (client) ID': 'client',
      'Client secret': 'wrong',
      'Address of the site': 'https://example.sharepoint.com/sites/prices',
    };
    for (const [label, value] of Object.entries(fields))
      await panel.getByLabel(label, { exact: true }).fill(value);

    const { pool } = product.database;
    const { rows } = await pool.query<{ id: string }>(
      `insert into sign_ins (way, state, claim, claimed_until)
       values ('app', 'asked', 1, now() + interval '1 hour') returning id`,
    );
    // The server of this test has no key, so it would refuse to seal the secret.
    await page.route('**/api/folders/onedrive/sign-in', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 202, json: rows[0] }) : route.continue(),
    );
    await panel.getByRole('button', { name: 'Connect' }).click();
    await sees(panel.getByRole('status'), 'Trying the app registration.');
    expect(await panel.getByRole('button', { name: 'Connect' }).count()).toBe(0);
    await pool.query(`update sign_ins set state = 'failed', message = 'The secret is wrong.' where id = $1`, [
      rows[0]?.id,
    ]);
    await sees(panel.getByRole('status'), 'The secret is wrong.');
    for (const [label, value] of Object.entries({ ...fields, 'Client secret': '' }))
      expect(await panel.getByLabel(label, { exact: true }).inputValue()).toBe(value);
  }));

test('full auto is confirmed once when it is saved', ({ browser }) =>
  browser.visit({}, async (page) => {
    await signIn(page);
    await page.goto(tab);
    await page.getByLabel('Auto-processing mode').first().click();
    await page.getByRole('option', { name: 'Full auto' }).click();
    await sees(page, 'and 10 minutes after the file was read. You can stop it until then.');
    const question = page.getByRole('alertdialog', { name: 'Push new files by themselves?' });
    const saveButton = page.getByRole('button', { name: 'Save Settings' });
    await saveButton.click();
    await sees(question, 'Full auto pushes new files without a review, as drafts.');
    await sees(question, 'Products that the store has already are skipped or updated');
    await question.getByRole('button', { name: 'Keep Editing' }).click();
    await sees(page, 'Unsaved changes');
    await saveButton.click();
    await question.getByRole('button', { name: 'Use Full Auto' }).click();
    await toast(page, 'Settings Updated');
    await page.getByRole('switch', { name: 'Notify on completion' }).click();
    await saveButton.click();
    await page.getByText('Unsaved changes').waitFor({ state: 'detached' });
    expect(await question.count()).toBe(0);
  }));

test('imports say where they came from, on Queue, Job, History and activity', ({ browser, product }) =>
  browser.visit({}, async (page) => {
    await signIn(page);
    const { pool } = product.database;
    const insert = `
      insert into imports (filename, file_bytes, sha256, object_key, status, test_mode, enable_upc, enable_ai,
        open_chunks, total_rows, total_products, product_numbers, source, source_path, completed_at)
      values ($1, 10, 'digest', $1, $2, false, false, false, 0, 1, 1, 1, $3, $4, now()) returning id`;
    const { rows } = await pool.query<{ id: string }>(insert, [
      'taken.csv',
      'queued',
      'onedrive',
      '/In/taken.csv',
    ]);
    await pool.query(insert, ['done.csv', 'completed', 'local', '/data/watched/done.csv']);
    await page.goto('/queue');
    const row = page.getByRole('row').filter({ hasText: 'taken.csv' });
    await row.getByText('OneDrive', { exact: true }).waitFor();
    await page.goto('/history');
    await page
      .getByRole('row')
      .filter({ hasText: 'done.csv' })
      .getByText('Folder', { exact: true })
      .waitFor();
    await page.goto(`/queue/${rows[0]?.id}`);
    await sees(page, '/In/taken.csv');
    await page.getByText('Taken', { exact: true }).waitFor();
    expect(await page.getByText('Uploaded', { exact: true }).count()).toBe(0);
  }));
