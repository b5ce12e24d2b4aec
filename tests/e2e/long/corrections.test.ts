import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { isLong } from '../../support/queue-backend.ts';
import { changedDownload } from '../../support/spreadsheets.ts';
import { violationsOf } from '../page-checks.ts';
import {
  choose,
  chooseOnPage,
  expectNoSidewaysScroll,
  goToAddress,
  holdReplies,
  openSession,
  sees,
  uploadAndOpen,
} from '../steps.ts';
import { test } from '../test.ts';

const list = 'Title,Price,Note\nLamp,1.90,a\nVase,ask,b\nBowl,3.90,c\n';

test.for([{ width: 1440, height: 900 }, ...(isLong ? [{ width: 390, height: 844 }] : [])])(
  'corrections come back through the import and through Upload CSV, at $width px',
  (viewport, { browser }) =>
    browser.visit({ viewport }, async (page) => {
      await openSession(page);
      const name = `march-${viewport.width}.csv`;
      await uploadAndOpen(page, { name, content: list.replace('Lamp', `Lamp ${viewport.width}`) });
      await chooseOnPage(page, 'Correct in a Spreadsheet…');
      const dialog = page.getByRole('dialog', { name: 'Correct in a spreadsheet' });
      const downloading = page.waitForEvent('download');
      await dialog.getByRole('link', { name: 'Download All Rows' }).click();
      const csv = await readFile(await (await downloading).path(), 'utf8');
      const fixed = changedDownload(csv, (row) =>
        row.Title === 'Vase' ? { ...row, Price: '2.90', Note: 'seen' } : { ...row, Price: '' },
      );
      const chooser = page.waitForEvent('filechooser');
      await dialog.getByRole('button', { name: 'Upload the Corrected File' }).click();
      const buffer = Buffer.from(fixed);
      await (await chooser).setFiles({ name: 'fixed.csv', mimeType: 'text/csv', buffer });
      await sees(dialog, 'This file changes 3 cells in 3 rows.');
      await sees(dialog, 'Ignored columns that products don’t use: ‘Note’.');
      const apply = dialog.getByRole('button', { name: 'Apply 3 Changes' });
      expect(await apply.isDisabled()).toBe(true);
      await dialog
        .getByRole('checkbox', { name: /^Price becomes empty in 2 of 3 rows\. Empty them\.$/ })
        .check();
      await expectNoSidewaysScroll(page);
      expect(await violationsOf(page)).toEqual([]);
      // The reply does not close what was opened since.
      const release = await holdReplies(page, '**/corrections/*/apply');
      await apply.click();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await chooseOnPage(page, 'Correct in a Spreadsheet…');
      await dialog.getByRole('link', { name: 'Download All Rows' }).waitFor();
      release();
      await sees(page.locator('[data-row="2"]'), '$2.90');
      await page.getByRole('button', { name: 'Undo', exact: true }).waitFor();
      expect(await dialog.count()).toBe(1);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });

      await goToAddress(page, '/upload');
      await choose(page, {
        name: 'fixed.csv',
        content: changedDownload(csv, (row) => ({ ...row, Price: '9' })),
      });
      const offer = page.getByRole('region', { name: 'Corrections' });
      await sees(offer, `This file has corrections of ${name}.`);
      await offer.getByRole('button', { name: `Apply Corrections to ${name}` }).click();
      // The prices were edited since the download.
      await sees(dialog, 'Edited here since the download, to another value.');
      await expectNoSidewaysScroll(page);
    }),
);
