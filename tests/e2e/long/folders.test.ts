import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { keepFolderWorker, removeFolders, saveSignIn, writeSource } from '../../support/folder-rows.ts';
import { isLong } from '../../support/queue-backend.ts';
import { waitMsMax } from '../browser.ts';
import {
  hasFocus,
  holdPost,
  hurryPolls,
  openDetails,
  openSession,
  post,
  sees,
  signInAt,
  toast,
} from '../steps.ts';
import { test } from '../test.ts';

// The screens of watched folders, with rows as the folder worker writes them.

const tab = '/settings?tab=onedrive';
const minutes = (count: number) => new Date(Date.now() + count * 60_000);
const looked = { state: 'ok', account: 'ada@example.com', looked_at: minutes(-1), next_look_at: minutes(29) };
const noTrouble = { trouble: null, trouble_kind: null, trouble_cause: null, blocked_until: null };
/** The time of the next try, which real trouble always has. */
const nextTry = { blocked_until: minutes(12) };
const watching = { oneDriveEnabled: true, oneDriveFolder: '/In' };

test.beforeEach(({ product }) => removeFolders(product));

async function save(page: Page, settings: object): Promise<void> {
  await post(page, '/api/settings', settings);
}

const oneDriveInSidebar = (page: Page) => page.getByRole('region', { name: 'Status' });

test('OneDrive is connected, then trouble has its sentence and one way out', ({ browser, product }) =>
  browser.visit({ expectedConsole: [/status of 429/] }, async (page) => {
    await hurryPolls(page);
    await signInAt(page, tab);
    await sees(oneDriveInSidebar(page), 'OneDrive Pending');
    await sees(page, 'Setup Required');
    await sees(page, 'Nothing in OneDrive is watched until it is connected.');
    expect(await page.getByRole('button', { name: 'Check Now' }).count()).toBe(0);

    const stopWorker = await keepFolderWorker(product);
    onTestFinished(stopWorker);
    await saveSignIn(product);
    await save(page, watching);
    await writeSource(product, 'onedrive', { ...looked, can_write: true });
    await sees(page, /^Checked at .+\. Checks again at .+\.$/);
    await sees(page, 'ada@example.com · /In');
    await page.getByText('Connected', { exact: true }).first().waitFor();
    await expect
      .poll(() => oneDriveInSidebar(page).textContent(), { timeout: waitMsMax })
      .toContain('OneDrive Connected');

    const checkNow = page.getByRole('button', { name: 'Check Now' });
    await writeSource(product, 'onedrive', { ...looked, asked_at: new Date() });
    await checkNow.click();
    await sees(await toast(page, 'Couldn’t check now'), /Try again in 10 seconds/);
    await writeSource(product, 'onedrive', { ...looked, asked_at: null });
    await checkNow.click();
    await sees(page, 'Checking now.');
    expect(await checkNow.getAttribute('aria-disabled')).toBe('true');

    const ended = 'The sign-in has ended. Sign in again; files that arrived meanwhile are imported then.';
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

    const away = { trouble: 'OneDrive can’t be reached. It is tried again.', trouble_kind: 'network' };
    const unknown = { state: 'trouble', trouble_cause: null };
    await writeSource(product, 'onedrive', { ...looked, ...nextTry, ...unknown, ...away });
    await sees(page, /^OneDrive can’t be reached\. Tries again at .+\.$/);
    await page.getByRole('main').getByText('Can’t Check', { exact: true }).waitFor();
    await checkNow.waitFor();

    const wait = 'Microsoft asks to wait. Nothing is lost.';
    const throttled = { state: 'waiting', trouble: wait, trouble_kind: 'throttled', trouble_cause: null };
    await writeSource(product, 'onedrive', { ...looked, ...nextTry, ...throttled });
    await sees(page, /^Microsoft asks to wait\. Nothing is lost\. Tries again at .+\.$/);
    expect(await checkNow.count()).toBe(0);

    await writeSource(product, 'onedrive', { ...looked, ...noTrouble });
    await stopWorker();
    await sees(page, 'No folder worker is running.');
    await save(page, { oneDriveEnabled: false });
    await sees(page, 'Turn on file monitoring to watch /In.');
  }));

