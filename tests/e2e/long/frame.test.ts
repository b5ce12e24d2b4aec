import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { browserOf, csvForm } from '../../support/api-client.ts';
import { isLong } from '../../support/queue-backend.ts';
import { waitMsMax } from '../browser.ts';
import { expectNoShift, measureShifts, smallTargets, violationsOf } from '../page-checks.ts';
import { accessKey, type Product } from '../product.ts';
import {
  chooseByKeyboard,
  expectNoSidewaysScroll,
  goTo,
  hurryPolls,
  openSession,
  queueRow,
  sees,
  signIn,
  signInOnScreen,
} from '../steps.ts';
import { test } from '../test.ts';

const noConnection = [/ERR_CONNECTION_REFUSED/];

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1, exact: true });
const barOf = (page: Page) => page.getByRole('banner');

/** Screens with their headings. The short form has no further tabs of a screen. */
const allScreens = [
  ['/', 'Dashboard'],
  ['/queue', 'Processing Queue'],
  ['/history', 'History'],
  ['/shopify', 'Shopify Integration'],
  ['/shopify?tab=products', 'Shopify Integration'],
  ['/shopify?tab=batch', 'Shopify Integration'],
  ['/shopify?tab=analytics', 'Shopify Integration'],
  ['/scanner', 'Product Scanner'],
  ['/settings', 'Settings'],
  ['/settings?tab=onedrive', 'Settings'],
  ['/settings?tab=connections', 'Settings'],
  ['/settings?tab=csv', 'Settings'],
  ['/settings?tab=debug', 'Settings'],
  ['/no/such/screen', '404 Page Not Found'],
] as const;
const screens = allScreens.filter(([path]) => isLong || !path.includes('?'));

const viewports = [
  ...(isLong
    ? [
        { width: 390, height: 844 },
        { width: 768, height: 1024 },
      ]
    : []),
  { width: 1440, height: 900 },
];

test.for(viewports)(
  'at $width px nothing moves while a screen loads, and nothing scrolls sideways',
  (at, { browser }) =>
    browser.visit({ isFirst: true, viewport: at, touch: at.width < 768 }, async (page) => {
      await measureShifts(page);
      // A problem of a busy machine would come up while the page of problems is looked at.
      await page.route('**/api/system/conditions', (route) =>
        route.fulfill({ json: { conditions: [], ended: [] } }),
      );
      const expectGood = async (name: string) => {
        await heading(page, name).waitFor();
        await page.waitForLoadState('networkidle');
        await expectNoShift(page);
        await expectNoSidewaysScroll(page);
      };
      await page.goto('/login');
      await expectGood('Draftshelf');
      await openSession(page);
      for (const [path, name] of screens) {
        await page.goto(path);
        await expectGood(name);
      }
    }),
);

test.runIf(isLong)('problems move nothing below them, whether they are there or come up', ({ browser }) =>
  browser.visit({ isFirst: true, viewport: { width: 1440, height: 900 } }, async (page) => {
    await openSession(page);
    await hurryPolls(page);
    await measureShifts(page);
    const problem = (id: string, detail: string | null) => ({
      ...{ id, detail, sentence: `Something is wrong: ${id}.`, todo: 'Look after it.' },
      since: new Date().toISOString(),
    });
    const full = problem('disk-filling', 'In /data, 2 % are free.');
    let conditions = [full, problem('api-slow', null), problem('clock-skew', null)];
    let ended: object[] = [];
    await page.route('**/api/system/conditions', (route) => route.fulfill({ json: { conditions, ended } }));
    const expectGood = async (words: string) => {
      await sees(page, words);
      await sees(page, 'Database Connected');
      await page.getByRole('table', { name: 'Security events' }).waitFor();
      await expectNoShift(page);
    };
    await page.goto('/settings?tab=debug');
    await expectGood('Something is wrong: clock-skew.');
    conditions = [];
    const { id, sentence } = problem('api-slow', null);
    ended = [{ id, sentence, detail: 'It took 9 s.', endedAt: new Date().toISOString() }];
    await page.reload();
    await expectGood('No Problems Found');
    const past = page.getByRole('list', { name: 'Problems that have ended' });
    await sees(past, 'Something is wrong: api-slow. It took 9 s.');
    await sees(past, /Ended .*api-slow in docs/);
    conditions = [full];
    await expectGood('Something is wrong: disk-filling.');
  }),
);

