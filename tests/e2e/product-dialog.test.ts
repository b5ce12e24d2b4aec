import { pngOf, pngParts } from '@draftshelf/domain/testing/sample-pictures';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { isLong } from '../support/queue-backend.ts';
import { waitMsMax } from './browser.ts';
import {
  expectNoSidewaysScroll,
  holdReplies,
  openSession,
  openWithAllRows,
  sees,
  seesClasses,
  seesOptions,
  signInAt,
  toast,
  uploadAndOpen,
} from './steps.ts';
import { test } from './test.ts';

const dialogName = 'Edit Product Details - Shopify Format';
const dialogOf = (page: Page) => page.getByRole('dialog', { name: dialogName });
const table = (page: Page) => page.getByRole('table', { name: 'Product rows' });
/** The title of a row in the table, which opens the dialog. */
const openerOf = (page: Page, row: number) =>
  table(page).getByRole('button', { name: new RegExp(`: edit all fields of row ${row}$`) });
const openRow = async (page: Page, row: number) => {
  await openerOf(page, row).click();
  await dialogOf(page).getByLabel('Title', { exact: true }).waitFor();
};
const field = (dialog: Locator, label: string) => dialog.getByLabel(label, { exact: true });
const save = (dialog: Locator) => dialog.getByRole('button', { name: 'Save', exact: true }).click();
const isFocused = (target: Locator) => target.evaluate((element) => element === document.activeElement);
/** The frame of a field: with its origin and the value of the file. */
const frame = (dialog: Locator, name: string) => dialog.locator(`[data-field="${name}"]`);

/** Opens a select, waits until it offers exactly these values, and closes it. */
async function expectOptions(page: Page, label: string, ...options: string[]): Promise<void> {
  await field(dialogOf(page), label).click();
  await seesOptions(page, ...options);
  await page.keyboard.press('Escape');
}

/** The collections call of the store: its reply, or its failure. */
async function serveCollections(page: Page, reply: object[] | 'failure'): Promise<void> {
  await page.route('**/api/shopify/collections', (route) =>
    reply === 'failure' ? route.fulfill({ status: 502, body: 'no store' }) : route.fulfill({ json: reply }),
  );
}

const columns = [
  'Shopify Title,Description,Shopify Price,Compare Price,Cost,Brand,UPC,Product Image,Category',
  'Collections,Tags,Product Status,Item #,TCIN,Origin,Qty,Track Quantity,Continue Selling',
].join();
const lamp =
  'Lamp,A <b>tall</b> lamp,10,20,5,Acme,036000291452,,Lighting,Decor,old; brass,archived,I-1,123,Target,3,no,yes';
const empty = ','.repeat(15);
const content = [columns, lamp, `Vase,,7${empty}`, `Bowl,,${empty}`, `,,5${empty}`, ''].join('\n');