test.runIf(isLong)('full auto has its numbers, and is confirmed once when it is saved', ({ browser }) =>
  browser.visit({ expectedConsole: [/status of (409|503) .*\/(settings|preferences)/] }, async (page) => {
    await signInAt(page, tab);
    const wait = page.getByLabel('Wait before a push (minutes)');
    const largest = page.getByLabel('Largest import to push (products)');
    const choose = async (mode: string) => {
      await page.getByLabel('Auto-processing mode').first().click();
      await page.getByRole('option', { name: mode }).click();
    };
    await page.getByLabel('Auto-processing mode').first().waitFor();
    expect(await wait.count()).toBe(0);
    await choose('Full auto');
    await sees(
      page,
      'The push begins 10 minutes after the file was read and its look-ups ended. You can stop it until then.',
    );
    expect([await wait.inputValue(), await largest.inputValue()]).toEqual(['10', '1000']);
    await wait.fill('0');
    await sees(page, 'The push begins as soon as the file was read and its look-ups ended.');
    await wait.fill('1441');
    await sees(page, 'Enter a whole number from 0 to 1,440 minutes.');
    const question = page.getByRole('alertdialog', { name: 'Push new files by themselves?' });
    const saveButton = page.getByRole('button', { name: 'Save Settings' });
    await saveButton.click();
    const wrong = 'Wait before a push (minutes): Enter a whole number from 0 to 1,440 minutes.';
    await sees(await toast(page, 'Update Failed'), wrong);
    await hasFocus(wait);
    await page.getByRole('tab', { name: 'General' }).click();
    await saveButton.click();
    await hasFocus(wait);
    expect(await wait.getAttribute('aria-invalid')).toBe('true');
    expect(await question.count()).toBe(0);
    // Numbers that are not shown are no changes.
    await choose('Manual');
    await page.getByText('Unsaved changes').waitFor({ state: 'detached' });
    await choose('Full auto');

    await wait.fill('30');
    await largest.fill('2,500');
    await saveButton.click();
    await sees(question, 'Full auto pushes new files without a review, as drafts.');
    await sees(question, 'Products that the store has already are skipped, updated or created again');
    await question.getByRole('button', { name: 'Keep Editing' }).click();
    await sees(page, 'Unsaved changes');
    await saveButton.click();
    await question.getByRole('button', { name: 'Use Full Auto' }).click();
    await toast(page, 'Settings Updated');
    await sees(page, 'The push begins 30 minutes after the file was read and its look-ups ended.');
    const preferences = await (await page.request.get('/api/preferences')).json();
    expect(preferences).toMatchObject({ autoPushDelayMinutes: 30, autoPushMax: 2500 });
    await page.reload();
    await expect.poll(() => largest.inputValue(), { timeout: waitMsMax }).toBe('2500');

    // The numbers are saved after the settings: not over somebody else's change, and a failure says so.
    const saved = async () => (await page.request.get('/api/preferences')).json();
    await largest.fill('3000');
    await post(page, '/api/settings', { batchSize: 50 });
    await saveButton.click();
    await sees(await toast(page, 'Update Failed'), /Nothing was saved\.$/);
    expect(await saved()).toMatchObject({ autoPushMax: 2500 });
    (await holdPost(page, '/api/preferences', { status: 503, json: { message: 'Busy.' } }))();
    await page.getByRole('button', { name: 'Save Yours' }).click();
    await sees(
      await toast(page, 'Update Failed'),
      'The settings were saved, but not the numbers of full auto. 503: Busy.',
    );
    expect(await saved()).toMatchObject({ autoPushMax: 2500 });
    await saveButton.click();
    await toast(page, 'Settings Updated');
    expect(await saved()).toMatchObject({ autoPushMax: 3000 });
    await largest.fill('2500');
    await saveButton.click();
    await page.getByText('Unsaved changes').waitFor({ state: 'detached' });

    await largest.fill('1');
    await sees(page, 'Unsaved changes');
    await page.getByRole('button', { name: 'Discard' }).click();
    expect(await largest.inputValue()).toBe('2500');
    await page.getByRole('switch', { name: 'Notify on completion' }).click();
    await saveButton.click();
    await page.getByText('Unsaved changes').waitFor({ state: 'detached' });
    expect(await question.count()).toBe(0);
  }),
);

test('imports say where they came from, on Queue, Job, History and activity', ({ browser, product }) =>
  browser.visit({}, async (page) => {
    await openSession(page);
    const { pool } = product.database;
    const insert = `
      with listed as (
        insert into imports (filename, file_bytes, sha256, object_key, status, test_mode, enable_upc, enable_ai,
          source, source_path)
        values ($1, 10, 'digest', $1, $2, false, false, false, $3, $4) returning id)
      insert into runs (import_id, stage, run, total_rows, total_products, product_numbers, completed_at)
      select id, 'parse', 1, 1, 1, 1, now() from listed returning import_id as id`;
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
    await openDetails(page);
    await sees(page, '/In/taken.csv');
    await page.getByText('Imported', { exact: true }).first().waitFor();
    expect(await page.getByText('Uploaded', { exact: true }).count()).toBe(0);
  }));
