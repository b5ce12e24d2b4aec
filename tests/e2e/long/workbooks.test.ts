import { type SheetContent, workbookFile } from '@draftshelf/workbooks/testing/workbook-file';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { choose, goTo, openDetails, sees, seesOptions, signInAt, toast } from '../steps.ts';
import { test } from '../test.ts';

const sheet = (name: string, titles: readonly string[], rest: Partial<SheetContent> = {}): SheetContent => ({
  name,
  rows: [
    ['Price list'],
    ['SKU', 'Title', 'Price'],
    ...titles.map((title, at) => [`${title}-1`, title, 10 + at]),
  ],
  ...rest,
});

const field = (page: Page, label: string) =>
  page.getByRole('group', { name: 'File format' }).getByLabel(label).first();

async function pick(page: Page, label: string, option: string): Promise<void> {
  await field(page, label).click();
  await page.getByRole('option', { name: option }).click();
}

test('a browser that cannot unpack files uploads a workbook without a preview', ({ browser }) =>
  browser.visit({}, async (page) => {
    await page.route('**/preview-worker*.js', async (route) => {
      const script = await (await route.fetch()).text();
      const body = `delete self.DecompressionStream;${script}`;
      await route.fulfill({ contentType: 'text/javascript', body });
    });
    await signInAt(page, '/upload');
    const bytes = await workbookFile({ sheets: [sheet('Preise', ['Lamp', 'Vase'])] });
    await choose(page, { name: 'plain.xlsx', content: Buffer.from(bytes), type: '' });
    await sees(page, 'This browser can’t preview workbooks. The upload works.');
    await sees(page, '1 file will be uploaded without a preview.');
    await page.getByRole('button', { name: 'Process All' }).click();
    await toast(page, 'CSV Processing Complete!');
    await page.getByRole('link', { name: 'Review' }).click();
    await sees(await openDetails(page), 'Sheet ‘Preise’');
  }));

test('a workbook is previewed and uploaded, and another of its sheets is chosen before and after', ({
  browser,
}) =>
  browser.visit({}, async (page) => {
    const lamps = Array.from({ length: 250 }, (_, at) => `Lamp ${at + 1}`);
    const bytes = await workbookFile({
      sheets: [
        sheet('Preise', lamps),
        sheet('Neu', ['Vase', 'Bowl']),
        { name: 'Notes', rows: [['Please read']] },
        sheet('Alt', ['Rug'], { state: 'hidden' }),
      ],
    });
    await signInAt(page, '/upload');
    await sees(page, 'Drop a product list here');
    await sees(page, 'CSV, Excel, ZIP or GZ');
    await choose(page, { name: 'prices.xlsx', content: Buffer.from(bytes), type: '' });
    const preview = page.getByRole('region', { name: 'CSV preview' });
    await sees(preview, 'Sheet ‘Preise’ · header in row 2');
    await sees(preview, '250 valid');
    await sees(preview, /^2 sheets look like product lists: Preise.*Neu.*One import reads one sheet\.$/);
    await preview.getByRole('button', { name: 'Show All' }).click();
    await preview.getByRole('button', { name: 'Next page' }).click();
    await sees(preview.getByRole('table').last(), 'Lamp 250');
    await page.getByRole('button', { name: 'Change File Format' }).click();
    await field(page, 'Sheet').waitFor();
    const labels = page.getByRole('group', { name: 'File format' }).locator('label');
    expect(await labels.allTextContents()).toEqual(['Sheet', 'Header row']);
    await pick(page, 'Sheet', 'Neu');
    await sees(preview, 'You chose this sheet.');
    await sees(preview, '2 valid');
    await page.getByRole('button', { name: 'Upload 2 Products' }).click();
    await toast(page, 'CSV Processing Complete!');
    await page.getByRole('link', { name: 'Review' }).click();
    await sees(await openDetails(page), 'Sheet ‘Neu’ · 3 other sheets');
    const rows = page.getByRole('table', { name: 'Product rows' }).getByRole('row');
    await sees(rows.nth(1), 'Vase');
    await page.getByRole('button', { name: 'Change how this file is read' }).click();
    const dialog = page.getByRole('dialog', { name: 'File format' });
    await field(page, 'Sheet').click();
    await seesOptions(page, 'Preise', 'Neu — 2 rowscurrent', 'Notes — no products', 'Alt (hidden)');
    await page.getByRole('option', { name: 'Alt (hidden)' }).click();
    await dialog.getByRole('button', { name: 'Re-read File' }).click();
    await dialog.waitFor({ state: 'detached' });
    await sees(page, 'Sheet ‘Alt’ · 3 other sheets');
    await sees(rows.nth(1), 'Rug');
    await page
      .getByRole('region', { name: 'Before you push' })
      .getByRole('button', { name: 'Restore Previous Reading' })
      .click();
    await sees(page, 'Sheet ‘Neu’ · 3 other sheets');
    await sees(rows.nth(1), 'Vase');
    await goTo(page, 'Processing Queue');
  }));
