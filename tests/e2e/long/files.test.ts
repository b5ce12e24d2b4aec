import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import {
  chooseOnPage,
  expectOutcomes,
  openSession,
  post,
  queueRow,
  sees,
  seesClasses,
  signIn,
  uploadAndOpen,
} from '../steps.ts';
import { test } from '../test.ts';

const fixture = async (name: string) => ({
  name,
  content: await readFile(new URL(`../../fixtures/${name}`, import.meta.url)),
});

/** The expected text on the import's page, and each product's variants in the store, in order. */
const pushed = [
  {
    name: 'semicolon-decimal-comma.csv',
    classes: '7 valid',
    says: ['7 products'],
    drafts: [
      ['Grüner Übertopf mit Füßen', 'GT-1001 59.99'],
      ['Esstisch Weißeiche', 'GT-1002 1249.00'],
      ['Teelichthalter "Nordlicht"', 'GT-1003 7.50'],
      ['Kissenhülle Maß nach Wahl', 'GT-1004.1 24.95'],
      ['Kissenhülle Maß nach Wahl', 'GT-1004.2 29.95'],
      ['Wandspiegel „Bögen“', 'GT-1005 189.00'],
      ['Duftkerze; Fichte & Zimt', 'GT-1006 12.00'],
    ],
  },
  {
    name: 'shopify-export.csv',
    classes: '3 valid',
    says: ['3 products', '7 rows'],
    drafts: [
      ['Linen Cushion', 'LC-S-40 34.00', 'LC-S-50 39.00', 'LC-M-40 34.00'],
      ['Brass Reading Lamp', 'BL-1 129.50'],
      ['Ash Stool', 'AS-45 88.00', 'AS-65 96.00'],
    ],
  },
  {
    name: 'spree-scattered-groups.csv',
    classes: '4 valid',
    says: ['4 products', '9 rows'],
    otherCurrency: 'Prices are in USD, but the store uses CAD.',
    drafts: [
      ['Tall Vase', 'TALL-VASE-W 48.00', 'TALL-VASE-B 52.00', 'TALL-VASE-W-40 58.00'],
      ['Oval Mirror', 'OVAL-MIRROR 139.00'],
      ['Wool Throw', 'WOOL-THROW-R 75.00', 'WOOL-THROW-G 75.00'],
      ['Oak Tray', 'OAK-TRAY 32.00'],
    ],
  },
  {
    name: 'parent-sku.csv',
    classes: '4 valid',
    says: ['4 products', '6 rows'],
    drafts: [
      ['Hand-Knotted Rug', 'RUG-1-S 420.00', 'RUG-1-L 690.00'],
      ['Stone Pot', 'POT-1 49.50'],
      ['Stone Bowl', 'POT-2 39.00'],
      ['Plain Wall Clock', 'CLK-1 65.00'],
    ],
  },
  {
    name: 'tea-zh-en.csv',
    classes: '4 valid',
    says: ['4 products'],
    drafts: [
      ['Silver Needle', 'baihao-silver 260.00'],
      ['Dong Ding Oolong', 'dongding 195.00'],
      ['Chrysanthemum Flowers', 'chrysanthemum 88.00'],
      ['Porcelain Gaiwan', 'gaiwan 145.00'],
    ],
  },
];

test.for(pushed)('$name goes from upload to drafts', async (file, { browser, product }) => {
  const { name, classes, says, otherCurrency, drafts } = file;
  const before = new Set((await product.store.products()).map(({ id }) => id));
  await browser.visit({}, async (page) => {
    await openSession(page);
    await uploadAndOpen(page, await fixture(name));
    await seesClasses(page, classes);
    for (const words of says) await sees(page, words);
    await sees(page.getByRole('banner'), otherCurrency ? 'Needs 1 answer' : 'Ready for Shopify');
    if (otherCurrency) await sees(page, otherCurrency);
    await page.getByRole('button', { name: 'Push', exact: true }).click();
    if (otherCurrency) {
      const question = page.getByRole('alertdialog');
      await sees(question, otherCurrency);
      await question.getByRole('button', { name: 'Send As They Are' }).click();
    }
    const row = queueRow(page, name);
    await sees(row, `${drafts.length} uploaded to Shopify`);
    await row.getByRole('link', { name }).click();
    await expectOutcomes(page, `${drafts.length} Created`);
  });
  const made = (await product.store.products()).filter(({ id }) => !before.has(id));
  expect(new Set(made.map(({ status }) => status))).toEqual(new Set(['DRAFT']));
  const stored = made.map(({ title, variants }) => [
    title,
    ...variants.map((one) => `${one.sku} ${one.price}`),
  ]);
  expect(stored.toSorted()).toEqual(drafts.toSorted());
});

