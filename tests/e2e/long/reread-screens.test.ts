import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { waitMsMax } from '../browser.ts';
import {
  chooseInMenu,
  chooseOnPage,
  goTo,
  openDetails,
  queueRow,
  sees,
  seesClasses,
  signIn,
  uploadAndOpen,
} from '../steps.ts';
import { test } from '../test.ts';

const rowsOf = (page: Page) => page.getByRole('table', { name: 'Product rows' }).getByRole('row');
const mappingOf = (page: Page) => page.getByRole('region', { name: /^Field Mapping/ });

async function editTitle(page: Page, row: number, title: string): Promise<void> {
  const close = page.getByRole('button', { name: 'Close Details' });
  if (await close.isVisible()) await close.click();
  await page.getByRole('button', { name: `Edit row ${row}` }).click();
  await page.getByLabel(`Title of row ${row}`).fill(title);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: `Edit row ${row}` }).waitFor();
}

/** Re-reads the file with another choice in one of the fields. */
async function reread(page: Page, field: string, option: string): Promise<void> {
  await openDetails(page);
  await mappingOf(page).getByRole('button', { name: 'Change how this file is read' }).click();
  const dialog = page.getByRole('dialog', { name: 'File format' });
  await dialog.getByLabel(field).first().click();
  await page.getByRole('option', { name: option, exact: true }).click();
  await dialog.getByRole('button', { name: 'Re-read File' }).click();
  await dialog.waitFor({ state: 'detached' });
}

test('edits without a row are reported, and apply again when their rows are back', ({ browser }) =>
  browser.visit({}, async (page) => {
    await signIn(page);
    const content = 'Title;Price\nLamp;10.50\nVase;20.50\nBowl;30.50\n';
    await uploadAndOpen(page, { name: 'edited.csv', content });
    await editTitle(page, 1, 'Blue Lamp');
    await reread(page, 'Header row', 'Row 2');
    await sees(
      mappingOf(page),
      '1 edit doesn’t match any row right now. It’s saved and will apply again if its row returns.',
    );
    // The rows are read again when the job shows a new run.
    await rowsOf(page).nth(3).waitFor({ state: 'detached' });
    expect(await rowsOf(page).count()).toBe(3);
    await reread(page, 'Header row', 'Row 1');
    await sees(rowsOf(page).nth(1), 'Blue Lamp');
    await editTitle(page, 2, 'Red Vase');
    expect(await (await openDetails(page)).getByText('match any row right now').count()).toBe(0);
    await reread(page, 'Header row', 'Row 3');
    await sees(
      mappingOf(page),
      '2 edits don’t match any row right now. They’re saved and will apply again if their rows return.',
    );
  }));

test('a re-read shows its progress, and a cancel restores the import', ({ browser, product }) =>
  browser.visit({ expectedConsole: [/status of 409/] }, async (page) => {
    await signIn(page);
    const content = 'Title;Price\nLamp;10.50\nVase;\nBowl;30.50\nDish;\n';
    await uploadAndOpen(page, { name: 'kept.csv', content });
    await editTitle(page, 1, 'Blue Lamp');
    const worker = product.process('parse-worker');
    worker.kill('SIGSTOP');
    try {
      await reread(page, 'Header row', 'Row 2');
      await sees(page, 'Re-reading the file');
      await sees(page, 'New settings: UTF-8 · semicolon-separated · header in row 2.');
      await sees(mappingOf(page), /^UTF-8 · semicolon-separated · header in row 1/);
      await sees(rowsOf(page).nth(1), 'Blue Lamp');
      expect(await rowsOf(page).count()).toBe(5);
      await chooseOnPage(page, 'Cancel Re-read');
      const asked = page.getByRole('alertdialog', { name: 'Cancel re-reading this file?' });
      await sees(
        asked,
        'kept.csv goes back to how it was. Its rows, your edits and pushed products are kept.',
      );
      await asked.getByRole('button', { name: 'Cancel Re-read' }).click();
      await page.getByRole('button', { name: 'Push', exact: true }).waitFor();
    } finally {
      worker.kill('SIGCONT');
    }
    await sees(page, 'Ready for your review');
    await seesClasses(page, '2 valid, 2 warnings');
    expect(await page.getByText('Re-reading the file').count()).toBe(0);
    await sees(rowsOf(page).nth(1), 'Blue Lamp');

    // In the queue too only the re-read is cancelled, even if it has ended when the cancel is confirmed.
    worker.kill('SIGSTOP');
    try {
      await reread(page, 'Header row', 'Row 2');
      await goTo(page, 'Queue');
      await chooseInMenu(queueRow(page, 'kept.csv'), 'Cancel Re-read');
    } finally {
      worker.kill('SIGCONT');
    }
    // Content behind the dialog is hidden from roles until it is answered.
    const statusOf = async () => {
      const job = await product.database.db
        .selectFrom('imports')
        .select('status')
        .where('filename', '=', 'kept.csv')
        .executeTakeFirst();
      return job?.status;
    };
    await expect.poll(statusOf, { timeout: waitMsMax }).toBe('queued');
    const asked = page.getByRole('alertdialog', { name: 'Cancel re-reading this file?' });
    await asked.getByRole('button', { name: 'Cancel Re-read' }).click();
    await sees(page, 'The re-read has already finished.');
    await queueRow(page, 'kept.csv').getByText('Queued').waitFor();
  }));

test('a failed re-read shows the reason, and its technical cause with one click', ({ browser, product }) =>
  browser.visit({}, async (page) => {
    await signIn(page);
    const content = 'Title;Price\nLamp;10.50\nVase;20.50\n';
    await uploadAndOpen(page, { name: 'broken.csv', content });
    await product.database.pool.query(`
      create function refuse_rows() returns trigger language plpgsql as $$
      begin
        if new.run > 1 then raise exception 'relation 4711 is broken'; end if;
        return new;
      end $$;
      create trigger refuse_rows before insert on rows for each row execute function refuse_rows()`);
    await reread(page, 'Header row', 'Row 2');
    await sees(page, 'Last problem');
    await sees(
      page,
      'The file couldn’t be re-read because of an internal error. See the error log. The previous rows were kept.',
    );
    expect(await page.getByText('relation 4711 is broken').isVisible()).toBe(false);
    await page.getByText('Error log (1)').click();
    await page.getByText('Rows 1–1: relation 4711 is broken').waitFor();
    expect(await rowsOf(page).count()).toBe(3);
    await goTo(page, 'Queue');
    const row = queueRow(page, 'broken.csv');
    await sees(row, 'Ready for Shopify');
    await row
      .getByRole('link', { name: /^The file couldn’t be re-read because of an internal error/ })
      .waitFor();
    await product.database.pool.query('drop trigger refuse_rows on rows; drop function refuse_rows');
  }));