test('the dialog shows all fields with their origin, and saves what was changed', ({ browser }) =>
  browser.visit({}, async (page) => {
    await serveCollections(page, [
      { id: 1, title: 'Decor' },
      { id: 'gid://shopify/Collection/2', title: 'Living room' },
    ]);
    await openSession(page);
    await uploadAndOpen(page, { name: 'dialog.csv', content });
    await openRow(page, 1);
    const dialog = dialogOf(page);
    const shown = {
      Title: 'Lamp',
      Description: 'A <b>tall</b> lamp',
      Price: '10',
      'Compare-at price': '20',
      Cost: '5',
      UPC: '036000291452',
      'Item #': 'I-1',
      TCIN: '123',
      Origin: 'Target',
      Quantity: '3',
      'Track quantity': 'None',
      'Continue selling': 'Continue',
      'Product status': 'Archived',
      Brand: 'Acme',
      Type: 'Lighting',
      Collection: 'Decor',
      'Point of sale': 'Canada',
    };
    for (const [label, value] of Object.entries(shown)) {
      expect(await field(dialog, label).inputValue(), label).toBe(value);
    }
    await sees(dialog, 'brass');
    await sees(frame(dialog, 'title'), 'File: Shopify Title');
    await sees(frame(dialog, 'pointOfSale'), 'Default');
    await sees(dialog, 'A tall lamp');
    await sees(dialog, 'No Image');
    await sees(dialog, 'Safe Mode is on, so the product is pushed as a draft.');
    await expectOptions(page, 'Product status', 'Draft', 'Active', 'Archived');
    await expectOptions(page, 'Track quantity', 'Shopify', 'None');
    await expectOptions(page, 'Continue selling', 'Deny', 'Continue');
    await expectOptions(page, 'Collection', 'All Products', 'Decor', 'Living room');

    await field(dialog, 'Title').fill('t'.repeat(80));
    await field(dialog, 'Description').fill('d'.repeat(200));
    const preview = dialog.getByRole('region', { name: 'Search preview' });
    await sees(preview, /^t{60}\.\.\.$/);
    await sees(preview, /^d{120}\.\.\.$/);
    await sees(frame(dialog, 'title'), 'In the file: Lamp');
    await dialog.getByRole('button', { name: 'Undo change to Title' }).click();
    expect(await field(dialog, 'Title').inputValue()).toBe('Lamp');
    await field(dialog, 'Title').fill('Floor lamp');
    await field(dialog, 'TCIN').fill('456');
    await field(dialog, 'UPC').fill('036000291453');
    await sees(dialog, 'The last digit doesn’t fit the others.');
    await field(dialog, 'UPC').fill('4006381333931');
    await dialog.getByRole('button', { name: 'Show Addresses' }).click();
    await field(dialog, 'Product image').fill('lamp.jpg');
    await sees(dialog, 'Invalid: “lamp.jpg” isn’t a web address');
    await field(dialog, 'Further images').fill('https://pictures.example/lamp.jpg');
    await sees(dialog, 'Image failed to load');
    await field(dialog, 'Collection').click();
    await page.getByRole('option', { name: 'Living room' }).click();
    await field(dialog, 'Tags').fill('new,');
    await save(dialog);
    await dialog.waitFor({ state: 'hidden' });
    await sees(table(page), 'Floor lamp');
    const opener = openerOf(page, 1);
    await expect.poll(() => isFocused(opener)).toBe(true);

    await openRow(page, 1);
    expect(await field(dialog, 'TCIN').inputValue()).toBe('456');
    expect(await field(dialog, 'Collection').inputValue()).toBe('Living room');
    await sees(dialog, 'new');
    await sees(frame(dialog, 'title'), 'Edited');
    await dialog.getByRole('button', { name: 'Undo edit to Title' }).click();
    expect(await field(dialog, 'Title').inputValue()).toBe('Lamp');
    await save(dialog);
    await dialog.waitFor({ state: 'hidden' });
    await sees(table(page), /^Lamp/);
  }));

test.runIf(isLong)(
  'with the keyboard: from problem to problem, Ctrl+Enter saves, Esc asks about changes',
  ({ browser }) =>
    browser.visit({ expectedConsole: [/status of 502 .*collections/] }, async (page) => {
      await serveCollections(page, 'failure');
      await signInAt(page, '/queue');
      await openWithAllRows(page, 'dialog.csv');
      await openerOf(page, 2).focus();
      await page.keyboard.press('Enter');
      const dialog = dialogOf(page);
      await sees(dialog, 'Failed to fetch collections');
      expect(await field(dialog, 'Collection').inputValue()).toBe('All Products');
      await expectOptions(page, 'Collection', 'All Products');
      expect(await field(dialog, 'Product status').inputValue()).toBe('Active');
      await dialog.getByRole('button', { name: 'Next Problem' }).click();
      await sees(dialog, /^Row 3/);
      await sees(frame(dialog, 'price'), 'Price is missing.');
      await expect.poll(() => isFocused(field(dialog, 'Price'))).toBe(true);
      await field(dialog, 'Price').fill('12.50');
      await page.keyboard.press('Escape');
      const question = page.getByRole('alertdialog', { name: 'Discard your changes?' });
      await question.waitFor();
      // A click outside does nothing, and Esc closes the question only.
      await page.mouse.click(2, 2);
      await page.keyboard.press('Escape');
      await question.waitFor({ state: 'hidden' });
      expect(await field(dialog, 'Price').inputValue()).toBe('12.50');
      await field(dialog, 'Price').press('Control+Enter');
      await sees(dialog, /^Row 4/);
      await sees(frame(dialog, 'title'), 'Title is missing.');
      await expect.poll(() => isFocused(field(dialog, 'Title'))).toBe(true);
      await field(dialog, 'Title').fill('Never saved');
      await dialog.getByRole('button', { name: 'Previous Problem' }).click();
      await question.getByRole('button', { name: 'Discard Changes' }).click();
      await toast(page, 'No more problems');
      await dialog.waitFor({ state: 'hidden' });
      await seesClasses(page, '3 valid, 1 warning');

      await openRow(page, 3);
      expect(await field(dialog, 'Price').inputValue()).toBe('12.50');
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
    }),
);

