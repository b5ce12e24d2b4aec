import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { isLong } from '../support/queue-backend.ts';
import { waitMsMax } from './browser.ts';
import { accessKey } from './product.ts';
import {
  choose,
  chooseOnPage,
  expectNoSidewaysScroll,
  goTo,
  goToAddress,
  openSession,
  sees,
  signIn,
  signInAt,
  toast,
  uploadAndOpen,
  uploadOnScreen,
} from './steps.ts';
import { test } from './test.ts';
import { typeAsScanner } from './type-as-scanner.ts';

const screens = [
  ['/', 'Dashboard'],
  ['/upload', 'Upload CSV'],
  ['/queue', 'Processing Queue'],
  ['/history', 'History'],
  ['/shopify', 'Shopify Integration'],
  ['/scanner', 'Product Scanner'],
  ['/settings', 'Settings'],
] as const;

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1, exact: true });

test('the keyboard is enough to sign in, go everywhere and sign out', ({ browser }) =>
  // The server may have ended the session while the page still waits for its reply, and polls once more.
  browser.visit({ expectedConsole: [/status of 401 .*dashboard\/current/] }, async (page) => {
    const { keyboard } = page;
    await page.goto('/');
    await page.getByLabel('Access Key').waitFor();
    await keyboard.type(accessKey);
    await keyboard.press('Enter');
    await heading(page, 'Dashboard').waitFor();

    await page.reload();
    await heading(page, 'Dashboard').waitFor();
    await keyboard.press('Tab');
    expect(await focused(page)).toBe('Skip to content');
    await tabTo(page, 'Processing Queue');
    await keyboard.press('Enter');
    await heading(page, 'Processing Queue').waitFor();

    for (const [key, name] of [...'uqhsp,d'].map((letter, i) => [letter, goKeys[i] ?? ''] as const)) {
      await keyboard.press('g');
      await keyboard.press(key);
      await heading(page, name).waitFor();
    }
    await keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe('Dashboard');

    // The login comes without another answer; until then screens would ask without a session.
    await page.route('**/api/auth/status', () => {});
    await tabTo(page, 'Sign Out');
    await keyboard.press('Enter');
    await page.getByLabel('Access Key').waitFor();
    expect(new URL(page.url()).pathname).toBe('/login');
    await page.unroute('**/api/auth/status');
    await page.goto('/queue');
    await page.getByLabel('Access Key').waitFor();
  }));

test.runIf(isLong)(
  'after a sign-out, and after the end of a session, the browser keeps no product data',
  ({ browser }) =>
    browser.visit({ expectedConsole: [/status of 401/, /the camera did not start/] }, async (page) => {
      const other = await page.context().newPage();
      const work = async () => {
        await signIn(page);
        await uploadOnScreen(page, { name: 'kestrel.csv', content: 'Title,Price\nKestrel,ask\n' });
        await goTo(page, 'Product Scanner');
        await page.getByRole('button', { name: 'Scan Many' }).click();
        const list = page.getByRole('dialog', { name: 'Scan many codes' });
        await list.getByText('Scan one code after the other.').waitFor();
        await typeAsScanner(page, 'KESTREL-7');
        await list.getByLabel('Name of KESTREL-7').fill('Kestrel box');
        await page.keyboard.press('Escape');
        // Another tab, which asks for nothing by itself.
        await other.goto('/settings');
        await other.getByLabel('Batch Size').first().waitFor();
        await other.evaluate(() => sessionStorage.setItem('draftshelf-commands', '[{"sentence":"Kestrel"}]'));
        expect(await keptTexts(page)).toMatch(/Processing Complete.*Kestrel box/);
      };
      const productWords = /kestrel|processing complete|draftshelf-reviews/i;
      const atLogin = (tab: Page) => tab.getByLabel('Access Key').waitFor();

      await work();
      const signOut = page.getByRole('button', { name: 'Sign Out' });
      await signOut.click();
      const question = page.getByRole('alertdialog', { name: 'Sign out and remove the scanned codes?' });
      await question.getByRole('button', { name: 'Stay Signed In' }).click();
      expect(await keptTexts(page)).toContain('Kestrel box');
      await signOut.click();
      await question.getByRole('button', { name: 'Sign Out' }).click();
      for (const tab of [page, other]) {
        await atLogin(tab);
        await expect.poll(() => keptTexts(tab)).not.toMatch(productWords);
      }
      await page.reload();
      await atLogin(page);
      expect(await keptTexts(page)).not.toMatch(productWords);

      // The operator did not choose the end of a session, so it removes no work that is not saved.
      await work();
      await page.context().clearCookies();
      await goTo(page, 'Processing Queue');
      await atLogin(page);
      await expect.poll(() => keptTexts(page)).not.toContain('Processing Complete');
      expect(await keptTexts(page)).toContain('Kestrel box');
      await page.getByLabel('Access Key').fill(accessKey);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: /^Recent notifications/ }).click();
      await sees(page, 'No notifications in this tab yet.');
    }),
);

