import type { Page } from 'playwright-core';
import { afterAll, expect } from 'vitest';
import { bareProducts, startAi, type TestAi, titled } from '../../support/ai.ts';
import { csvOf, until } from '../../support/fixture.ts';
import type { StoredProduct } from '../../support/stack.ts';
import { waitMsMax } from '../browser.ts';
import { browser, stack, testOnOwnStack } from '../own-stack.ts';
import { smallTargets, violationsOf } from '../page-checks.ts';
import {
  chooseByKeyboard,
  chooseOnPage,
  expectNoSidewaysScroll,
  goTo,
  hasFocus,
  post,
  put,
  queueRow,
  sees,
  signIn,
  toast,
  uploadAndOpen,
  uploadByCall,
} from '../steps.ts';

let ai: TestAi;
afterAll(() => ai?.close());
const test = testOnOwnStack(async () => {
  ai = await startAi();
  return { env: { AI_BASE_URL: ai.url, AI_MODEL: 'strict' } };
});

/** Limits that the simulated service does not reach, and prices. */
const settings = {
  prices: { in: 0.5, out: 2, currency: 'USD' },
  limits: {
    requestsPerMinute: 10_000,
    importRequests: 500,
    importTokens: 1_000_000,
    importCost: 2,
    parallel: 4,
  },
};
const priced = async (page: Page) => await put(page, '/api/ai', settings);

const boards = (prefix: string, count: number) =>
  csvOf([
    ['Title', 'Price', 'SKU'],
    ...Array.from({ length: count }, (_, at) => [
      `Walnut Cutting Board ${at + 1}`,
      '9.90',
      `${prefix}-${at + 1}`,
    ]),
  ]);

const panelOf = (page: Page) => page.getByRole('region', { name: 'Ask AI', exact: true });
const proposalsOf = (page: Page) => page.getByRole('region', { name: /^Proposals/ });
const openPanel = async (page: Page) => {
  await chooseOnPage(page, 'Ask AI');
  await hasFocus(panelOf(page).getByRole('heading', { name: 'Ask AI' }));
};
const push = async (page: Page, name: string, count: number) => {
  await goTo(page, 'Processing Queue');
  await queueRow(page, name).getByRole('button', { name: 'Push to Shopify' }).click();
  await queueRow(page, name)
    .getByText(`${count} uploaded to Shopify`)
    .waitFor({ timeout: 3 * waitMsMax });
};

/** What the store gives a product itself, or what names it. */
const ownKeys = /^(id|handle|sku|value|inventoryItemId|addedAtMs|createdAtMs|updatedAtMs)$/;

/** A product as it was sent, without what belongs to this one only. */
const sent = (product: StoredProduct): Record<string, unknown> =>
  JSON.parse(JSON.stringify(product, (key, one) => (ownKeys.test(key) ? undefined : one)));
const storedOf = async (prefix: string) =>
  (await stack.store.products()).filter(({ variants }) => variants[0]?.sku?.startsWith(`${prefix}-`));

test('60 rows get proposals, and 50 are taken with one click', () =>
  browser.visit({}, async (page) => {
    await signIn(page);
    await priced(page);
    await uploadAndOpen(page, { name: 'boards.csv', content: boards('A', 60) });
    expect(await ai.journal('Walnut')).toEqual([]);

    await openPanel(page);
    const panel = panelOf(page);
    await sees(panel, 'About 60 products have a short description or no value in one of these fields');
    await panel.getByRole('button', { name: 'Ask about 5 first: under $0.01' }).click();
    await sees(panel, /^5 products asked; \d+ proposals\. [\d,]+ tokens, under \$0\.01 of \$2\.00\.$/);
    expect(await ai.journal('Walnut')).toHaveLength(1);
    await panel.getByRole('button', { name: /^Ask about all 60: about \$0\.\d\d$/ }).click();
    await panel
      .getByText(/^60 products asked; /)
      .first()
      .waitFor({ timeout: 3 * waitMsMax });
    await sees(panel, 'AI was asked about all of these products.');
    await panel.getByRole('button', { name: 'Ask Again' }).waitFor();

    const proposals = proposalsOf(page);
    await panel.getByRole('button', { name: 'Go to Proposals' }).click();
    await hasFocus(proposals.getByRole('heading', { name: 'Proposals 120' }));
    await proposals.getByRole('button', { name: /^Type\s*60$/ }).click();
    const lines = proposals.getByRole('list', { name: 'Proposals' }).getByRole('listitem');
    await expect.poll(() => lines.count()).toBe(50);
    await sees(lines.first(), 'Proposed by AI. The file has no product type.');
    await proposals.getByRole('checkbox', { name: 'Select 50 shown proposals' }).click();
    await proposals.getByRole('button', { name: 'Accept the selected proposals' }).click();
    await sees(await toast(page, 'Proposals accepted'), '50 values were accepted.');
  }));

test('the import with proposals is pushed as one without AI, but for the 50 values that were taken', () =>
  browser.visit({}, async (page) => {
    await signIn(page);
    await push(page, 'boards.csv', 60);
    await uploadAndOpen(page, { name: 'without.csv', content: boards('B', 60) });
    await push(page, 'without.csv', 60);
    const [asked, without] = [(await storedOf('A')).map(sent), (await storedOf('B')).map(sent)];
    expect([asked.length, without.length]).toEqual([60, 60]);
    const byTitle = new Map(without.map((product) => [product.title, product]));
    const changed = asked.filter(
      (product) => product.productType !== byTitle.get(product.title)?.productType,
    );
    expect(changed).toHaveLength(50);
    for (const product of asked) {
      const expected = byTitle.get(product.title);
      const type = changed.includes(product) ? { productType: 'Board' } : {};
      expect(product).toEqual({ ...expected, ...type });
    }
  }));