test.runIf(isLong)(
  'without a server at the first load, the page says so and tries again on request',
  ({ browser }) =>
    browser.visit({ expectedConsole: noConnection }, async (page) => {
      await page.route('**/api/auth/status', (route) => route.abort('connectionrefused'));
      await page.goto('/');
      await sees(page.getByRole('alert'), 'Can’t reach the server.');
      expect(await violationsOf(page)).toEqual([]);
      await page.unroute('**/api/auth/status');
      await page.getByRole('button', { name: 'Try Again' }).click();
      await page.getByLabel('Access Key').waitFor();
    }),
);

test('a window of 768 px has the sidebar, one of 767 px the bottom bar', ({ browser }) =>
  browser.visit({ viewport: { width: 768, height: 900 } }, async (page) => {
    await signIn(page);
    const [signOut, logout] = ['Sign Out', 'Logout'].map((name) => page.getByRole('button', { name }));
    await signOut?.waitFor();
    expect(await logout?.count()).toBe(0);
    const sidebar = page.getByRole('complementary');
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    expect(await sidebar.boundingBox()).toMatchObject({ x: 0, y: 0, height: 900 });
    await page.setViewportSize({ width: 767, height: 900 });
    await logout?.waitFor();
    expect(await signOut?.count()).toBe(0);
    expect(await sidebar.count()).toBe(0);
  }));

test.runIf(isLong)(
  'until the session is known the page says that it loads; if no key is required, nobody signs in',
  ({ browser }) =>
    browser.visit({}, async (page) => {
      // The reads still need a session of this server.
      await signIn(page);
      const held = Promise.withResolvers<void>();
      await page.route('**/api/auth/status', async (route) => {
        await held.promise;
        await route.fulfill({ json: { authenticated: false, requiresAuth: false } });
      });
      await page.goto('/queue');
      const waiting = page.getByRole('status');
      await sees(waiting, 'Loading...');
      await waiting.locator('[aria-hidden]').first().waitFor();
      held.resolve();
      await heading(page, 'Processing Queue').waitFor();
      await page.goto('/login');
      await heading(page, 'Dashboard').waitFor();
      expect(new URL(page.url()).pathname).toBe('/');
    }),
);

test.runIf(isLong)(
  'the focus goes to the heading of each screen that is opened, but not when only the query changes',
  ({ browser, product }) =>
    browser.visit({}, async (page) => {
      const focused = () => page.evaluate(() => document.activeElement?.outerHTML.slice(0, 3));
      const expectFocusOn = async (name: string) => {
        await heading(page, name).waitFor();
        await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(name);
        expect(await focused()).toBe('<h1');
      };
      await signInOnScreen(page);
      await expectFocusOn('Dashboard');
      await goTo(page, 'Settings');
      await expectFocusOn('Settings');
      const tab = page.getByRole('tab', { name: 'Debug' });
      await tab.click();
      await expect.poll(() => new URL(page.url()).search).toBe('?tab=debug');
      expect(await tab.evaluate((one) => one === document.activeElement)).toBe(true);
      await page.keyboard.press('g');
      await page.keyboard.press('q');
      await expectFocusOn('Processing Queue');
      await page.goBack();
      await expectFocusOn('Settings');
      // This screen knows its title only after a read.
      const id = await uploadFile(product, 'titles.csv', '5');
      await goTo(page, 'Processing Queue');
      await queueRow(page, 'titles.csv').getByRole('link', { name: 'titles.csv' }).click();
      await expectFocusOn('titles.csv');
      expect(page.url()).toContain(id);
    }),
);

