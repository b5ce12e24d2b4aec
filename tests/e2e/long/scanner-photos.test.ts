import { photoBytesMax } from '@draftshelf/domain/scanner/pictures/photo-limits';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { isLong } from '../../support/queue-backend.ts';
import { waitMsMax } from '../browser.ts';
import { openSession, post, requestsOf, sees, signInAt, toast } from '../steps.ts';
import { test } from '../test.ts';

const button = (within: Locator | Page, name: string) => within.getByRole('button', { name, exact: true });
const photos = (page: Page) => page.getByRole('list', { name: 'Photos' }).getByRole('img');
const camera = (page: Page) => page.getByRole('dialog', { name: 'Capture Product Photo' });
const uploads = (page: Page) => page.getByRole('dialog', { name: 'Upload photos' });
const card = (page: Page, name: string) => page.getByRole('listitem').filter({ has: button(page, name) });

async function openNew(page: Page): Promise<void> {
  await signInAt(page, '/scanner?new');
  await page.getByRole('heading', { name: 'Create New Product', level: 1 }).waitFor();
}

async function fillRequired(page: Page, name: string): Promise<void> {
  await page.getByLabel('Product Name *').fill(name);
  await page.getByLabel('SKU *').fill(`SKU ${name}`);
  await page.getByLabel('Price ($) *').fill('24.99');
}

/**
 * Notes the page's requests for the camera, which wait for `allowCamera`, the tracks that it gets, and how pictures are
 * encoded.
 */
async function watchCamera(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const seen = {
      constraints: [] as unknown[],
      tracks: [] as MediaStreamTrack[],
      captures: [] as unknown[][],
      isAllowed: promise,
      allow: resolve,
    };
    Object.assign(globalThis, { seenOfCamera: seen });
    const { prototype } = HTMLCanvasElement;
    const { toDataURL } = prototype;
    prototype.toDataURL = function capture(...options) {
      seen.captures.push(options);
      return toDataURL.apply(this, options);
    };
    const { mediaDevices } = navigator;
    const original = mediaDevices.getUserMedia.bind(mediaDevices);
    mediaDevices.getUserMedia = async (constraints) => {
      seen.constraints.push(constraints?.video);
      await seen.isAllowed;
      const stream = await original(constraints);
      seen.tracks.push(...stream.getTracks());
      return stream;
    };
  });
}

type Seen = {
  constraints: { facingMode: unknown }[];
  tracks: { readyState: string }[];
  captures: unknown[][];
  allow: () => void;
};
const allowCamera = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { seenOfCamera: Seen }).seenOfCamera.allow());
const trackStates = (page: Page) =>
  page.evaluate(() =>
    (globalThis as unknown as { seenOfCamera: Seen }).seenOfCamera.tracks.map(({ readyState }) => readyState),
  );
const captures = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { seenOfCamera: Seen }).seenOfCamera.captures);
const facingModes = (page: Page) =>
  page.evaluate(() =>
    (globalThis as unknown as { seenOfCamera: Seen }).seenOfCamera.constraints.map(
      ({ facingMode }) => facingMode,
    ),
  );

/** A JPEG from the page's own canvas. */
async function jpeg(page: Page, width: number, height: number): Promise<Buffer> {
  const url = await page.evaluate(
    ([w, h]) => {
      const canvas = Object.assign(document.createElement('canvas'), { width: w, height: h });
      const context = canvas.getContext('2d');
      // Noise, so that the file is as large as a photo of its size.
      for (let at = 0; at < 400; at += 1) {
        if (context) context.fillStyle = `hsl(${(at * 37) % 360} 80% 50%)`;
        context?.fillRect((at * 53) % (w ?? 1), (at * 97) % (h ?? 1), 40, 40);
      }
      return canvas.toDataURL('image/jpeg', 1);
    },
    [width, height],
  );
  return Buffer.from(url.split(',')[1] ?? '', 'base64');
}

const file = (name: string, buffer: Buffer, mimeType = 'image/jpeg') => ({ name, mimeType, buffer });

