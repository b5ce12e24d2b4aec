import type { APIResponse, Locator, Page, Route } from 'playwright-core';
import { expect } from 'vitest';
import { browserOf, csvForm } from '../support/api-client.ts';
import { until } from '../support/fixture.ts';
import { waitMsMax } from './browser.ts';
import { accessKey, type Product } from './product.ts';

/** Uploads a file with a call and waits until it is processed. Returns the import's id. */
export async function upload(
  { apiUrl }: Product,
  filename: string,
  content: string | Uint8Array<ArrayBuffer>,
): Promise<string> {
  const api = browserOf(apiUrl);
  await api.login(accessKey);
  const { body } = await unlessBusy(
    () => api.upload(csvForm(content, { filename })),
    ({ status }) => status,
  );
  const { id } = body as { id: string };
  const read = async () => (await api.call('GET', whenProcessed(id))).body;
  await until(`${filename} is processed`, async () => statusIn(await read()) !== 'processing', 60_000);
  return id;
}

/** Sends again as long as the server has too much to do to take it. */
async function unlessBusy<T>(send: () => Promise<T>, statusOf: (reply: T) => number): Promise<T> {
  for (;;) {
    const reply = await send();
    if (![429, 503].includes(statusOf(reply))) return reply;
  }
}

/** A read of an import, whose reply the server holds until the import is processed, or for two seconds. */
const whenProcessed = (id: string) => `/api/queue/${id}?rows=0&wait=1`;
const statusIn = (reply: unknown) => (reply as { job?: { status: string } }).job?.status ?? 'processing';

/** Signs in on the screen and waits for the dashboard. */
export async function signInOnScreen(page: Page): Promise<void> {
  await page.goto('/');
  await page.getByLabel('Access Key').fill(accessKey);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
}

/** Signs in with a call, without loading a page. */
export async function openSession(page: Page): Promise<void> {
  await post(page, '/api/auth/login', { accessKey });
}

/** Calls the api, again as long as it is too busy to answer. Fails unless the call succeeds. */
async function send(
  page: Page,
  method: 'post' | 'put' | 'patch',
  path: string,
  data?: object,
): Promise<APIResponse> {
  const reply = await unlessBusy(
    () => page.request[method](path, data && { data }),
    (one) => one.status(),
  );
  expect(reply.ok(), `${path}: ${reply.status()} ${await reply.text()}`).toBe(true);
  return reply;
}
export const post = (page: Page, path: string, data?: object) => send(page, 'post', path, data);
export const put = (page: Page, path: string, data: object) => send(page, 'put', path, data);
/** Changes a row of an import as another browser would. */
export const editRow = (page: Page, id: string, row: number, values: object) =>
  send(page, 'patch', `/api/queue/${id}/rows/${row}`, { values });

/** Signs in with a call and opens a screen, so that the page loads once. */
export async function signInAt(page: Page, path: string): Promise<void> {
  await openSession(page);
  await page.goto(path);
}

/** As above, and waits for the dashboard. */
export async function signIn(page: Page): Promise<void> {
  await signInAt(page, '/');
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
}

/** Opens a screen with the navigation, without a page load. */
export async function goTo(page: Page, entry: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: entry }).click();
}

/**
 * Opens an address in the app that is loaded, as a link does, without a page load, and waits until the screen before it
 * is gone. The address must have another path.
 */
export async function goToAddress(page: Page, address: string): Promise<void> {
  const screen = await page.locator('#main > *').first().elementHandle();
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, address);
  await page.waitForFunction((one) => !one?.isConnected, screen);
}

/** The current notification, once it has this title. */
export async function toast(page: Page, title: string): Promise<Locator> {
  const shown = page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem');
  await shown.getByText(title, { exact: true }).waitFor();
  return shown;
}

/** A job with the fields of the specification only, as another server could send it. */
export const plainJob = (id: string, status: string, set: object = {}) => ({
  id,
  filename: `${id}.csv`,
  fileSize: 1536,
  status,
  progress: 40,
  progressPercentage: 40,
  processedProducts: 5,
  totalProducts: 12,
  createdProducts: 0,
  createdAt: '2025-03-01T09:00:00.000Z',
  startedAt: '2025-03-01T10:00:00.000Z',
  completedAt: null,
  errorLog: [],
  errorCount: 0,
  errorMessage: null,
  fieldMapping: {},
  ...set,
});

export type ChosenFile = { name: string; content: string | Buffer; type?: string };