test.runIf(isLong)(
  'of two browsers, the second one that saves a value sees both and chooses',
  ({ browser }) =>
    browser.visit({ expectedConsole: [/status of 409/, /status of 404 .*collections/] }, async (first) => {
      await signInAt(first, '/queue');
      await openWithAllRows(first, 'dialog.csv');
      await openRow(first, 2);
      await browser.visit({ expectedConsole: [/status of 404 .*collections/] }, async (second) => {
        await signInAt(second, first.url());
        await openRow(second, 2);
        await field(dialogOf(second), 'Title').fill('Their vase');
        await field(dialogOf(second), 'Price').fill('8');
        await save(dialogOf(second));
        await dialogOf(second).waitFor({ state: 'hidden' });
      });
      const dialog = dialogOf(first);
      await field(dialog, 'Title').fill('My vase');
      await field(dialog, 'Price').fill('9');
      await field(dialog, 'Brand').fill('Mine');
      await save(dialog);
      const conflict = (label: string) => dialog.getByRole('group', { name: `Conflict: ${label}` });
      await sees(conflict('Title'), 'My vase');
      await sees(conflict('Title'), 'Their vase');
      await sees(conflict('Price'), '8');
      expect(await conflict('Brand').count()).toBe(0);
      await dialog.getByRole('button', { name: 'Save', exact: true }).hover();
      await sees(first, 'First choose which values to keep.');
      await conflict('Title').getByRole('button', { name: 'Use Saved Value' }).click();
      await conflict('Price').getByRole('button', { name: 'Keep Yours' }).click();
      expect(await field(dialog, 'Title').inputValue()).toBe('Their vase');
      await save(dialog);
      await dialog.waitFor({ state: 'hidden' });
      const row = table(first).getByRole('row').nth(2);
      await sees(row, 'Their vase');
      await sees(row, '$9.00');
      await sees(row, 'Mine');
    }),
);

test.runIf(isLong)(
  'what is typed while the next problem is sought stays, and a closed dialog stays closed',
  ({ browser }) =>
    browser.visit({}, async (page) => {
      await serveCollections(page, []);
      await openSession(page);
      await uploadAndOpen(page, { name: 'sought.csv', content: 'Title,Price\nLamp,1.90\nVase,\nCup,\n' });
      await openRow(page, 1);
      const dialog = dialogOf(page);
      const sought = /\/rows\?.*class=needs-you.*limit=1(&|$)/;
      const seek = async (meanwhile: () => Promise<void>) => {
        const release = await holdReplies(page, sought);
        const found = page.waitForResponse(sought);
        await dialog.getByRole('button', { name: 'Next Problem' }).click();
        await meanwhile();
        release();
        await (await found).finished();
        await page.evaluate(
          () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
        );
        await page.unroute(sought);
      };
      await seek(() => field(dialog, 'Title').fill('Typed'));
      expect(await field(dialog, 'Title').inputValue()).toBe('Typed');
      await field(dialog, 'Title').fill('Lamp');
      await seek(async () => {
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'detached' });
      });
      expect(await dialog.count()).toBe(0);
      await openRow(page, 1);
      await seek(async () => {});
      await sees(dialog, 'Row 2');
    }),
);