test('from the camera to the store: create, sync, edit, sync again, delete', ({ browser, product }) =>
  browser.visit({ camera: true }, async (page) => {
    await watchCamera(page);
    await openNew(page);
    await fillRequired(page, 'Ceramic vase');
    await button(page, 'Take Photo').click();
    const capture = button(camera(page), 'Capture Photo');
    await sees(camera(page), 'Starting the camera…');
    expect(await capture.isDisabled()).toBe(true);
    await allowCamera(page);
    await expect.poll(() => capture.isEnabled(), { timeout: waitMsMax }).toBe(true);
    expect(await facingModes(page)).toEqual(['environment']);
    await capture.click();
    await camera(page).waitFor({ state: 'hidden' });
    await expect.poll(() => trackStates(page), { timeout: waitMsMax }).toEqual(['ended']);
    expect(await photos(page).getAttribute('src')).toMatch(/^data:image\/jpeg;base64,/);
    expect(await captures(page)).toEqual([['image/jpeg', 0.8]]);
    await button(page, 'Take Photo').click();
    await button(camera(page), 'Cancel').click();
    await expect.poll(() => trackStates(page), { timeout: waitMsMax }).toEqual(['ended', 'ended']);

    const requests = requestsOf(page);
    const saved = page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith('/products'));
    await button(page, 'Save Product').click();
    expect((await saved).postDataJSON().photos).toEqual([expect.stringMatching(/\/uploads\/[\da-f-]{36}$/)]);
    await toast(page, 'Product Saved');
    expect(requests.filter((one) => one === 'POST /api/objects/upload')).toHaveLength(1);
    const vase = card(page, 'Ceramic vase');
    const photo = vase.locator('img');
    await expect
      .poll(() => photo.evaluate((image: HTMLImageElement) => image.naturalWidth), { timeout: waitMsMax })
      .toBeGreaterThan(0);

    const sync = 'POST /api/scanner/products/';
    await button(vase, 'Sync').click();
    await sees(await toast(page, 'Synced to Shopify'), 'Product has been synced to Shopify successfully');
    await sees(vase, 'synced');
    const afterSync = requests.slice(requests.findIndex((one) => one.startsWith(sync)) + 1);
    expect(afterSync).toContain('GET /api/scanner/products');
    expect(await button(vase, 'Sync').count()).toBe(0);
    const opener = button(vase, 'Ceramic vase');
    await expect
      .poll(() => opener.evaluate((one) => one === document.activeElement), { timeout: waitMsMax })
      .toBe(true);
    expect(await product.productWrites()).toBe(1);

    await button(vase, 'Edit').click();
    await page.getByLabel('Price ($) *').fill('30');
    await button(page, 'Update Product').click();
    await toast(page, 'Product Updated');
    await sees(vase, 'active');
    await button(vase, 'Sync').click();
    await sees(vase, 'synced');
    expect(await product.productWrites()).toBe(2);

    await button(page, 'Delete Ceramic vase').click();
    await button(page.getByRole('alertdialog'), 'Delete Product').click();
    await toast(page, 'Product Deleted');
    await sees(page, 'No Products Yet');
  }));

test('a denied camera is explained in the dialog and in the console only, and files are the way out', ({
  browser,
}) =>
  browser.visit({ expectedConsole: [/Draftshelf: the camera did not start/] }, async (page) => {
    const logged = page.waitForEvent('console', (message) => message.type() === 'error');
    await openNew(page);
    await button(page, 'Take Photo').click();
    await sees(camera(page), 'The camera is blocked for this site.');
    expect((await logged).text()).toContain('NotAllowedError');
    expect(await button(camera(page), 'Capture Photo').isDisabled()).toBe(true);
    expect(
      await page
        .getByRole('region', { name: /^Notifications/ })
        .getByRole('listitem')
        .count(),
    ).toBe(0);
    await button(camera(page), 'Upload Photo Instead').click();
    await uploads(page).waitFor();
  }));

test.runIf(isLong)(
  'files are sent on request, scaled, and at most five of 10 MB; they can be removed',
  ({ browser }) =>
    browser.visit({}, async (page) => {
      await openNew(page);
      const puts: number[] = [];
      page.on('request', (request) => {
        if (request.method() === 'PUT') puts.push(request.postDataBuffer()?.length ?? 0);
      });
      await button(page, 'Upload Photo').click();
      const input = uploads(page).getByLabel('Photos', { exact: true });
      const large = await jpeg(page, 3000, 2000);
      await input.setInputFiles([
        file('large.jpg', large),
        file('too-large.jpg', Buffer.alloc(photoBytesMax + 1)),
        file('page.html', Buffer.from('<p>'), 'text/html'),
      ]);
      await sees(uploads(page), 'The photo is larger than 10 MB.');
      await sees(uploads(page), 'Use a JPEG, PNG, WebP or GIF picture.');
      await button(uploads(page), 'Remove too-large.jpg').click();
      await button(uploads(page), 'Remove page.html').click();
      // Of different sizes, because the same picture is refused.
      const small = [2, 3, 4, 5, 6].map(async (at) => file(`${at}.jpg`, await jpeg(page, 300 + at, 200)));
      await input.setInputFiles(await Promise.all(small));
      await sees(uploads(page), 'Upload at most 5 photos at a time.');
      await button(uploads(page), 'Remove 6.jpg').click();
      expect(puts).toEqual([]);
      await button(uploads(page), 'Upload').click();
      await sees(await toast(page, 'Photo Uploaded'), 'Photo has been uploaded successfully');
      await uploads(page).waitFor({ state: 'hidden' });
      await expect.poll(() => photos(page).count(), { timeout: waitMsMax }).toBe(5);
      expect(puts).toHaveLength(5);
      expect(puts[0]).toBeLessThan(large.length);
      const { width, height } = await photos(page)
        .first()
        .evaluate(({ naturalWidth, naturalHeight }: HTMLImageElement) => ({
          width: naturalWidth,
          height: naturalHeight,
        }));
      expect({ width, height }).toEqual({ width: 2048, height: 1365 });
      await button(page, 'Remove photo 2').click();
      expect(await photos(page).count()).toBe(4);
      await fillRequired(page, 'Four photos');
      await button(page, 'Save Product').click();
      await toast(page, 'Product Saved');
      const [saved] = await (await page.request.get('/api/scanner/products')).json();
      expect(saved.photos).toHaveLength(4);
    }),
);

