import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { until } from '../support/fixture.ts';
import { isLong } from '../support/queue-backend.ts';
import { smallTargets, violationsOf } from './page-checks.ts';
import type { Product } from './product.ts';
import {
  choose,
  chooseOnPage,
  editRow,
  expectNoSidewaysScroll,
  hasFocus,
  openDetails,
  openSession,
  post,
  sees,
  toast,
  upload,
} from './steps.ts';
import { test } from './test.ts';

const phone = { width: 390, height: 844 };

type Item = { price?: string; quantity?: number; title?: string; isGone?: boolean };

/** A list of 20 products of a supplier, of whom the titles tell; `of`: what differs, by number. */
function listOf(prefix: string, of: Record<number, Item> = {}, count = 20): string {
  const rows = Array.from({ length: count }, (_, at) => {
    const { price = `${at + 10}.00`, quantity = at, title = `${prefix} vase ${at}`, isGone } = of[at] ?? {};
    return isGone ? [] : [`${prefix}-${at},${title},${price},${quantity}`];
  });
  return `SKU,Title,Price,Quantity\n${rows.flat().join('\n')}\n`;
}

const jobOf = async (page: Page, id: string) =>
  (await (await page.request.get(`/api/queue/${id}?rows=0`)).json()).job;

/** Uploads a list, pushes it, and waits until it counts. */
async function pushed(page: Page, product: Product, filename: string, content: string): Promise<string> {
  const id = await upload(product, filename, content);
  await post(page, `/api/queue/${id}/push`);
  await until(`${filename} counts`, async () => (await jobOf(page, id)).list?.state === 'counted', 60_000);
  return id;
}

const strip = (page: Page, since: string) => page.getByRole('region', { name: `Since ${since}` });
const rows = (page: Page) => page.getByRole('table', { name: 'Product rows' });

test('a first list shows nothing new, and the next one what is new, changed, missing and yours', ({
  browser,
  product,
}) =>
  browser.visit({}, async (page) => {
    await openSession(page);
    const march = await upload(product, 'march.csv', listOf('A'));
    await page.goto(`/queue/${march}?class=all`);
    await sees(rows(page), 'A vase 0');
    expect(await page.getByRole('region', { name: /^Since/ }).count()).toBe(0);
    expect(await page.getByText(/^from/).count()).toBe(0);
    await editRow(page, march, 1, { title: 'Blue vase' });
    await editRow(page, march, 2, { price: '14.40' });
    await post(page, `/api/queue/${march}/push`);
    await until('march.csv counts', async () => (await jobOf(page, march)).list?.state === 'counted', 60_000);

    const changes = { 1: { price: '13.00' }, 2: { price: '12.48', quantity: 5 }, 3: { isGone: true } };
    const april = await upload(product, 'april.csv', listOf('A', changes, 21));
    await page.goto(`/queue/${april}?class=all&details=list-since`);
    const since = strip(page, 'march.csv');
    await sees(since, /1 new · 2 changed: 2 dearer \(avg \+11%\) · 17 unchanged · 0 back · 1 missing/);
    await sees(since, '2 of your changes carried over · 1 to decide');
    expect(await violationsOf(page)).toEqual([]);

    // The counts are filters.
    await since.getByRole('link', { name: '2 dearer' }).press('Enter');
    await sees(page.getByRole('button', { name: 'Changes, Dearer' }), 'Dearer');
    await sees(page, /2 matching rows/);
    await rows(page).getByRole('button', { name: '+4 %, was 12.00' }).waitFor();
    await rows(page).getByRole('button', { name: '+3, was 2' }).waitFor();
    await page.getByRole('button', { name: 'Show rows with any change' }).press('Enter');
    await page.getByRole('button', { name: 'Changes', exact: true }).press('Enter');
    await page.getByRole('menuitem', { name: 'New 1' }).press('Enter');
    await sees(page, /1 matching row/);

    await page.goto(`/queue/${april}?change=cheaper`);
    await sees(page, 'No product of this list has a lower price.');

    // Values of the earlier list say whose they are.
    await page.goto(`/queue/${april}?class=all`);
    await rows(page)
      .getByRole('button', { name: /^Yours since .* \(march\.csv\)\. This file: A vase 0$/ })
      .waitFor();

    await openDetails(page);
    const missing = since.getByRole('button', { name: '1 missing' });
    await missing.press('Enter');
    const drawer = page.getByRole('dialog', { name: 'Not in this list' });
    await sees(drawer, 'A vase 3');
    await sees(drawer, 'A-3 · 13.00 · 3 in stock');
    const download = page.waitForEvent('download');
    await drawer.getByRole('link', { name: /Download all changes/ }).click();
    expect((await download).suggestedFilename()).toMatch(/\.csv$/);
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await hasFocus(missing);
  }));