test.runIf(isLong)('on a phone the top bar shows the name of a file in one piece', ({ browser, product }) =>
  browser.visit({ viewport: { width: 390, height: 844 }, touch: true }, async (page) => {
    await openSession(page);
    for (const { name, isCut } of [
      { name: 'home-decor-manifest.csv', isCut: false },
      { name: 'Spring tableware_and_lamps_2026_.csv', isCut: false },
      { name: `${'home-decor-'.repeat(8)}2.csv`, isCut: true },
    ]) {
      await page.goto(`/queue/${await uploadFile(product, name)}`);
      const title = heading(page, name);
      await title.waitFor();
      const parts = await title.evaluate((one) => {
        const [start = [], end = []] = [...one.children].map((part) => {
          const range = document.createRange();
          range.selectNodeContents(part);
          return [...range.getClientRects()];
        });
        const { bottom } = one.getBoundingClientRect();
        const isShown = (line: DOMRect) => line.bottom <= bottom + 1;
        const isCut = !start.every(isShown);
        const letters = document.createElement('canvas').getContext('2d');
        if (letters) letters.font = getComputedStyle(one).font;
        const ellipsis = isCut ? (letters?.measureText('…').width ?? 0) : 0;
        const gap = (end[0]?.left ?? 0) - (start.findLast(isShown)?.right ?? 0) - ellipsis;
        // Less than two letters are left of a full line.
        return { isCut, isEndShown: end.every(isShown), isTorn: gap > 20 };
      });
      expect([name, parts]).toEqual([name, { isCut, isEndShown: true, isTorn: false }]);
      await expectNoSidewaysScroll(page);
    }
  }),
);

test.runIf(isLong)(
  'the focus goes on in its row or to the heading when its button disappears',
  ({ browser, product }) =>
    browser.visit({}, async (page) => {
      await openSession(page);
      await uploadFile(product, 'first-shelf.csv');
      const id = await uploadFile(product, 'second-shelf.csv');
      await page.goto('/queue');
      const row = queueRow(page, 'first-shelf.csv');
      await row.getByRole('button', { name: /^More actions for / }).focus();
      await page.keyboard.press('Enter');
      await chooseByKeyboard(page, 'Cancel Import');
      await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel Import' }).click();
      await sees(row, 'Cancelled');
      await expect
        .poll(() => row.evaluate((one) => one.contains(document.activeElement)), { timeout: waitMsMax })
        .toBe(true);

      await page.goto(`/queue/${id}`);
      await page.getByRole('button', { name: 'More actions' }).focus();
      await page.keyboard.press('Enter');
      await chooseByKeyboard(page, 'Mark as Ready');
      await sees(barOf(page), 'Ready for Shopify');
      await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
    }),
);

test.for([
  { name: 'desktop', viewport: { width: 1440, height: 600 }, touch: false },
  ...(isLong ? [{ name: 'phone', viewport: { width: 390, height: 600 }, touch: true }] : []),
])(
  'on a $name the top bar alone says that the server is gone, and when it is back',
  (device, { browser, product }) =>
    browser.visit({ isFirst: true, ...device, expectedConsole: noConnection }, async (page) => {
      await openSession(page);
      const file = `gone-${device.name}.csv`;
      await uploadFile(product, file);
      await measureShifts(page);
      await page.goto('/queue');
      await heading(page, 'Processing Queue').waitFor();
      const push = page
        .getByRole(device.touch ? 'listitem' : 'row')
        .filter({ hasText: file })
        .getByRole('button', { name: 'Push', exact: true });
      await push.waitFor();
      const state = barOf(page).getByRole('status');
      const gone = state.getByText(/^No connection since \d+:\d+/);
      await page.route('**/api/**', (route) => route.abort('connectionrefused'));
      await gone.waitFor();
      await sees(page, /^as of \d+:\d+/);
      expect(await page.getByRole('alert').count()).toBe(0);
      await expect.poll(() => push.getAttribute('aria-disabled')).toBe('true');
      expect(await push.getAttribute('aria-description')).toBe('No connection to the server.');
      await expectNoShift(page);
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
      expect(await isInWindow(gone)).toBe(true);
      if (!device.touch) await sees(page.getByRole('region', { name: 'Status' }), 'Unknown');
      await page.unroute('**/api/**');
      await gone.waitFor({ state: 'detached' });
      await expect.poll(() => push.getAttribute('aria-disabled')).toBe(null);
      await expectNoShift(page);
      if (device.touch) return;
      await sees(state, 'System Active');
      await page.getByRole('region', { name: 'Status' }).getByText('Connected', { exact: true }).waitFor();
    }),
);