test.runIf(isLong)('what is typed after Save & Next is saved over the values of that save', ({ browser }) =>
  browser.visit({}, async (page) => {
    await serveCollections(page, []);
    await openSession(page);
    await uploadAndOpen(page, { name: 'saved-next.csv', content: 'Title,Price\nLamp,1.90\nVase,\nCup,\n' });
    await openRow(page, 1);
    const dialog = dialogOf(page);
    await field(dialog, 'Title').fill('Floor lamp');
    const releaseSave = await holdReplies(page, '**/api/queue/*/rows/1');
    const saved = page.waitForResponse('**/api/queue/*/rows/1');
    await dialog.getByRole('button', { name: 'Save & Next' }).click();
    await field(dialog, 'Title').fill('Floor lamp, tall');
    releaseSave();
    await saved;
    await page.getByRole('button', { name: 'Undo', exact: true }).waitFor();
    expect(await field(dialog, 'Title').inputValue()).toBe('Floor lamp, tall');
    await sees(dialog, /^Row 1/);
    await page.unroute('**/api/queue/*/rows/1');
    await save(dialog);
    await dialog.waitFor({ state: 'hidden' });
    await sees(table(page), 'Floor lamp, tall');
  }),
);

test.runIf(isLong)(
  'a failed save stays in the dialog; a test of the product links to the store',
  ({ browser }) =>
    browser.visit({ expectedConsole: [/status of (?:500|502)/] }, async (page) => {
      await serveCollections(page, []);
      await signInAt(page, '/queue');
      await openWithAllRows(page, 'dialog.csv');
      await openRow(page, 1);
      const dialog = dialogOf(page);
      await page.route('**/api/queue/*/rows/1', (route) =>
        route.fulfill({ status: 500, json: { code: 'internal', message: 'The server is broken.' } }),
      );
      await field(dialog, 'Title').fill('Kept');
      await save(dialog);
      await sees(dialog.getByRole('alert'), 'Update Failed');
      await sees(dialog, 'The server is broken.');
      expect(await field(dialog, 'Title').inputValue()).toBe('Kept');

      const sent: { product: { title: string; status: string }; importId: string; row: number }[] = [];
      let isBroken = true;
      await page.route('**/api/shopify/create-product', (route) => {
        sent.push(route.request().postDataJSON());
        return isBroken
          ? route.fulfill({ status: 502, json: { code: 'store', message: 'The store is closed.' } })
          : route.fulfill({
              json: { product: { id: 77 } },
            });
      });
      const test = dialog.getByRole('button', { name: 'Test This Product' });
      await sees(dialog, /Sends this product to \S+ as a draft\./);
      await test.click();
      await sees(await toast(page, 'Direct Test Failed'), 'The store is closed.');
      isBroken = false;
      await test.click();
      const link = dialog.getByRole('link', { name: 'View in Store' });
      expect(await link.getAttribute('href')).toMatch(/\/admin\/products\/77$/);
      expect(sent[1]).toMatchObject({
        product: {
          title: 'Kept',
          status: 'draft',
          vendor: 'Acme',
          metafields: expect.arrayContaining([expect.objectContaining({ key: 'origin', value: 'Target' })]),
        },
        importId: new URL(page.url()).pathname.split('/').at(-1),
        row: 1,
      });
    }),
);

let picturesId = '';
const pictureAt = (name: string) => `https://pictures.example/${name}.svg`;
const pictures = `Handle,Title,Price,Image,Additional Images
lamp,Lamp,10,${pictureAt('a')},"${pictureAt('b')}, ${pictureAt('c')}, ${pictureAt('gone')}"
lamp,,,${pictureAt('e')},
`;
/** The strip, and the pictures in it by name, in order. */
const strip = (page: Page) => page.getByRole('listbox', { name: 'Images' }).getByRole('option');
const expectPictures = (page: Page, names: string) =>
  expect
    .poll(async () => {
      const addresses = strip(page).evaluateAll((all) => all.map((one) => one.getAttribute('title') ?? ''));
      return (await addresses)
        .map((address) => address.slice('https://pictures.example/'.length, -4))
        .join(' ');
    })
    .toBe(names);
