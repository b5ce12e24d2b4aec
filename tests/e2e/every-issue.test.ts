import type { GuardIssue } from '@draftshelf/domain/products/guards';
import type { IssueCode } from '@draftshelf/domain/review/issues';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { browserOf } from '../support/api-client.ts';
import { isLong } from '../support/queue-backend.ts';
import { waitMsMax } from './browser.ts';
import { dialogOf, filters, open, row } from './change-steps.ts';
import { fileWithIssues, issueCounts, otherFile } from './every-issue.ts';
import { accessKey, type Product } from './product.ts';
import { hasFocus, holdReplies, toast, upload } from './steps.ts';
import { test } from './test.ts';

/** What an operator presses, and where the focus is meanwhile. */
function keysOf(page: Page) {
  let pressed = 0;
  const press = async (...keys: string[]) => {
    for (const key of keys) {
      pressed += 1;
      await page.keyboard.press(key);
    }
  };
  const focusIs = (selector: string) =>
    page.waitForFunction((one) => document.activeElement?.matches(one), selector);
  /** Presses a letter of the screen: in a cell it would be text. */
  const letter = async (key: string) => {
    const isCell = await page.evaluate(() => document.activeElement?.closest('[data-editable]') != null);
    if (isCell) {
      await press('Home');
      await focusIs('input[type="checkbox"]');
    }
    await press(key);
  };
  const type = async (text: string) => {
    pressed += text.length;
    await page.keyboard.type(text);
  };
  const applied = async () => {
    const dialog = dialogOf(page);
    // Not before the preview has been seen.
    const apply = dialog.locator('button:not([aria-disabled="true"])');
    await apply.filter({ hasText: /^(Clear|Change|Leave Out) \d/ }).waitFor();
    await press('Control+Enter');
    await dialog.waitFor({ state: 'detached' });
  };
  return {
    count: () => pressed,
    press,
    letter,
    /** Types into the cell that has the focus, and saves. */
    async enter(text: string) {
      await press('Enter');
      await focusIs('tr input');
      await type(text);
      await press('Enter');
    },
    /** Types a number over the cell that has the focus, and saves. */
    async overtype(text: string) {
      await type(text);
      await press('Enter');
    },
    /** Types over the cell below the one before, and saves. */
    async enterAfter(row: number, text: string) {
      await focusIs(`tr:not([data-row="${row}"]) td`);
      await type(text);
      await press('Enter');
    },
    /** The row that has the focus. */
    row: async () => Number(await page.locator('tr:focus-within').getAttribute('data-row')),
    /** Edits the next row with the issue, and saves. */
    async enterNext(text: string) {
      await letter('n');
      await focusIs('tr input');
      await type(text);
      await press('Enter');
      await focusIs('td');
    },
    /** Applies the fix of the issue to all rows with it. */
    async fix() {
      await letter('f');
      await applied();
    },
    /** Sets the field of the issue for all rows with it. */
    async set(text: string) {
      await letter('c');
      await page.waitForFunction(() => document.activeElement?.textContent === 'Change a Price');
      await press('Tab', 'Enter');
      await focusIs('[role="dialog"] input');
      await type(text);
      await applied();
    },
    /** Sets the field of the issue where only the change of many rows can. */
    async setOne(text: string) {
      await letter('n');
      await focusIs('[role="dialog"] input');
      await type(text);
      await applied();
    },
    /** Empties the field of the issue in the form with all fields. */
    async emptyInForm() {
      await letter('n');
      const dialog = page.getByRole('dialog', { name: /^Edit Product Details/ });
      await focusIs('[role="dialog"] input');
      await press('Control+a', 'Delete', 'Control+Enter');
      await dialog.waitFor({ state: 'detached' });
    },
    /** Filters by the commonest wrong value. */
    async firstValue() {
      await letter('v');
      await focusIs('[role="dialog"] li button');
      const loaded = page.waitForResponse((reply) => /\/rows\?.*value=/.test(reply.url()));
      await press('Enter');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await loaded;
      await page.locator('[data-rows][aria-busy="false"]').waitFor();
    },
    async leaveOut() {
      await letter('x');
      await page.locator('tr:focus-within').getByText('Left out of the push').waitFor();
    },
    async leaveAllOut() {
      await letter('Shift+X');
      await applied();
    },
  };
}
type Keys = ReturnType<typeof keysOf>;

const leaveOut = (keys: Keys) => keys.leaveOut();
const leaveAllOut = (keys: Keys) => keys.leaveAllOut();
const fix = (keys: Keys) => keys.fix();

/** Kinds of issues of amounts that depend on the other cells of their column. */
type OfColumns = 'third-decimal' | 'amount-inferred' | 'price-of-several';
/** Kinds of issues that a file without a supplier can have. */
type Kind = Exclude<IssueCode, 'unknown-product' | OfColumns | GuardIssue>;