test.runIf(isLong)(
  'what the next list proposes against yours is decided, undone, redone and forgotten',
  ({ browser, product }) =>
    browser.visit({}, async (page) => {
      await openSession(page);
      const january = await upload(product, 'january.csv', listOf('D'));
      await editRow(page, january, 1, { title: 'Blue vase' });
      await editRow(page, january, 2, { price: '14.40' });
      await post(page, `/api/queue/${january}/push`);
      await until(
        'january.csv counts',
        async () => (await jobOf(page, january)).list?.state === 'counted',
        60_000,
      );
      const february = await upload(product, 'february.csv', listOf('D', { 1: { price: '13.00' } }));
      await page.goto(`/queue/${february}?class=all&details=list-since`);
      const since = strip(page, 'january.csv');

      // What the supplier says now is proposed; yours stays until it is decided.
      await since.getByRole('button', { name: '1 to decide' }).press('Enter');
      const proposals = page.getByRole('region', { name: /^Proposals/ });
      await sees(proposals, /^Supplier.*: 13\.00 \(was 11\.00\)\. Yours: 14\.40\./);
      // By mouse: the closing details may take the focus away from the button.
      await proposals.getByRole('button', { name: 'Keep Yours: the price of row 2' }).click();
      await page.getByRole('button', { name: /^Close .*Proposals?$/ }).click();
      await openDetails(page);
      await sees(since, '2 of your changes carried over');
      await until(
        'nothing is to decide',
        async () => (await jobOf(page, february)).list.carried.toDecide === 0,
      );

      // Undo takes them back, and redo carries them over again.
      const undo = since.getByRole('button', { name: 'Undo', exact: true });
      await undo.press('Enter');
      await toast(page, 'Change undone');
      await sees(since, /then taken back/);
      await since.getByRole('button', { name: 'Redo', exact: true }).press('Enter');
      await sees(since, /^2 of your changes carried over$/);

      // A value is forgotten, and stays in this list.
      const forget = rows(page).getByRole('button', { name: 'Forget your Title of row 1' });
      await forget.press('Enter');
      await toast(page, 'Forgotten');
      await forget.waitFor({ state: 'detached' });
      await sees(rows(page), 'Blue vase');
    }),
);

test.runIf(isLong)(
  'a list without a change has nothing to push, and may be made the latest',
  ({ browser, product }) =>
    browser.visit({ viewport: phone, touch: true }, async (page) => {
      await openSession(page);
      await pushed(page, product, 'may.csv', listOf('M'));
      const june = await upload(product, 'june.csv', listOf('M'));
      await page.goto(`/queue/${june}?class=all&details=list-since`);
      const since = strip(page, 'may.csv');
      await sees(since, 'The same as may.csv. Nothing to push.');
      await sees(since, '20 unchanged');
      await expectNoSidewaysScroll(page);
      expect(await smallTargets(since.getByRole('list'))).toEqual([]);
      expect(await violationsOf(page)).toEqual([]);
      await since.getByRole('button', { name: 'Use as the Latest List' }).press('Enter');
      await until('june.csv counts', async () => (await jobOf(page, june)).list.state === 'counted', 60_000);
      await since.getByRole('button', { name: 'Actions of this list' }).press('Enter');
      await page.getByRole('menuitem', { name: 'Ignore This List' }).press('Enter');
      await until(
        'june.csv does not count',
        async () => (await jobOf(page, june)).list.state !== 'counted',
        60_000,
      );
    }),
);