const servePictures = (page: Page) =>
  page.route('https://pictures.example/**', (route) =>
    route.request().url() === pictureAt('gone')
      ? route.fulfill({ status: 404, body: '' })
      : route.fulfill({
          contentType: 'image/svg+xml',
          body: svgOf(route.request().url() === pictureAt('c') ? { width: 600, height: 800 } : smallSize),
        }),
  );
const smallSize = { width: 8, height: 8 };
const svgOf = ({ width, height }: typeof smallSize) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="8" height="8"/></svg>`;
/** Waits until a picture is drawn, and all of it within its tile. */
const expectWithin = (tile: Locator) =>
  expect
    .poll(() =>
      tile.evaluate((tile) => {
        const image = tile.querySelector('img');
        if (!image?.complete) return 'not loaded';
        const [inner, outer] = [image.getBoundingClientRect(), tile.getBoundingClientRect()];
        const isWithin =
          inner.top >= outer.top &&
          inner.bottom <= outer.bottom &&
          inner.left >= outer.left &&
          inner.right <= outer.right;
        return isWithin ? getComputedStyle(image).objectFit : `${inner.width} × ${inner.height}`;
      }),
    )
    .toBe('contain');
const photo = (name: string, width: number) => ({
  name,
  mimeType: 'image/png',
  buffer: Buffer.from(pngOf(pngParts(width, 2))),
});
/** Drops photos on an element. */
async function dropOn(page: Page, target: Locator, photos: readonly ReturnType<typeof photo>[]) {
  const given = photos.map(({ name, mimeType, buffer }) => ({ name, mimeType, bytes: [...buffer] }));
  const dataTransfer = await page.evaluateHandle((given) => {
    const transfer = new DataTransfer();
    for (const { name, mimeType, bytes } of given)
      transfer.items.add(new File([Uint8Array.from(bytes)], name, { type: mimeType }));
    return transfer;
  }, given);
  for (const event of ['dragenter', 'dragover', 'drop']) await target.dispatchEvent(event, { dataTransfer });
}
const middleOf = async (item: Locator) => {
  const { x, y, width, height } = (await item.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  return { x: x + width / 2, y: y + height / 2 };
};

test.runIf(isLong)(
  'pictures are ordered by dragging and with keys; the first one is that of the row',
  ({ browser }) =>
    browser.visit({ expectedConsole: [/status of 404 .*gone/, /status of 400 .*photos/] }, async (page) => {
      await serveCollections(page, []);
      await servePictures(page);
      await openSession(page);
      await uploadAndOpen(page, { name: 'pictures.csv', content: pictures });
      picturesId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
      await openRow(page, 1);
      const dialog = dialogOf(page);
      await expectPictures(page, 'a b c gone');
      await sees(strip(page).nth(3), 'Image failed to load');
      await sees(strip(page).nth(0), 'Main');
      await expectWithin(strip(page).nth(2));

      const [from, to] = [await middleOf(strip(page).nth(2)), await middleOf(strip(page).nth(0))];
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(to.x, to.y, { steps: 4 });
      await page.mouse.up();
      await expectPictures(page, 'c a b gone');
      await sees(strip(page).nth(0), 'Main');

      await expect.poll(() => isFocused(strip(page).nth(0))).toBe(true);
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Alt+ArrowRight');
      await expectPictures(page, 'c b a gone');
      await sees(dialog.getByRole('status'), 'Picture 3 of 4');
      expect(await isFocused(strip(page).nth(2))).toBe(true);
      await page.keyboard.press('End');
      await page.keyboard.press('Delete');
      await expectPictures(page, 'c b a');
      await sees(dialog.getByRole('status'), 'Picture removed. 3 pictures left.');
      await expect.poll(() => isFocused(strip(page).nth(2))).toBe(true);
      const undo = dialog.getByRole('button', { name: 'Undo change to pictures' });
      await undo.click();
      await expectPictures(page, 'c b a gone');
      await sees(dialog.getByRole('status'), 'Change undone. 4 pictures.');
      await dialog.getByRole('button', { name: 'Redo change to pictures' }).click();
      await sees(dialog.getByRole('status'), 'Change redone. 3 pictures.');
      await undo.click();
      await strip(page).nth(3).focus();
      await page.keyboard.press('ControlOrMeta+z');
      await expectPictures(page, 'c a b gone');
      await page.keyboard.press('ControlOrMeta+Shift+z');
      await expectPictures(page, 'c b a gone');
      await undo.click();
      await undo.click();
      await expectPictures(page, 'a b c gone');
      expect(await undo.isDisabled()).toBe(true);
      await strip(page).nth(1).click();
      await dialog.getByRole('button', { name: 'Make Main' }).click();
      await expectPictures(page, 'b a c gone');
      await save(dialog);
      await dialog.waitFor({ state: 'hidden' });
      const image = page.locator('[data-row="1"] img');
      await expect.poll(() => image.getAttribute('src')).toBe(pictureAt('b'));

      const exact = true;
      await table(page).getByRole('button', { name: 'Image of Lamp', exact }).waitFor();
      await table(page).getByRole('button', { name: 'Image of Lamp, 4 pictures, edited', exact }).click();
      const images = page.getByRole('dialog', { name: 'Images of Lamp' });
      await expectPictures(page, 'b a c gone');
      await expect.poll(() => isFocused(strip(page).nth(0))).toBe(true);
      await images.getByRole('img', { name: 'b.svg' }).waitFor();
      await sees(images, '8 × 8 pixels');
      await sees(images, 'Other rows of this product have pictures, too.');
      await images.getByRole('img', { name: 'e.svg' }).waitFor();
      await page.keyboard.press('End');
      await sees(images, /^gone\.svg: Your browser couldn’t load the image\./);
      await page.keyboard.press('Delete');
      const address = images.getByLabel('Web address of an image');
      await address.fill('d.svg');
      await address.press('Enter');
      await sees(images, 'Type a web address that begins with http:// or https://.');
      await address.fill(pictureAt('d'));
      await address.press('Enter');
      await expectPictures(page, 'b a c d');
      await images
        .locator('input[type=file]')
        .setInputFiles([
          { name: 'notes.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF') },
          { name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('no picture') },
          photo('front.png', 3),
        ]);
      await strip(page).nth(4).click();
      await sees(images, 'Picture 5 of 5 front.png');
      await images.getByRole('img', { name: 'front.png' }).waitFor();
      await sees(images, 'notes.pdf wasn’t added. Use a JPEG, PNG, WebP or GIF picture.');
      await sees(images, 'broken.png wasn’t added. This file isn’t a picture.');
      await page.keyboard.press('Delete');
      await images.getByText('wasn’t added').first().waitFor({ state: 'detached' });
      await page.keyboard.press('ControlOrMeta+z');
      const front = await strip(page).nth(4).locator('img').getAttribute('src');
      // The same file is refused; another one of the same name isn't.
      await dropOn(page, images, [photo('front.png', 3), photo('front.png', 4)]);
      await sees(images, 'front.png wasn’t added. This picture is already in the list.');
      await strip(page).nth(5).click();
      await sees(images, 'Picture 6 of 6 front.png');
      await page.keyboard.press('Delete');
      await images.getByRole('button', { name: 'Show Addresses' }).click();
      expect(await field(images, 'Further images').inputValue()).toBe(
        [...['a', 'c', 'd'].map(pictureAt), front].join('\n'),
      );
      await save(images);
      await images.waitFor({ state: 'hidden' });

      // One undo for all of it.
      await (await toast(page, 'Saved')).getByRole('button', { name: 'Undo' }).click();
      await toast(page, 'Change undone');
      await openRow(page, 1);
      await expectPictures(page, 'b a c gone');
      await dialog.getByRole('button', { name: 'Show Addresses' }).click();
      await dialog.getByRole('button', { name: 'Undo edit to Product image' }).click();
      await dialog.getByRole('button', { name: 'Undo edit to Further images' }).click();
      await expectPictures(page, 'a b c gone');
      await save(dialog);
      await dialog.waitFor({ state: 'hidden' });
      await expect.poll(() => image.getAttribute('src')).toBe(pictureAt('a'));
    }),
);

test.runIf(isLong)('on a touch screen, a picture is dragged after it was held', ({ browser }) =>
  browser.visit(
    { touch: true, viewport: { width: 390, height: 844 }, expectedConsole: [/status of 404 .*gone/] },
    async (page) => {
      await serveCollections(page, []);
      await servePictures(page);
      await signInAt(page, `/queue/${picturesId}`);
      await page.getByRole('button', { name: 'Image of Lamp, 4 pictures', exact: true }).tap();
      const images = page.getByRole('dialog', { name: 'Images of Lamp' });
      await expectPictures(page, 'a b c gone');
      await images.getByRole('button', { name: 'Cancel' }).tap();
      await images.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Edit row 1' }).tap();
      await expectPictures(page, 'a b c gone');
      await strip(page).nth(0).scrollIntoViewIfNeeded();
      const [from, to] = [await middleOf(strip(page).nth(0)), await middleOf(strip(page).nth(1))];
      const touch = await page.context().newCDPSession(page);
      const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: (typeof from)[]) =>
        touch.send('Input.dispatchTouchEvent', { type, touchPoints });
      await send('touchStart', from);
      await dialogOf(page).locator('[data-dragged]').waitFor();
      await send('touchMove', to);
      await send('touchEnd');
      await expectPictures(page, 'b a c gone');
    },
  ),
);

const variants = `Handle,Title,Option1 Value,Price,SKU
vase,Vase,,7,V-1
lamp,Lamp,S,10,L-S
lamp,,M,,L-M
lamp,,L,14,L-L
`;

test.runIf(isLong)(
  'on a phone, a row opens all rows of its product, and the dialog fills the screen',
  ({ browser }) =>
    browser.visit({ touch: true, viewport: { width: 390, height: 844 } }, async (page) => {
      await serveCollections(page, []);
      await openSession(page);
      await uploadAndOpen(page, { name: 'variants.csv', content: variants });
      const openers = page.getByRole('button', { name: /^Row . of .: show/ });
      await expect.poll(() => openers.count(), { timeout: waitMsMax }).toBe(3);
      await page.getByRole('button', { name: /^Row 2 of 3: show/ }).tap();
      const panel = page.getByRole('dialog', { name: 'Rows of this product' });
      const rows = panel.getByRole('list', { name: 'Rows of this product' }).getByRole('listitem');
      await expect.poll(() => rows.count(), { timeout: waitMsMax }).toBe(3);
      await sees(rows.nth(1), 'Price is missing.');
      await sees(rows.nth(2), 'L-L');
      await rows.nth(1).getByRole('button', { name: 'Edit all fields of row 3' }).tap();
      const dialog = dialogOf(page);
      await sees(dialog, 'row 2 of 3 of this product');
      await sees(
        dialog,
        /belong to the product and come from row 2\. Changing one changes it for all rows of the product\.$/,
      );
      await sees(dialog, 'Product, row 2 · File: Title');
      expect(await field(dialog, 'Title').inputValue()).toBe('Lamp');
      const box = await dialog.boundingBox();
      expect(box).toEqual({ x: 0, y: 0, width: 390, height: 844 });
      await expectNoSidewaysScroll(page);
      const low = await dialog.evaluate((element) =>
        [...element.querySelectorAll('button, input:not([type=hidden]), textarea')]
          .map(
            (target) =>
              [
                target.getAttribute('aria-label') ?? target.textContent ?? target.id,
                target.getBoundingClientRect().height,
              ] as const,
          )
          .filter(([, height]) => height > 0 && height < 44),
      );
      expect(low).toEqual([]);
      await field(dialog, 'Price').fill('12');
      await field(dialog, 'Title').fill('Big lamp');
      await dialog.getByRole('button', { name: 'Save & Next' }).tap();
      await toast(page, 'No more problems');
      await seesClasses(page, '2 valid');
      await sees(page, 'Big lamp');
    }),
);