test.runIf(isLong)(
  'what is typed when a session ends is there again after the next sign-in, and gone after a sign-out',
  ({ browser }) =>
    browser.visit({ expectedConsole: [/status of 401/] }, async (page) => {
      await openSession(page);
      await uploadAndOpen(page, { name: 'typed.csv', content: 'Title,Price\nOsprey,ask\nHeron,7\n' });
      await page.getByRole('group', { name: 'Filter rows' }).getByRole('button', { name: /^All/ }).click();
      const address = page.url();
      const price = page.getByLabel('Price of row 1', { exact: true });
      const title = page
        .getByRole('dialog', { name: /^Edit Product Details/ })
        .getByLabel('Title', { exact: true });
      const endSession = () => page.context().clearCookies();
      const signInAgain = async () => {
        await page.getByLabel('Access Key').fill(accessKey);
        await page.getByRole('button', { name: 'Sign In' }).click();
      };

      await page.getByRole('button', { name: 'Edit row 1' }).click();
      await price.fill('59.90');
      await endSession();
      // A poll may have shown the login before.
      await page.keyboard.press('Enter');
      await sees(
        page,
        'Your session has ended. What you typed is kept. Sign in to continue where you left off.',
      );
      expect(new URL(page.url()).pathname).toBe('/login');
      expect(await keptTexts(page)).not.toContain('59.90');
      await signInAgain();
      await expect.poll(() => price.inputValue()).toBe('59.90');
      expect(page.url()).toBe(address);
      await price.press('Enter');
      await sees(page.locator('[data-row="1"]'), '$59.90');

      await page.getByRole('button', { name: /: edit all fields of row 2$/ }).click();
      await title.fill('Grey heron');
      await endSession();
      await page.keyboard.press('Control+Enter');
      await sees(page, /What you typed is kept/);
      await signInAgain();
      await expect.poll(() => title.inputValue()).toBe('Grey heron');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await sees(page.locator('[data-row="2"]'), 'Grey heron');

      // A sign-out in another tab is meant for this one as well.
      await page.getByRole('button', { name: 'Edit row 2' }).click();
      await page.getByLabel('Price of row 2', { exact: true }).fill('8.80');
      await endSession();
      await sees(page, /What you typed is kept/);
      const other = await page.context().newPage();
      await signIn(other);
      await other.getByRole('button', { name: 'Sign Out' }).click();
      await page.getByText(/What you typed is kept/).waitFor({ state: 'detached' });
      await signInAgain();
      await heading(page, 'Dashboard').waitFor();
    }),
);

/** All that scripts can store in a browser. */
function keptTexts(page: Page): Promise<string> {
  return page.evaluate(async () =>
    JSON.stringify([sessionStorage, localStorage, await indexedDB.databases(), await caches.keys()]),
  );
}

const goKeys = [
  'Upload CSV',
  'Processing Queue',
  'History',
  'Shopify Integration',
  'Product Scanner',
  'Settings',
  'Dashboard',
];

test.runIf(isLong)(
  'the access key opens every screen, the session goes with every call, and no text has a placeholder',
  ({ browser }) =>
    browser.visit({}, async (page) => {
      await signInAt(page, '/login');
      await heading(page, 'Dashboard').waitFor();
      expect(new URL(page.url()).pathname).toBe('/');
      const calls: Promise<[string, boolean]>[] = [];
      page.on('requestfinished', (request) => {
        const { pathname } = new URL(request.url());
        if (!pathname.startsWith('/api/')) return;
        const hasCookie = request.headerValue('cookie').then((cookie) => cookie !== null && cookie !== '');
        calls.push(hasCookie.then((has) => [pathname, has]));
      });
      for (const [path, name] of screens) {
        await page.goto(path);
        await heading(page, name).waitFor();
        await page.waitForLoadState('networkidle');
        expect(await page.locator('body').textContent()).not.toMatch(/\{store platform\}|undefined|NaN/);
      }
      const made = await Promise.all(calls);
      expect(new Set(made.map(([path]) => path)).size).toBeGreaterThan(8);
      expect(made.filter(([, has]) => !has)).toEqual([]);
      const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
      const shown = links.evaluateAll((all) =>
        all.map((link) => [link.getAttribute('href'), link.textContent]),
      );
      expect(await shown).toEqual(screens);
      await sees(page.getByRole('banner'), 'System Active');
    }),
);

test.runIf(isLong)(
  'the sidebar says whether the store is connected, and that the cloud folder is pending',
  ({ browser }) =>
    browser.visit({}, async (page) => {
      await signIn(page);
      const words = () => page.getByRole('region', { name: 'Status' }).textContent();
      const expectWords = (store: string) =>
        // The number of problems may follow.
        expect
          .poll(words, { timeout: waitMsMax })
          .toMatch(new RegExp(`^StatusShopify ${store}OneDrive Pending`));
      await expectWords('Connected');
      await page.route('**/api/connections', (route) =>
        route.fulfill({
          json: [
            { id: 'shopify', service: 'shopify', status: 'testing', details: { shopDomain: 'shop.example' } },
            { id: 'onedrive', service: 'onedrive', status: 'disconnected', details: {} },
            { id: 'upc_services', service: 'upc_services', status: 'connected', details: { services: [] } },
          ],
        }),
      );
      await page.reload();
      await expectWords('Disconnected');
    }),
);