test('the switch in Settings ends a call under way, and the import says why', () =>
  browser.visit({}, async (page) => {
    await signIn(page);
    await priced(page);
    await uploadAndOpen(page, { name: 'slow.csv', content: bareProducts([titled('Slow Lamp', 'late')]) });
    await openPanel(page);
    const panel = panelOf(page);
    await panel.getByRole('button', { name: /^Ask about 1 product: / }).click();
    await sees(panel, /^0 of 1 asked · at most [\d,]+ tokens · under \$0\.01 of \$2\.00/);
    await until('the call is under way', async () => (await ai.journal('Slow')).length === 1);
    await post(page, '/api/settings', { aiValidation: false });
    // The answer would come after a minute.
    await until('the call is ended', async () => (await ai.journal('Slow'))[0]?.answered === 'aborted');
    await sees(panel, 'AI Validation & Enhancement was turned off in Settings.');
    const ask = panel.getByRole('button', { name: 'Ask AI', exact: true });
    expect(await ask.getAttribute('aria-disabled')).toBe('true');
    expect(await ai.journal('Slow')).toHaveLength(1);
    await post(page, '/api/settings', { aiValidation: true });

    // Stop, with another call under way.
    await page.reload();
    await panel.getByRole('button', { name: /^Ask about 1 product: / }).click();
    await until('another call', async () => (await ai.journal('Slow')).length === 2);
    await panel.getByRole('button', { name: 'Stop', exact: true }).press('Enter');
    await until('the call is ended', async () => (await ai.journal('Slow'))[1]?.answered === 'aborted');
    await sees(panel, /Stopped\.$/);
    await hasFocus(panel.getByRole('button', { name: /^Ask about 1 product: / }));
  }));

test('asks with the keyboard and on a phone, counts what was dropped, and takes a description in the dialog', () =>
  browser.visit({}, async (page) => {
    await signIn(page);
    await priced(page);
    const invented = bareProducts([titled('Enamel Bread Bin', 'invented')]);
    await uploadAndOpen(page, { name: 'bin.csv', content: invented });
    await openPanel(page);
    await panelOf(page)
      .getByRole('button', { name: /^Ask about 1 product: / })
      .click();
    await sees(panelOf(page), /^1 product asked; no proposals\./);
    await panelOf(page)
      .getByText(/^\d+ values weren’t proposed$/)
      .press('Enter');
    await sees(panelOf(page), /^\d+: facts that the row doesn’t have$/);

    const titles = ['Hand Thrown Stoneware Serving Bowl', 'Hand Painted Stoneware Soup Tureen'];
    await uploadAndOpen(page, { name: 'bowls.csv', content: bareProducts(titles) });
    await page.getByRole('button', { name: 'More actions' }).press('Enter');
    await chooseByKeyboard(page, 'Ask AI');
    const panel = panelOf(page);
    await hasFocus(panel.getByRole('heading', { name: 'Ask AI' }));
    for (const field of ['Type', 'Brand', 'Tags']) {
      await panel.getByRole('checkbox', { name: field }).press('Space');
    }
    await sees(panel, 'About 2 products have a short description or no value in one of these fields');
    const description = panel.getByRole('checkbox', { name: 'Description' });
    await description.press('Space');
    const ask = panel.getByRole('button', { name: 'Ask AI', exact: true });
    expect(await ask.getAttribute('aria-disabled')).toBe('true');
    await description.press('Space');
    await panel.getByRole('button', { name: /^Ask about all 2: / }).press('Enter');
    await sees(panel, /^2 products asked; 2 proposals\./);
    await hasFocus(panel.getByRole('button', { name: 'Ask Again' }));
    expect(await violationsOf(page)).toEqual([]);

    await page.getByRole('button', { name: 'Edit all fields of row 1' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Edit Product Details - Shopify Format' });
    const proposed = dialog.getByRole('region', { name: 'Proposed description' });
    await sees(proposed, 'Proposed by AI.');
    await proposed.getByRole('button', { name: 'Accept the proposed description' }).press('Enter');
    const field = dialog.getByRole('textbox', { name: 'Description', exact: true });
    await hasFocus(field);
    await expect.poll(() => field.inputValue()).toContain('Hand Thrown Stoneware Serving Bowl');
    await proposed.waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    await page.setViewportSize({ width: 390, height: 844 });
    await panel.getByText(/What is sent\?$/).click();
    await sees(panel, 'Draftshelf sends the title');
    await expectNoSidewaysScroll(page);
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Close Details' }).press('Enter');
    await panel.waitFor({ state: 'detached' });
    await hasFocus(page.getByRole('button', { name: 'More actions' }));
  }));

test('an import without its switch says why nothing is asked, on a touch screen', () =>
  browser.visit({ viewport: { width: 390, height: 844 }, touch: true }, async (page) => {
    await signIn(page);
    const id = await uploadByCall(page, { name: 'off.csv', content: boards('O', 1) });
    await stack.database.pool.query('update imports set enable_ai = false where id = $1', [id]);
    await page.goto(`/queue/${id}`);
    await openPanel(page);
    await sees(panelOf(page), 'AI Validation & Enhancement was turned off when this file was uploaded.');
    expect(await smallTargets(panelOf(page))).toEqual([]);
    // Settings would not help.
    expect(await panelOf(page).getByRole('link').count()).toBe(0);
    await page.goto('/upload');
    await sees(page, 'Ask AI is in the … menu of each import; nothing is sent before you use it.');
    await page.getByRole('switch', { name: 'AI Validation & Enhancement' }).click();
    await sees(page, 'While this is off, AI can’t be asked about this file.');
  }));