test('without an upload address a file can be tried again, and a camera picture is saved inside the product', ({
  browser,
}) =>
  browser.visit(
    { camera: true, expectedConsole: [/status of 500|ERR_INTERNET_DISCONNECTED/] },
    async (page) => {
      await openNew(page);
      await page.route('**/api/objects/upload', (route) => route.fulfill({ status: 500, body: 'no' }));
      await button(page, 'Upload Photo').click();
      const input = uploads(page).getByLabel('Photos', { exact: true });
      await input.setInputFiles(file('one.jpg', await jpeg(page, 300, 200)));
      await button(uploads(page), 'Upload').click();
      const refused = await toast(page, 'Upload Error');
      await sees(refused, 'Failed to get upload URL');
      expect(await refused.getAttribute('data-tone')).toBe('failure');
      await sees(uploads(page), 'The server gave no address for the upload. Try again.');
      await page.context().setOffline(true);
      await button(uploads(page), 'Upload').click();
      await sees(uploads(page), 'No internet connection. Try again when you’re online.');
      await page.context().setOffline(false);
      await button(uploads(page), 'Cancel').click();
      await button(page, 'Take Photo').click();
      const capture = button(camera(page), 'Capture Photo');
      await expect.poll(() => capture.isEnabled(), { timeout: waitMsMax }).toBe(true);
      await capture.click();
      await fillRequired(page, 'Inside');
      const saved = page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith('/products'));
      await button(page, 'Save Product').click();
      expect((await saved).postDataJSON().photos).toEqual([
        expect.stringMatching(/^data:image\/jpeg;base64,/),
      ]);
      await toast(page, 'Product Saved');
      const photo = card(page, 'Inside').locator('img');
      await expect
        .poll(() => photo.evaluate((image: HTMLImageElement) => image.naturalWidth), { timeout: waitMsMax })
        .toBeGreaterThan(0);
    },
  ));

test('if the store has the product already, the operator updates it or makes another one', ({ browser }) =>
  browser.visit({ expectedConsole: [/status of 409/] }, async (page) => {
    await openSession(page);
    for (const name of ['First lamp', 'Second lamp', 'Third lamp']) {
      const data = { name, sku: 'SAME', price: '5', photos: [] };
      const saved = await post(page, '/api/scanner/products', data);
      if (name !== 'First lamp') continue;
      const { id } = await saved.json();
      await post(page, `/api/scanner/products/${id}/sync-shopify`);
    }
    await page.goto('/scanner?q=lamp');
    /** Syncs a product and is refused, because `title` is in the store with the same SKU. */
    const refused = async (name: string, title: string) => {
      await button(card(page, name), 'Sync').click();
      const refusal = card(page, name).getByRole('alert');
      await sees(await toast(page, 'Sync Failed'), 'Choose on its card what to do.');
      await sees(refusal, `Already in the store: ${title}.`);
      const link = refusal.getByRole('link', { name: 'View in Shopify' });
      expect(await link.getAttribute('href')).toMatch(/\/admin\/products\/\d+$/);
      return refusal;
    };
    const second = await refused('Second lamp', 'First lamp');
    await button(second, 'Update That Product').click();
    await toast(page, 'Synced to Shopify');
    await sees(card(page, 'Second lamp'), 'synced');
    expect(await second.count()).toBe(0);
    const third = await refused('Third lamp', 'Second lamp');
    await button(third, 'Create Another').click();
    await sees(card(page, 'Third lamp'), 'synced');
    await expect
      .poll(
        () =>
          button(card(page, 'Third lamp'), 'Third lamp').evaluate((one) => one === document.activeElement),
        {
          timeout: waitMsMax,
        },
      )
      .toBe(true);
    const inStore: { title: string }[] = await (await page.request.get('/api/shopify/products')).json();
    const lamps = inStore.map(({ title }) => title).filter((title) => title.endsWith('lamp'));
    expect(lamps.toSorted()).toEqual(['Second lamp', 'Third lamp']);
  }));
