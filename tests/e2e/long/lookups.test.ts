import { randomBytes } from 'node:crypto';
import { afterAll, expect } from 'vitest';
import { isLong } from '../../support/queue-backend.ts';
import { gtinOf, startSources, type TestSources } from '../../support/sources.ts';
import { waitMsMax } from '../browser.ts';
import { browser, testOnOwnStack } from '../own-stack.ts';
import {
  chooseOnPage,
  closeDetails,
  expectNoSidewaysScroll,
  goTo,
  openDetails,
  openSession,
  sees,
  signInAt,
  toast,
  uploadAndOpen,
} from '../steps.ts';

let sources: TestSources;
afterAll(() => sources?.close());
const test = testOnOwnStack(async () => {
  sources = await startSources();
  return {
    env: { ...sources.env, SOURCES_ON: 'upcitemdb', CREDENTIALS_KEY: randomBytes(32).toString('hex') },
  };
});

/** A picture that browsers accept. */
const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
);
const [known, other, spent] = [gtinOf(600_000_000_001), gtinOf(600_000_000_002), gtinOf(600_000_009_429)];
const content = [
  'Title,Price,UPC,Image',
  `Blue Vase,9.90,${known.slice(1)},`,
  `Red Bowl,4.90,${other.slice(1)},`,
  `Green Jug,5.90,${spent.slice(1)},`,
  'Tray,5.90,,abc',
  'Lamp,15.90,,https://pictures.example/lamp.png',
  'Chair,25.90,,https://pictures.example/gone.png',
].join('\n');

test('found values, their source, proposals and waiting look-ups are on the import’s page', () =>
  browser.visit(
    { expectedConsole: [/status of (?:404|500)/, /Failed to reprocess images/] },
    async (page) => {
      await page.route('https://pictures.example/lamp.png', (route) => route.fulfill({ body: onePixel }));
      await page.route('https://pictures.example/gone.png', (route) => route.fulfill({ status: 404 }));
      await sources.know([
        { gtin: known, title: 'Acme Blue Vase', brand: 'Acme' },
        { gtin: other, title: 'Garden Hose 50 ft', brand: 'Flexzilla' },
      ]);
      await openSession(page);
      await uploadAndOpen(page, { name: 'lookups.csv', content });
      await openDetails(page);
      const panel = page.getByRole('region', { name: /^UPC Lookup/ });
      await sees(panel, '33 % → 50 %');
      await sees(panel, /^Looking up: UPCitemdb, \d+ a minute: \d products? left, .*\.$/);
      const rows = page.getByRole('table', { name: 'Product rows' });
      const found = rows
        .getByRole('row')
        .nth(1)
        .getByRole('button', { name: /^Filled in\. From UPCitemdb/ })
        .first();
      await found.waitFor();
      await rows.locator(`img[src="${sources.url}/pictures/${known}.png"]`).waitFor();
      await rows
        .getByRole('row')
        .nth(3)
        .getByRole('button', { name: /^No Image\. Image lookup waits for quota until/ })
        .waitFor();
      await sees(rows.getByRole('row').nth(4), 'Invalid');
      await rows.locator('img[src="https://pictures.example/lamp.png"]').waitFor();
      const gone = rows.getByRole('button', { name: /^Image of Chair, failed to load/ });
      await sees(gone, 'Failed');
      await gone.click();
      await sees(page.getByRole('dialog'), 'Image failed to load');
      await page.keyboard.press('Escape');
      // A reply that arrives now draws the panel again, without the tooltip.
      await expect
        .poll(async () => {
          await panel.getByRole('button', { name: 'Help: UPC lookup' }).hover();
          return page.getByRole('tooltip').count();
        })
        .toBeGreaterThan(0);
      await closeDetails(page);

      await page.getByRole('button', { name: /^\d+ Proposals$/ }).click();
      const proposals = page
        .getByRole('region', { name: /^Proposals/ })
        .getByRole('list', { name: 'Proposals' });
      await sees(proposals, 'The source’s title or brand doesn’t match this product.');
      await proposals.getByRole('button', { name: 'Dismiss the image of row 2' }).click();
      await proposals.getByRole('button', { name: 'Accept the brand of row 2' }).click();
      await sees(rows.getByRole('row').nth(2), 'Flexzilla');
      await expect.poll(() => proposals.getByText('Accepted').count(), { timeout: waitMsMax }).toBe(1);
      await page.getByRole('button', { name: /^Close \d+ Proposals?$/ }).click();

      // Once the look-ups have ended, no row may say that one is running.
      const details = /\/api\/queue\/[\w-]+\?rows=0$/;
      const rowsRead = page.waitForRequest(/\/api\/queue\/[\w-]+\/rows/);
      await page.route(details, async (route) => {
        const response = await route.fetch();
        const reply = (await response.json()) as { job: { enrichment: { waiting: object[] } } };
        reply.job.enrichment.waiting = [];
        await route.fulfill({ json: reply });
      });
      await rowsRead;
      await page.unroute(details);

      const posted = page.waitForResponse((response) => response.url().endsWith('/reprocess-images'));
      const readAgain = page.waitForRequest(
        (request) =>
          request.method() === 'GET' && /\/api\/(?:jobs|queue)\/[\w-]+(?:\?rows=0)?$/.test(request.url()),
      );
      await chooseOnPage(page, 'Update Images');
      const reply = await posted;
      expect(reply.request().method()).toBe('POST');
      expect(await reply.json()).toEqual({
        ...{ success: true, updatedCount: 0, message: 'No new images were found.' },
      });
      await readAgain;
      await toast(page, 'No new images');
      await page.route('**/reprocess-images', (route) =>
        route.fulfill({ json: { success: false, message: 'The pictures are busy.' } }),
      );
      await chooseOnPage(page, 'Update Images');
      await sees(await toast(page, 'Update Failed'), 'The pictures are busy.');
      await page.unroute('**/reprocess-images');
      await page.route('**/reprocess-images', (route) =>
        route.fulfill({ status: 500, json: { code: 'x', message: 'No.' } }),
      );
      await chooseOnPage(page, 'Update Images');
      await toast(page, 'Update Error');
      await sees(page, 'Failed to reprocess images: 500: No.');

      await page.setViewportSize({ width: 390, height: 844 });
      await expectNoSidewaysScroll(page);
    },
  ));