/** Files that later versions may read better; none of them may end in an error. */
const reviewed = [
  {
    name: 'meta-feed-comment.csv',
    status: 'Needs 1 answer',
    says: ['3 products', 'Hexagon Shelf Large', 'A spreadsheet has rounded this UPC'],
  },
  {
    name: 'italian-headers.csv',
    status: 'Needs 1 answer',
    says: [
      'Prices are in EUR, but the store uses CAD.',
      '1 needs you',
      'Ciotola "Onda" da tè',
      'Price is missing.',
    ],
  },
  {
    name: 'upper-case-liquidation.csv',
    status: 'Needs 1 answer',
    says: [
      'Prices are in EUR, but the store uses CAD.',
      '4 products',
      'FLOOR LAMP WITH PAPER SHADE',
      'Ignored: totals row',
    ],
  },
];

test.for(reviewed)('$name ends in review, with reasons', ({ name, status, says }, { browser }) =>
  browser.visit({}, async (page) => {
    await openSession(page);
    await uploadAndOpen(page, await fixture(name));
    await sees(page.getByRole('banner'), status);
    for (const words of says) await sees(page, words);
  }),
);

test('a title given to any row of a product is the product’s title, and can be undone', ({ browser }) =>
  browser.visit({}, async (page) => {
    await signIn(page);
    const content = [
      'Handle,Title,Vendor,Option1 Value,Variant Price',
      'stool,,Oak & Co,Low,40',
      'stool,,,High,55',
      'bench,Bench,Oak & Co,,120',
    ].join('\n');
    await uploadAndOpen(page, { name: 'variants-without-title.csv', content });
    const rows = page.getByRole('table', { name: 'Product rows' }).getByRole('row');
    await seesClasses(page, '1 valid, 1 warning');
    await page.getByRole('button', { name: 'Edit row 2' }).click();
    await page.getByLabel('Title of row 2').fill('Stool');
    await page.getByRole('button', { name: 'Save' }).click();
    await sees(rows.nth(1), 'Stool');
    await sees(rows.nth(2), '↳ High · Stool');
    await sees(rows.nth(2), 'Valid');
    await seesClasses(page, '2 valid');

    await page.getByRole('button', { name: 'Undo edit to Title in row 1' }).click();
    await sees(rows.nth(1), 'Title is missing.');
    await sees(rows.nth(2), 'Title is missing.');
    const focused = page.locator('[data-row="1"] td[data-field="title"]');
    await expect.poll(() => focused.evaluate((one) => one === document.activeElement)).toBe(true);
    await chooseOnPage(page, 'Mark as Ready');
    await sees(page, '1 needs you');
  }));

test('variants are told apart, and a row that is not sent has no outcome', ({ browser }) =>
  browser.visit({}, async (page) => {
    await openSession(page);
    const content = [
      'Handle,Title,Option1 Name,Option1 Value,Variant Price,Currency,Variant SKU',
      'mug,Mug,Size,Small,10,CAD,MUG-S',
      'mug,,Size,Large,12,CAD,MUG-L',
      'mug,,,,8,EUR,MUG-S',
    ].join('\n');
    await uploadAndOpen(page, { name: 'two-currencies.csv', content });
    // The price of the third row is in another currency, which the page would ask about.
    const id = /queue\/([^?]+)/.exec(page.url())?.[1];
    await post(page, `/api/queue/${id}/push`);
    await expectOutcomes(page, '1 Created');
    const rows = page.getByRole('table', { name: 'Product rows' }).getByRole('row');
    await sees(rows.nth(2), '↳ Large · Mug');
    await sees(rows.nth(2), 'Created');
    await sees(rows.nth(3), 'This row repeats a price in another currency, so it isn’t sent.');
    expect(await rows.nth(3).getByText('Created').count()).toBe(0);
  }));
