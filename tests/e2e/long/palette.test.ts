import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { isLong } from '../../support/queue-backend.ts';
import { waitMsMax } from '../browser.ts';
import { smallTargets, violationsOf } from '../page-checks.ts';
import {
  expectNoSidewaysScroll,
  goTo,
  hasFocus,
  openSession,
  post,
  queueRow,
  sees,
  signIn,
  toast,
  uploadAndOpen,
  uploadByCall,
} from '../steps.ts';
import { test } from '../test.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Search' });
const field = (page: Page) => dialog(page).getByRole('combobox', { name: 'Search' });
const options = (page: Page) => dialog(page).getByRole('option');
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1, exact: true });

const content = 'Title,Price,SKU,UPC\nBrass Lamp,5,PAL-100,036000291452\nOak Chair,7,PAL-200,\n';

test('the palette finds screens, imports, products and actions by keyboard, and gives the focus back', ({
  browser,
}) =>
  browser.visit({}, async (page) => {
    const { keyboard } = page;
    await openSession(page);
    await uploadAndOpen(page, { name: 'palette.csv', content });
    const button = page.getByRole('link', { name: 'Back to Queue' });
    await button.focus();
    await keyboard.press('Control+k');
    await hasFocus(field(page));
    expect(await violationsOf(page)).toEqual([]);
    // The actions of the page come first, with their keys.
    await sees(dialog(page).getByRole('group', { name: 'This page' }), 'Push');
    await sees(options(page).filter({ hasText: 'Push' }).first(), '⇧P');
    await keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await hasFocus(button);

    await keyboard.press('Control+k');
    await hasFocus(field(page));
    await keyboard.type('dashb');
    await expect.poll(() => options(page).count(), { timeout: waitMsMax }).toBe(1);
    await keyboard.press('Enter');
    await heading(page, 'Dashboard').waitFor();

    // What the server finds: an import and the rows of a product.
    await keyboard.press('Control+k');
    await hasFocus(field(page));
    await keyboard.type('pal-200');
    const product = dialog(page).getByRole('group', { name: 'Products' }).getByRole('option');
    await sees(product, 'Oak Chair');
    await sees(product, 'PAL-200 · palette.csv');
    // Those of the text before may still be there.
    await expect.poll(() => product.count(), { timeout: waitMsMax }).toBe(1);
    await keyboard.press('ArrowDown');
    await keyboard.press('ArrowUp');
    const activeId = await field(page).getAttribute('aria-activedescendant');
    expect(await product.getAttribute('id')).toBe(activeId);
    expect(await product.getAttribute('aria-selected')).toBe('true');
    await keyboard.press('Enter');
    await heading(page, 'palette.csv').waitFor();
    const rows = page.getByRole('table', { name: 'Product rows' });
    await sees(rows, 'Oak Chair');
    await expect.poll(() => rows.getByText('Brass Lamp').count(), { timeout: waitMsMax }).toBe(0);

    // As a scanner types it: Enter comes before the reply, and the results of the text before are still shown.
    await goTo(page, 'History');
    await heading(page, 'History').waitFor();
    await keyboard.press('Control+k');
    await hasFocus(field(page));
    await keyboard.insertText('Oak Chair');
    await sees(product, 'Oak Chair');
    await field(page).fill('');
    await keyboard.insertText('036000291452');
    await keyboard.press('Enter');
    await heading(page, 'palette.csv').waitFor();
    await sees(rows, 'Brass Lamp');

    await keyboard.press('Control+k');
    await hasFocus(field(page));
    await keyboard.type('zz nothing');
    await sees(dialog(page).getByRole('status'), 'Nothing was found.');
    await keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
  }));

test.runIf(isLong)(
  'an action of the page runs by its key and from the palette, and its tooltip and menu name the key',
  ({ browser }) =>
    browser.visit({}, async (page) => {
      const { keyboard } = page;
      await openSession(page);
      await uploadAndOpen(page, { name: 'by-key.csv', content: content.replaceAll('PAL', 'KEY') });
      const push = page.getByRole('button', { name: 'Push', exact: true });
      await push.hover();
      await page.getByRole('tooltip', { name: 'Push ⇧P' }).waitFor();
      await page.mouse.move(0, 0);
      await heading(page, 'by-key.csv').focus();
      await keyboard.press('Shift+D');
      await page.getByRole('dialog', { name: /Dry run/ }).waitFor();
      // A key is the dialog's while one is open.
      await keyboard.press('Shift+P');
      await keyboard.press('Escape');
      await page.getByRole('dialog', { name: /Dry run/ }).waitFor({ state: 'detached' });
      await push.waitFor();

      await keyboard.press('Control+k');
      await hasFocus(field(page));
      await keyboard.type('push');
      await expect.poll(() => options(page).first().textContent()).toMatch(/^Push/);
      await keyboard.press('Enter');
      await heading(page, 'Processing Queue').waitFor();
      await sees(queueRow(page, 'by-key.csv'), 'Completed');
      await expect.poll(() => page.title(), { timeout: waitMsMax }).toMatch(/^✓ by-key\.csv · /);

      // The notification of a push on another screen is in the list of the bell, with its link.
      await goTo(page, 'History');
      await post(page, `/api/queue/${await idOf(page)}/push`);
      await sees(await toast(page, 'Push Completed'), 'by-key.csv: 2 unchanged.');
      const bell = page.getByRole('button', { name: 'Recent notifications, 1 new one' });
      await bell.click();
      const list = page.getByRole('dialog', { name: 'Recent notifications' });
      await sees(list.getByRole('listitem').first(), 'by-key.csv: 2 unchanged.');
      expect(await violationsOf(page)).toEqual([]);
      await list.getByRole('listitem').first().getByRole('link', { name: 'View Report' }).click();
      await page.getByRole('dialog', { name: /Report/ }).waitFor();
      const seen = page.getByRole('button', { name: 'Recent notifications', exact: true });
      await seen.waitFor();

      // They outlive a reload, also on a phone, and end with the session.
      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto('/history');
      await seen.click();
      await sees(list.getByRole('listitem').first(), 'by-key.csv: 2 unchanged.');
      await keyboard.press('Escape');
      await page.getByRole('button', { name: 'Logout' }).click();
      await page.getByLabel('Access Key').waitFor();
      await signIn(page);
      await page.setViewportSize({ width: 1366, height: 820 });
      await seen.click();
      await sees(list, 'No notifications in this tab yet.');
    }),
);

test.runIf(isLong)('on a phone the palette fills the screen and opens with a tap', ({ browser }) =>
  browser.visit({ viewport: { width: 390, height: 844 }, touch: true }, async (page) => {
    await signIn(page);
    await uploadByCall(page, { name: 'on-a-phone.csv', content: content.replaceAll('PAL', 'TAP') });
    await page.getByRole('banner').getByRole('button', { name: 'Search' }).tap();
    await field(page).fill('TAP-100');
    const product = options(page).filter({ hasText: 'Brass Lamp' });
    await product.waitFor();
    await expectNoSidewaysScroll(page);
    expect(await smallTargets(dialog(page))).toEqual([]);
    expect(await violationsOf(page)).toEqual([]);
    await product.tap();
    await heading(page, 'on-a-phone.csv').waitFor();
  }),
);

/** The id of the import 'by-key.csv'. */
async function idOf(page: Page): Promise<string> {
  const jobs = (await (await page.request.get('/api/queue')).json()) as { id: string; filename: string }[];
  return jobs.find(({ filename }) => filename === 'by-key.csv')?.id ?? '';
}