test.runIf(isLong)('on a phone the top bar makes room while the screen is scrolled down', ({ browser }) =>
  browser.visit({ viewport: { width: 390, height: 600 }, touch: true }, async (page) => {
    await openSession(page);
    await page.goto('/settings?tab=csv');
    await heading(page, 'Settings').waitFor();
    await page.getByRole('heading', { name: 'Known headers' }).waitFor();
    const end = () => barOf(page).evaluate((bar) => Math.round(bar.getBoundingClientRect().bottom));
    const scroll = (top: number) => page.evaluate((by) => window.scrollBy(0, by), top);
    expect(await end()).toBeGreaterThan(40);
    await scroll(300);
    await expect.poll(end).toBeLessThanOrEqual(0);
    // A finger that does not rest exactly changes nothing.
    await scroll(-6);
    expect(await end()).toBeLessThanOrEqual(0);
    await scroll(-60);
    await expect.poll(end).toBeGreaterThan(40);
    await scroll(300);
    await expect.poll(end).toBeLessThanOrEqual(0);
    // What the keyboard reaches is shown.
    await page.keyboard.press('ArrowRight');
    await barOf(page).getByRole('button', { name: 'Switch to dark mode' }).focus();
    await expect.poll(end).toBeGreaterThan(40);
  }),
);

test.runIf(isLong)('on a screen that reads nothing by itself the connection comes back too', ({ browser }) =>
  browser.visit({ expectedConsole: noConnection }, async (page) => {
    await openSession(page);
    await page.goto('/settings');
    await page.getByLabel('Batch Size').first().waitFor();
    await page.route('**/api/**', (route) => route.abort('connectionrefused'));
    await page.getByRole('button', { name: 'Save Settings' }).click();
    await sees(barOf(page), 'No connection since');
    await page.unroute('**/api/**');
    await sees(barOf(page), 'System Active');
  }),
);

// axe.test.ts looks at every target of a phone.
test.runIf(isLong)('the controls of the frame are large enough for fingers on a tablet', ({ browser }) =>
  browser.visit({ viewport: { width: 1024, height: 768 }, touch: true }, async (page) => {
    await page.goto('/login');
    await heading(page, 'Draftshelf').waitFor();
    expect(await smallTargets(page.locator('body'))).toEqual([]);
    await openSession(page);
    await page.goto('/queue');
    await heading(page, 'Processing Queue').waitFor();
    expect(await smallTargets(barOf(page))).toEqual([]);
    expect(await smallTargets(page.getByRole('navigation', { name: 'Main' }))).toEqual([]);
    const signOut = page.getByRole('button', { name: 'Sign Out' });
    expect(await signOut.evaluate((one) => one.clientHeight)).toBeGreaterThan(41);
    await expectNoSidewaysScroll(page);
  }),
);

function isInWindow(element: Locator): Promise<boolean> {
  return element.evaluate((one) => {
    const { top, bottom, left, right } = one.getBoundingClientRect();
    return top >= 0 && left >= 0 && bottom <= window.innerHeight && right <= window.innerWidth;
  });
}

/** Uploads a file with an error, so that its import waits for a review; returns the import's id. */
async function uploadFile({ apiUrl }: Product, filename: string, price = 'ask'): Promise<string> {
  const api = browserOf(apiUrl);
  await api.login(accessKey);
  const answer = await api.upload(csvForm(`Title,Price\nA vase,9.90\nA lamp,${price}\n`, { filename }));
  return (answer.body as { id: string }).id;
}