/** Chooses a file on Upload CSV, which must be open. */
export async function choose(page: Page, file: ChosenFile): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: /^Choose (Another )?File$/ }).click();
  const buffer = typeof file.content === 'string' ? Buffer.from(file.content) : file.content;
  await (await chooser).setFiles({ name: file.name, mimeType: file.type ?? 'text/csv', buffer });
}

/** Shows all rows of the import whose page is open: the upload's link leads to those that need the operator. */
export async function showAllRows(page: Page): Promise<void> {
  const { pathname, search } = new URL(page.url());
  if (search !== '') await page.goto(`${pathname}?class=all`);
}

/** Opens an import from the queue, which must be open, with all rows: one with problems opens on these. */
export async function openWithAllRows(page: Page, filename: string): Promise<void> {
  await queueRow(page, filename).getByRole('link', { name: filename }).click();
  await page.getByRole('group', { name: 'Filter rows' }).getByRole('button', { name: /^All/ }).click();
}

/** Uploads a file without the screen, waits until it is processed, and opens its page with all rows. */
export async function uploadAndOpen(page: Page, file: ChosenFile): Promise<void> {
  const id = await uploadByCall(page, file);
  await page.goto(`/queue/${id}?class=all`);
  await page.getByRole('heading', { name: file.name, level: 1 }).waitFor();
}

/** Uploads a file through the screen, waits until it is processed, and opens its page with all rows. */
export async function uploadOnScreen(page: Page, file: ChosenFile): Promise<void> {
  await goTo(page, 'Upload CSV');
  await choose(page, file);
  await page.getByRole('button', { name: 'Process All' }).click();
  await toast(page, 'CSV Processing Complete!');
  await page.getByRole('link', { name: 'Review' }).click();
  await page.getByRole('heading', { name: file.name, level: 1 }).waitFor();
  await showAllRows(page);
}

/** Uploads a file without the screen, and waits until it is processed; returns the import's id. */
export async function uploadByCall(
  page: Page,
  { name, content }: Pick<ChosenFile, 'name' | 'content'>,
): Promise<string> {
  const buffer = typeof content === 'string' ? Buffer.from(content) : content;
  const file = { name, mimeType: 'text/csv', buffer };
  const uploaded = await unlessBusy(
    () => page.request.post('/api/upload', { multipart: { csv: file } }),
    (reply) => reply.status(),
  );
  expect(uploaded.status()).toBe(200);
  const { id } = await uploaded.json();
  const status = async () => statusIn(await (await page.request.get(whenProcessed(id))).json());
  await expect.poll(status, { timeout: waitMsMax }).toMatch(/^(queued|processed)$/);
  return id;
}

/** The row of an import in the queue's table, which must be open. */
export function queueRow(page: Page, filename: string, nth = 0): Locator {
  return page
    .getByRole('table', { name: 'Active Jobs' })
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name: filename }) })
    .nth(nth);
}

/** Chooses an entry of a row's menu in the queue's table. */
export async function chooseInMenu(row: Locator, entry: string): Promise<void> {
  await row.getByRole('button', { name: /^More actions for / }).click();
  await row.page().getByRole('menuitem', { name: entry }).click();
}

/** Chooses an entry of the menu of an import's page. */
export async function chooseOnPage(page: Page, entry: string): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: entry }).click();
}

/** Chooses an entry of the opened menu with Enter. */
export const chooseByKeyboard = (page: Page, entry: string): Promise<void> =>
  enterWithin(page.getByRole('menu'), (menu) => menu.getByRole('menuitem', { name: entry }));

/** Presses a button of the opened question with Enter. */
export const answerByKeyboard = (question: Locator, answer: string): Promise<void> =>
  enterWithin(question, (within) => within.getByRole('button', { name: answer }));

/** A menu or a dialog takes the focus a moment after it has opened. */
async function enterWithin(opened: Locator, find: (within: Locator) => Locator): Promise<void> {
  await expect
    .poll(() => opened.evaluate((one) => one.contains(document.activeElement)), { timeout: waitMsMax })
    .toBe(true);
  await find(opened).press('Enter');
}

/** Waits until an opened field offers exactly these options. */
export const seesOptions = (page: Page, ...options: string[]) =>
  expect.poll(() => page.getByRole('option').allTextContents(), { timeout: waitMsMax }).toEqual(options);

/** Waits until a text is visible in `within`. */
export async function sees(within: Locator | Page, text: string | RegExp): Promise<void> {
  await within.getByText(text).first().waitFor();
}