test.runIf(isLong)(
  'the operator says whose list it is: in the menu, where it is asked, and before the upload',
  ({ browser, product }) =>
    browser.visit({ expectedConsole: [/status of 409 .*\/api\/suppliers\//] }, async (page) => {
      await openSession(page);
      const first = await pushed(page, product, 'first.csv', listOf('F'));
      await page.goto(`/queue/${first}?class=all`);
      await chooseOnPage(page, 'Supplier…');
      const dialog = page.getByRole('dialog', { name: 'Whose list is this?' });
      await dialog.getByRole('radio', { name: 'Another supplier' }).check();
      await dialog.getByRole('textbox', { name: 'Name' }).fill('Fenn & Sons');
      expect(await violationsOf(page)).toEqual([]);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'from Fenn & Sons' }).waitFor();

      // Before an upload, a certain supplier is named with his last list.
      await page.goto('/upload');
      await choose(page, { name: 'second.csv', content: listOf('F', { 1: { price: '99' } }) });
      await sees(page, 'Fenn & Sons’s list. Last one: first.csv, 20 products.');

      // Where it is not certain, it is asked, and nothing has to be answered.
      const unsure = `SKU,Title,Price\n${Array.from({ length: 20 }, (_, at) =>
        at < 6 ? `F-${at},F vase ${at},${at + 10}` : `G-${at},Rug ${at},5`,
      ).join('\n')}\n`;
      await choose(page, { name: 'unsure.csv', content: unsure });
      const question = page.getByRole('group', { name: 'Whose list is this?' });
      const answer = question.getByRole('button', { name: 'Fenn & Sons' });
      await answer.press('Enter');
      expect(await answer.getAttribute('aria-pressed')).toBe('true');
      await answer.press('Enter');
      expect(await answer.getAttribute('aria-pressed')).toBe('false');

      const asked = await upload(product, 'unsure.csv', unsure);
      await page.goto(`/queue/${asked}?class=all`);
      await sees(page, 'Is this Fenn & Sons’s list? 6 of 20 sampled products are from Fenn & Sons.');
      expect(await violationsOf(page)).toEqual([]);
      await page.getByRole('button', { name: 'Yes', exact: true }).press('Enter');
      await openDetails(page);
      await sees(strip(page, 'first.csv'), /14 new/);

      // A supplier with several lists is renamed, unless the name is taken.
      const { pool } = product.database;
      await pool.query(`insert into suppliers (name) values ('Beta')`);
      const supplier = page.getByRole('button', { name: 'from Fenn & Sons' });
      await supplier.press('Enter');
      await dialog.getByRole('radio', { name: 'Rename Fenn & Sons' }).check();
      const name = dialog.getByRole('textbox', { name: 'Name' });
      expect(await name.inputValue()).toBe('Fenn & Sons');
      await name.fill('beta');
      await page.keyboard.press('Enter');
      await sees(dialog, 'A supplier named Beta already exists.');
      expect(await violationsOf(page)).toEqual([]);
      await name.fill('x'.repeat(101));
      expect((await name.inputValue()).length).toBe(100);
      await name.fill('Fenn');
      await dialog.getByRole('button', { name: 'Rename Supplier' }).press('Enter');
      await page.getByRole('button', { name: 'from Fenn', exact: true }).waitFor();
      await page.goto(`/queue/${first}`);
      await page.getByRole('button', { name: 'from Fenn', exact: true }).waitFor();
    }),
);

test.runIf(isLong)(
  'before its upload, a list of prices and stock lacks nothing if its products are known',
  ({ browser, product }) =>
    browser.visit({}, async (page) => {
      await openSession(page);
      await pushed(page, product, 'kilo.csv', listOf('K'));
      const prices = `SKU,Price,Quantity\n${Array.from({ length: 20 }, (_, at) => `K-${at},9.50,${at}`).join('\n')}\n`;
      await page.goto('/upload');
      await choose(page, { name: 'kilo prices.csv', content: prices.replace('K-0,', 'X-0,') });
      await sees(
        page,
        'A list of prices and stock: it updates known products and creates none. 1 of 20 sampled products isn’t known.',
      );
      await page.getByRole('button', { name: 'Upload 20 Products' }).waitFor();
      expect(await page.getByText('no column').count()).toBe(0);
      expect(await violationsOf(page)).toEqual([]);

      // Nobody’s file needs titles.
      await choose(page, { name: 'other.csv', content: prices.replaceAll('K-', 'Y-') });
      await sees(page, 'Title: no column.');
      await page.getByRole('button', { name: 'Upload 0 Products' }).waitFor();
    }),
);
