import { beginExpiredRemovals } from '@draftshelf/core/operate/remove-old';
import { expect } from 'vitest';
import { isLong } from '../../support/queue-backend.ts';
import { violationsOf } from '../page-checks.ts';
import { chooseOnPage, expectNoSidewaysScroll, queueRow, sees, signInAt, toast, upload } from '../steps.ts';
import { test } from '../test.ts';

const content = 'Title,Price,SKU\nBrass lamp,24.90,LL-1\nGlass vase,9,LL-2\n';

test('an import is deleted from its page, after a question about the store', ({ browser, product }) =>
  browser.visit({}, async (page) => {
    const id = await upload(product, 'deleted.csv', content);
    await signInAt(page, `/queue/${id}`);
    await chooseOnPage(page, 'Delete Import');
    const asked = page.getByRole('alertdialog', { name: 'Delete this import?' });
    await sees(asked, /^The rows, edits and report of deleted.csv are deleted now/);
    await sees(asked, 'You can upload the file again.');
    expect(await violationsOf(page)).toEqual([]);
    await asked.getByRole('button', { name: 'Keep Import' }).click();
    await asked.waitFor({ state: 'detached' });
    await chooseOnPage(page, 'Delete Import');
    await asked.getByRole('button', { name: 'Delete Import' }).click();
    await toast(page, 'Deleting the import');
    await page.waitForURL('**/queue');
    await queueRow(page, 'deleted.csv').waitFor({ state: 'detached' });
  }));

test.runIf(isLong)(
  'the page of an import without rows says since when, and reads them again',
  ({ browser, product }) =>
    browser.visit({ viewport: { width: 390, height: 844 }, touch: true }, async (page) => {
      const id = await upload(product, 'retired.csv', content);
      const { pool } = product.database;
      await pool.query(
        `with changed as (update imports set status = 'completed' where id = $1)
       update runs set completed_at = now() - interval '1 year' where import_id = $1 and stage = 'parse'`,
        [id],
      );
      await beginExpiredRemovals(product.database, { keepRowsDays: 30, keepFilesDays: null });
      await pool.query(`update chunks set not_before = null, deferred_at = null where task = 'retire-rows'`);
      await signInAt(page, `/queue/${id}`);
      await sees(page, /^The rows were removed on .* to save space\./);
      expect(await violationsOf(page)).toEqual([]);
      await expectNoSidewaysScroll(page);
      await page.getByRole('button', { name: 'Read Again' }).click();
      await sees(page, 'Brass lamp');
    }),
);

test('what is kept for how long is set in Settings', ({ browser }) =>
  browser.visit({}, async (page) => {
    await signInAt(page, '/settings?tab=debug');
    const section = page.getByRole('region', { name: 'Disk space' });
    const rows = section.getByRole('combobox', { name: 'Rows' });
    const show = section.getByRole('button', { name: 'Show Disk space' });
    await show.click();
    await rows.waitFor();
    expect(await rows.inputValue()).toBe('Never removed');
    expect(await section.getByRole('combobox').count()).toBe(2);
    await rows.click();
    const saved = page.waitForResponse((reply) => reply.url().endsWith('/api/preferences'));
    await page.getByRole('option', { name: '90 days' }).click();
    expect((await saved).status()).toBe(200);
    await page.reload();
    await show.click();
    await rows.waitFor();
    expect(await rows.inputValue()).toBe('90 days');
    expect(await violationsOf(page)).toEqual([]);
  }));