/** Waits until the bar of the import whose page is open stands for these products: '2 valid, 1 error'. */
export const seesClasses = (page: Page, words: string) =>
  page.getByRole('img', { name: words, exact: true }).first().waitFor();

/** Filters the rows of the import whose page is open by a class from the menu of classes. */
export async function chooseClass(page: Page, name: RegExp): Promise<void> {
  await page.locator('fieldset button[aria-haspopup="menu"]').first().click();
  await page.getByRole('menuitem', { name }).click();
}

/** Opens what is known of the import whose page is open, unless it is open. */
export async function openDetails(page: Page): Promise<Locator> {
  const details = page.getByRole('complementary', { name: 'Details' });
  // A phone's button names what is to be done there.
  const button = page.getByRole('button', { name: /^(Details|Decide)$/, expanded: false });
  if (!(await details.isVisible())) await button.click();
  await details.waitFor();
  return details;
}

export const closeDetails = (page: Page) => page.getByRole('button', { name: 'Close Details' }).click();

/** The outcomes shown on an import's page, which must be open: '1 Created', '52 Unchanged'. */
export async function shownOutcomes(page: Page): Promise<string[]> {
  const words = await page.getByRole('region', { name: /^Job Status/ }).textContent();
  return Array.from(
    (words ?? '').matchAll(/([\d,]+)(Created|Updated|Unchanged|Skipped|Failed)/g),
    ([, count, outcome]) => `${count} ${outcome}`,
  );
}

/** Waits until an import's page shows exactly these outcomes. */
export async function expectOutcomes(page: Page, ...outcomes: string[]): Promise<void> {
  await expect.poll(() => shownOutcomes(page), { timeout: waitMsMax }).toEqual(outcomes);
}

/** The tabs of a screen, in their order. */
export function tabNames(page: Page): Promise<string[]> {
  return page.getByRole('tab').allTextContents();
}

/**
 * Holds the next POST to `path` until the returned function is called, so that a test can look at the screen
 * meanwhile. `reply`: the answer then; if absent, the server's.
 */
export async function holdPost(
  page: Page,
  path: string,
  reply?: Parameters<Route['fulfill']>[0],
): Promise<() => void> {
  const released = Promise.withResolvers<void>();
  let isHeld = false;
  await page.route(
    (url) => url.pathname === path,
    async (route) => {
      if (isHeld || route.request().method() !== 'POST') return route.fallback();
      isHeld = true;
      await released.promise;
      return reply ? route.fulfill(reply) : route.continue();
    },
  );
  return released.resolve;
}

/** Holds what matches `url` until the returned function is called. */
export async function holdReplies(page: Page, url: string | RegExp): Promise<() => void> {
  const released = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    await released.promise;
    await route.continue();
  });
  return released.resolve;
}

/** Notes the method and path of each request of a page to the api. */
export function requestsOf(page: Page): string[] {
  const noted: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/')) noted.push(`${request.method()} ${pathname}`);
  });
  return noted;
}

/** Waits until an element has the focus. */
export async function hasFocus(element: Locator): Promise<void> {
  await expect
    .poll(() => element.evaluate((one) => one === document.activeElement), { timeout: waitMsMax })
    .toBe(true);
}

/**
 * Nothing may overflow at the right, because a phone would then scroll the page sideways. After a change of the
 * window's size a table may need a moment to become cards.
 */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  // Not the window's own width: on a phone it grows with the content.
  const window = page.viewportSize()?.width ?? 0;
  const fits = (most: number) => (document.scrollingElement?.scrollWidth ?? 0) <= most;
  await page.waitForFunction(fits, window, { timeout: waitMsMax }).catch(() => {});
  const width = await page.evaluate(() => document.scrollingElement?.scrollWidth ?? 0);
  expect(width, `width of the content at ${page.url()}`).toBeLessThanOrEqual(window);
}

/** Lets a page poll every half second where it polls every few seconds, so that a test need not wait for that. */
export async function hurryPolls(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const interval = window.setInterval;
    window.setInterval = ((run: TimerHandler, ms = 0, ...rest: unknown[]) =>
      interval(run, ms >= 1000 ? 500 : ms, ...rest)) as typeof window.setInterval;
  });
}

/** The button that plans the push of the open import, once no plan is being made. */
export const planButton = (page: Page) =>
  page
    .getByRole('button', { name: /^(Plan the Push|Compare Again)$/ })
    .and(page.locator('[aria-busy="false"]'));