test.runIf(isLong)('a page whose server has a newer version offers to load it', ({ browser }) =>
  browser.visit({}, async (page) => {
    await signIn(page);
    const reload = page.getByRole('button', { name: 'Reload for the new version' });
    await sees(page.getByRole('banner'), 'System Active');
    // All replies: one of the page's own build would take the offer back.
    let isNewer = true;
    page.once('framenavigated', () => {
      isNewer = false;
    });
    await page.route('**/api/**', async (route) => {
      if (!isNewer) return route.continue();
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), 'x-draftshelf-build': 'newer' } });
    });
    await reload.click();
    await expect.poll(() => isNewer).toBe(false);
    await sees(page.getByRole('banner'), 'System Active');
    expect(await reload.count()).toBe(0);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  }),
);

test.runIf(isLong)('on a phone: seven entries at the bottom, and no screen scrolls sideways', ({ browser }) =>
  browser.visit({ viewport: { width: 390, height: 844 } }, async (page) => {
    await page.goto('/');
    await page.getByLabel('Access Key').waitFor();
    await expectNoSidewaysScroll(page);
    await signIn(page);
    const bar = page.getByRole('navigation', { name: 'Main' });
    const entries = bar.getByRole('link').or(bar.getByRole('button'));
    expect(await entries.allTextContents()).toEqual([
      'Dashboard',
      'Upload',
      'Queue',
      'History',
      'Scanner',
      'Settings',
      'Logout',
    ]);
    await page.getByRole('button', { name: 'All screens' }).click();
    await page.getByRole('menuitem', { name: 'Suppliers' }).click();
    await heading(page, 'Suppliers').waitFor();
    for (const [path, name] of [...screens, ['/no/such/screen', '404 Page Not Found'] as const]) {
      if (path !== new URL(page.url()).pathname) await goToAddress(page, path);
      await heading(page, name).waitFor();
      await expectNoSidewaysScroll(page);
    }

    const name = `${'averylongfilename'.repeat(5)}.csv`;
    const columns = Array.from({ length: 30 }, (_, i) => `Column number ${i}`);
    const content = `Title,Price,${columns.join()}\nA vase,ask,${columns.map(() => 'some text').join()}\n`;
    await goTo(page, 'Upload');
    await choose(page, { name, content });
    await page.getByRole('table', { name: 'Rows of the file' }).waitFor();
    await expectNoSidewaysScroll(page);
    await page.getByRole('button', { name: 'Process All' }).click();
    await toast(page, 'CSV Processing Complete!');
    await expectNoSidewaysScroll(page);
    await page.getByRole('link', { name: 'Review' }).click();
    const card = page.getByRole('list', { name: 'Product rows' }).getByRole('listitem').first();
    await sees(card, 'Price isn’t a valid number, so it counts as missing.');
    await sees(card, 'ask');
    await expectNoSidewaysScroll(page);
    await page.getByRole('button', { name: 'Edit row 1' }).click();
    await expectNoSidewaysScroll(page);
    await page.getByLabel('Price of row 1').fill('12.50');
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const expectUncovered = async (...names: string[]) => {
      for (const name of names) expect([name, await isUncovered(button(name))]).toEqual([name, true]);
    };
    await expectUncovered('Save & Next', 'Next problem', 'Close');
    await button('Close').click();
    // What was typed is kept.
    await sees(card, 'Not saved');
    await button('Edit row 1').click();
    expect(await page.getByLabel('Price of row 1').inputValue()).toBe('12.50');
    await button('Save & Next').click();
    await sees(card, '$12.50');
    await chooseOnPage(page, 'Test Shopify');
    await toast(page, 'Connection Successful');
    // The notification does not cover the bar.
    await expectUncovered('More actions');
    expect(await isUncovered(page.getByRole('button', { name: /^Push/ }))).toBe(true);
    await goTo(page, 'Queue');
    await page.getByRole('button', { name: 'Show How the Queue Works' }).waitFor();
    await page.getByRole('list', { name: 'Active Jobs' }).getByRole('link', { name }).waitFor();
    await expectNoSidewaysScroll(page);
    await page.goto('/');
    await bar.getByRole('button', { name: 'Logout' }).click();
    await page.getByLabel('Access Key').waitFor();
  }),
);

/** Whether a control is in the window and its centre is not covered. */
function isUncovered(control: Locator): Promise<boolean> {
  return control.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  });
}

/** The name of the focused element. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.textContent?.trim() ?? '');
}

const tabsMax = 60;

async function tabTo(page: Page, name: string): Promise<void> {
  for (let tabs = 0; tabs < tabsMax; tabs++) {
    if ((await focused(page)) === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The focus does not reach ${name} within ${tabsMax} tabs`);
}
