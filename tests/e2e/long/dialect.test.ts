import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { choose, closeDetails, openDetails, sees, seesClasses, signInAt, toast } from '../steps.ts';
import { test } from '../test.ts';

const content = ['Price list', 'Title;Price;Colour', 'Lamp, blue;10.50;blue', 'Vase, red;20.50;red', ''].join(
  '\n',
);

/** Picks an option of a dialect field. */
async function pick(page: Page, field: string, option: string | RegExp): Promise<void> {
  await fieldOf(page, field).click();
  await page.getByRole('option', { name: option }).click();
}

/** Unfolds the fields of the dialect on Upload CSV. */
const unfold = (page: Page) => page.getByRole('button', { name: 'Change File Format' }).click();

function fieldOf(page: Page, field: string): Locator {
  return page.getByRole('group', { name: 'File format' }).getByLabel(field).first();
}

/** Holds what the page asks its workers until the returned function is called. */
async function holdWorkers(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    const { postMessage } = Worker.prototype;
    const held: (() => void)[] = [];
    Worker.prototype.postMessage = function (this: Worker, message: unknown) {
      held.push(() => postMessage.call(this, message));
    };
    window.addEventListener('release-workers', () => {
      Worker.prototype.postMessage = postMessage;
      for (const send of held) send();
    });
  });
  return () =>
    page.evaluate(() => {
      window.dispatchEvent(new Event('release-workers'));
    });
}

test('overrides of the dialect are used in the preview, in the upload, and in a re-read', ({ browser }) =>
  browser.visit({}, async (page) => {
    await signInAt(page, '/upload');
    await choose(page, { name: 'semicolons.csv', content });
    const preview = page.getByRole('region', { name: 'CSV preview' });
    await sees(preview, '2 valid');
    await sees(preview, 'UTF-8 · semicolon-separated · header in row 2');
    await sees(preview, 'Detected automatically.');
    await unfold(page);

    const release = await holdWorkers(page);
    await pick(page, 'Separator', 'Comma ,');
    await sees(preview, 'You changed: separator.');
    // Another separator detects the header again. A pick before that is kept, even of the row that is still shown.
    await pick(page, 'Header row', /^Row 2/);
    await sees(preview, 'You changed: separator and header row.');
    await release();
    await sees(preview, '0 valid');
    await sees(preview.getByRole('table'), 'Title;Price;Colour');
    const uploadNone = page.getByRole('button', { name: 'Upload 0 Products' });
    expect(await uploadNone.getAttribute('aria-disabled')).toBe('true');
    await page.getByRole('button', { name: 'Process All' }).click();
    await toast(page, 'CSV Processing Complete!');
    await page.getByRole('link', { name: 'Review' }).click();
    await page.getByRole('button', { name: 'Field Mapping', exact: true }).click();
    const mapping = page.getByRole('region', { name: /^Field Mapping/ });
    await sees(mapping, 'UTF-8 · comma-separated · header in row 2');
    await seesClasses(page, '2 errors');
    await closeDetails(page);
    await page.getByRole('button', { name: 'Edit row 2' }).click();
    await page.getByLabel('Title of row 2').fill('Red Vase');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Edit row 2' }).waitFor();
    await openDetails(page);

    await mapping.getByRole('button', { name: 'Change how this file is read' }).click();
    const dialog = page.getByRole('dialog', { name: 'File format' });
    await sees(dialog, 'The stored file is read again with these settings.');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
    await mapping.getByRole('button', { name: 'Change how this file is read' }).click();
    expect(await dialog.getByRole('button', { name: 'Re-read File' }).isDisabled()).toBe(true);
    await pick(page, 'Separator', 'Semicolon ;');
    await dialog.getByRole('button', { name: 'Re-read File' }).click();
    await dialog.waitFor({ state: 'detached' });
    await sees(mapping, 'UTF-8 · semicolon-separated · header in row 2');
    await seesClasses(page, '2 valid');
    const change = mapping.getByRole('button', { name: 'Change how this file is read' });
    // It was disabled while the file was read; keyboard focus must stay on it.
    expect(await change.evaluate((button) => button === button.ownerDocument.activeElement)).toBe(true);
    // Review has opened the rows that needed the operator; none does any more.
    await page.getByRole('button', { name: /^All\s*2$/ }).click();
    const rows = page.getByRole('table', { name: 'Product rows' }).getByRole('row');
    await sees(rows.nth(1), 'Lamp, blue');
    await sees(rows.nth(2), 'Red Vase');
  }));

test('Show All shows the existing rows when another dialect gives fewer rows', ({ browser }) =>
  browser.visit({}, async (page) => {
    await signInAt(page, '/upload');
    const lamps = Array.from({ length: 300 }, (_, at) => `Lamp ${at},1`);
    const lines = ['Title,Price', "'Long,2", ...lamps, "lamp',3", 'Vase,4'];
    await choose(page, { name: 'fewer.csv', content: `${lines.join('\n')}\n` });
    const preview = page.getByRole('region', { name: 'CSV preview' });
    await preview.getByRole('button', { name: 'Show All' }).click();
    await preview.getByRole('button', { name: 'Next page' }).click();
    await sees(preview, 'Rows 201–303 of 303');
    await unfold(page);
    await pick(page, 'Quotes', 'Single quotes');
    await sees(preview, 'Rows 1–2 of 2');
    await sees(preview.getByRole('table'), 'Vase');
    await preview.getByRole('button', { name: 'Show Less' }).click();
    await preview.getByRole('button', { name: 'Show All' }).waitFor();
  }));