/** How an operator ends each kind of issue, in the order of the screen. */
const ways: Record<Kind, (keys: Keys) => Promise<void>> = {
  'title-missing': (keys) => keys.enter('Named by keyboard'),
  'price-missing': async (keys) => {
    const first = await keys.row();
    await keys.overtype('7.50');
    await keys.enterAfter(first, '8');
  },
  'price-not-numeric': (keys) => keys.enterNext('12'),
  'title-too-long': fix,
  'brand-too-long': fix,
  'type-too-long': fix,
  'tag-too-long': fix,
  'sku-too-long': (keys) => keys.enter('EI-SHORT'),
  'upc-too-long': fix,
  'option-too-long': (keys) => keys.setOne('M'),
  'too-many-tags': (keys) => keys.set('sale,'),
  duplicate: (keys) => keys.enter('ONCE'),
  'price-zero': (keys) => keys.overtype('5'),
  'compare-at-below-price': fix,
  'cost-above-price': (keys) => keys.set('4'),
  'quantity-not-numeric': async (keys) => {
    await keys.firstValue();
    await keys.enterNext('3');
    await keys.firstValue();
    await keys.enterNext('4');
  },
  'quantity-negative': fix,
  'quantity-loose': (keys) => keys.overtype('4'),
  'upc-check-digit': fix,
  'upc-digits-lost': (keys) => keys.enter('012345678905'),
  'upc-two-codes': (keys) => keys.enter('036000291452'),
  'image-invalid': (keys) => keys.emptyInForm(),
  'image-page': leaveOut,
  'same-options': leaveOut,
  'formula-error': leaveOut,
  'formula-not-calculated': leaveOut,
  'made-a-date': leaveOut,
  'text-garbled': leaveOut,
  'invalid-utf8': leaveOut,
  nul: leaveOut,
  'too-few-cells': leaveAllOut,
  'too-many-cells': leaveOut,
  'in-other-import': leaveOut,
  'other-currency': leaveAllOut,
  'price-repeated': leaveOut,
  'parent-without-price': leaveOut,
  'quantity-missing': (keys) => keys.enter('4'),
  'value-unread': leaveOut,
  'text-cleaned': leaveOut,
  'bad-quote': leaveOut,
  'unclosed-quote': leaveOut,
  'lone-cr': leaveOut,
  'mixed-line-ends': leaveOut,
  'extra-separator': leaveOut,
  'missing-separator': leaveOut,
};

const kinds = Object.keys(ways) as Kind[];

/** About six for each kind: more of them are a step that has become awkward. */
const keysMax = 6 * kinds.length;

/** Uploads the file and the other import that has one of its SKUs; returns the id of the file's. */
async function uploadBoth(product: Product): Promise<string> {
  await upload(product, 'elsewhere.csv', otherFile);
  return upload(product, 'every-issue.csv', fileWithIssues(kinds));
}

async function issuesOf({ apiUrl }: Product, id: string): Promise<Partial<Record<string, number>>> {
  const api = browserOf(apiUrl);
  await api.login(accessKey);
  const { body } = await api.call('GET', `/api/queue/${id}/rows?limit=1`);
  return (body as { facets: { issues: Record<string, number> } }).facets.issues;
}

test.runIf(isLong)('issues are worked through by keyboard, until none is left', ({ browser, product }) =>
  browser.visit({}, async (page) => {
    const id = await uploadBoth(product);
    await expect.poll(() => issuesOf(product, id), { timeout: waitMsMax }).toMatchObject(issueCounts(kinds));
    await open(page, id);
    const keys = keysOf(page);
    const worked: string[] = [];
    const count = filters(page).locator('button[aria-pressed="true"]').last().locator('.numbers');
    while (worked.length < kinds.length) {
      await keys.letter('i');
      // The first row of the next kind has the focus once it is there.
      const isNext = (before: string | undefined) => {
        const issue = new URL(location.href).searchParams.get('issue');
        return issue !== null && issue !== before && document.activeElement?.closest('[data-row]') !== null;
      };
      const next = await page.waitForFunction(isNext, worked.at(-1)).catch(() => null);
      if (next === null) break;
      const code = new URL(page.url()).searchParams.get('issue') as Kind;
      expect(worked).not.toContain(code);
      worked.push(code);
      await ways[code](keys);
      // Its own count is 0, and the focus is somewhere on the page.
      await expect.poll(() => count.textContent(), { message: code, timeout: waitMsMax }).toBe('0');
      await page.waitForFunction(() => document.activeElement !== document.body);
    }
    expect(worked).toEqual(kinds);
    await keys.letter('i');
    await toast(page, 'No more issues');
    const { 'left-out': leftOut = 0, ...left } = await issuesOf(product, id);
    expect([left, leftOut]).toEqual([{}, expect.any(Number)]);
    expect(keys.count()).toBeLessThanOrEqual(keysMax);
  }),
);

test.runIf(isLong)(
  'a search that is begun while a kind of issue loads keeps the focus',
  ({ browser, product }) =>
    browser.visit({}, async (page) => {
      const csv = 'Title,Price,SKU\nLamp one,5,KF-1\nLamp two,,KF-2\nLamp three,,KF-3\n';
      const id = await upload(product, 'kept-focus.csv', csv);
      await open(page, id);
      const search = page.locator('[data-search-field]');
      const releaseRows = await holdReplies(page, /\/rows\?.*issue=/);
      await page.keyboard.press('i');
      await page.locator('[data-rows][aria-busy="true"]').waitFor();
      await page.keyboard.press('/');
      await hasFocus(search);
      releaseRows();
      await page.locator('[data-rows][aria-busy="false"]').waitFor();
      await row(page, 1).waitFor({ state: 'detached' });
      await page.keyboard.type('xx');
      await hasFocus(search);
      expect(await search.inputValue()).toBe('xx');
      expect((await issuesOf(product, id))['left-out']).toBeUndefined();
    }),
);