test.runIf(isLong)('services are switched and get keys in Settings, and their quota is shown', () =>
  browser.visit({}, async (page) => {
    await sources.behave('barcode-lookup', { keys: ['a-good-key'] });
    await signInAt(page, '/settings?tab=connections');
    await sees(page, '1 services active');
    const services = page.getByRole('list', { name: 'UPC services' });
    await sees(services, /of 100 calls used, \d+ left\./);
    const barcodeLookup = services.getByRole('switch', { name: 'Barcode Lookup' });
    expect(await barcodeLookup.isDisabled()).toBe(true);
    await sees(services, 'Needs a key.');
    await services.getByRole('button', { name: 'Key and quota of Barcode Lookup' }).click();
    const key = services.getByLabel('Key of Barcode Lookup', { exact: true });
    const save = services.getByRole('button', { name: 'Test and Save' });
    await save.click();
    await sees(services, 'Enter the key.');
    await key.fill('a-bad-key');
    await save.click();
    await sees(services, 'Barcode Lookup refuses the key.');
    await key.fill('a-good-key');
    await save.click();
    await toast(page, 'Key saved');
    await sees(page, 'Barcode Lookup accepts the key.');
    expect(await key.inputValue()).toBe('');
    await sees(services, /^The key was saved /);
    await services.getByLabel('Calls in a day').fill('5000');
    await services.getByRole('button', { name: 'Save Quota' }).click();
    await toast(page, 'Quota saved');
    await barcodeLookup.click({ force: true });
    await sees(page, '2 services active');
    await sees(services, /of 5,000 calls used/);

    const connection = page.getByRole('region', { name: 'UPC services' });
    await connection.getByRole('list', { name: 'UPC services' }).waitFor();
    expect(await services.evaluate((list) => getComputedStyle(list).listStyleType)).toBe('none');
    await sees(connection, 'Connected');
    await connection.getByRole('button', { name: 'Test', exact: true }).click();
    await toast(page, 'Connection Test');
    await sees(page, 'Connection test completed successfully');
    await sees(connection, /^Turned on: UPCitemdb, Barcode Lookup\./);
    await services.getByRole('button', { name: 'Ask Barcode Lookup earlier' }).click();
    await expect
      .poll(() => services.getByRole('listitem').nth(1).textContent(), { timeout: waitMsMax })
      .toContain('Barcode Lookup');
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
    await page.setViewportSize({ width: 1440, height: 900 });

    await services.getByRole('button', { name: 'Remove Key' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove Key' }).click();
    await toast(page, 'Key removed');
    await sees(page, '1 services active');
    await services.getByRole('switch', { name: 'UPCitemdb' }).click({ force: true });
    await sees(page, '0 services active');
    await sees(connection, 'Disconnected');
    await connection.getByRole('button', { name: 'Configure' }).click();
    await sees(connection, /^No UPC service is turned on\./);

    await page.goto('/settings');
    await page.getByRole('switch', { name: 'UPC Image Lookup' }).click({ force: true });
    await page.getByRole('button', { name: 'Save Settings' }).click();
    await toast(page, 'Settings Updated');
    await goTo(page, 'Upload CSV');
    await sees(page, 'UPC duplicate detection');
    await sees(page.getByRole('row', { name: /^UPC / }), 'upc, barcode, ean, gtin');
    await sees(page, 'UPC image lookup is off in Settings.');
    expect(await page.getByRole('switch', { name: 'UPC Image Lookup' }).isDisabled()).toBe(true);
  }),
);
