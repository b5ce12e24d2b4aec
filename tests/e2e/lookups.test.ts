import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { gtinOf, startSources, type TestSources } from '../support/sources.ts';
import { type Stack, startStack } from '../support/stack.ts';
import { openBrowser, type TestBrowser, waitMsMax } from './browser.ts';
import { expectNoSidewaysScroll, goTo, sees, signIn, toast, uploadAndOpen } from './steps.ts';

let sources: TestSources;
let stack: Stack;
let browser: TestBrowser;
beforeAll(async () => {
  sources = await startSources();
  stack = await startStack({
    names: ['store-simulator', 'api', 'parse-worker', 'enrich-worker', 'push-worker'],
    webDir: inject('webDir'),
    env: { ...sources.env, SOURCES_ON: 'upcitemdb', BARCODE_LOOKUP_KEY: 'test' },
  });
  browser = await openBrowser(stack.apiUrl);
});
afterAll(async () => {
  await browser?.close();
  await stack?.close();
  await sources?.close();
});

const [known, other, spent] = [gtinOf(600_000_000_001), gtinOf(600_000_000_002), gtinOf(600_000_009_429)];
const content = [
  'Title,Price,UPC,Image',
  `Blue Vase,9.90,${known.slice(1)},`,
  `Red Bowl,4.90,${other.slice(1)},`,
  `Green Jug,5.90,${spent.slice(1)},`,
  `Tray,5.90,,${'no picture'}`,
].join('\n');

test('found values, their source, proposals and waiting look-ups are on the import’s page', () =>
  browser.visit({ expectedConsole: [/status of 409/, /Failed to reprocess images/] }, async (page) => {
    await sources.know([
      { gtin: known, title: 'Acme Blue Vase', brand: 'Acme' },
      { gtin: other, title: 'Garden Hose 50 ft', brand: 'Flexzilla' },
    ]);
    await signIn(page);
    await uploadAndOpen(page, { name: 'lookups.csv', content });
    const panel = page.getByRole('region', { name: /^UPC Lookup/ });
    await sees(panel, '0 % → 25 %');
    await sees(panel, /^Image lookup waits for quota until .* \(UPCitemdb, \d products?\)\.$/);
    const rows = page.getByRole('table', { name: 'Product rows' });
    const found = rows
      .getByRole('row')
      .nth(1)
      .getByRole('button', { name: /^Filled in\. From UPCitemdb/ })
      .first();
    await found.waitFor();
    expect((await rows.getByRole('img').count()) + (await rows.locator('img').count())).toBeGreaterThan(0);
    await rows
      .getByRole('row')
      .nth(3)
      .getByRole('button', { name: /^No Image\. Image lookup waits for quota until/ })
      .waitFor();
    await sees(rows.getByRole('row').nth(4), 'Invalid');

    const proposals = panel.getByRole('list', { name: 'Proposals' });
    await sees(proposals, 'The source’s title or brand doesn’t match this product.');
    await proposals.getByRole('button', { name: 'Dismiss the image of row 2' }).click();
    await proposals.getByRole('button', { name: 'Take the brand of row 2' }).click();
    await sees(rows.getByRole('row').nth(2), 'Flexzilla');
    await expect.poll(() => proposals.count(), { timeout: waitMsMax }).toBeLessThanOrEqual(1);

    await page.getByRole('button', { name: 'Update Images' }).click();
    await toast(page, 'Images Updated');
    await page.route('**/reprocess-images', (route) =>
      route.fulfill({ json: { success: false, message: 'The pictures are busy.' } }),
    );
    await page.getByRole('button', { name: 'Update Images' }).click();
    await sees(await toast(page, 'Update Failed'), 'The pictures are busy.');
    await page.unroute('**/reprocess-images');
    await page.route('**/reprocess-images', (route) =>
      route.fulfill({ status: 409, json: { code: 'x', message: 'No.' } }),
    );
    await page.getByRole('button', { name: 'Update Images' }).click();
    await toast(page, 'Update Error');
    await sees(page, 'Failed to reprocess images: 409: No.');

    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
  }));

test('services are switched in Settings, and their quota is shown', () =>
  browser.visit({}, async (page) => {
    await signIn(page);
    await page.goto('/settings?tab=connections');
    await sees(page, '1 services active');
    const services = page.getByRole('list', { name: 'UPC services' });
    await sees(services, /of 100 calls used, \d+ left\./);
    await services.getByRole('switch', { name: 'Barcode Lookup' }).click({ force: true });
    await sees(page, '2 services active');
    await services.getByRole('button', { name: 'Ask Barcode Lookup earlier' }).click();
    await expect
      .poll(() => services.getByRole('listitem').nth(1).textContent(), { timeout: waitMsMax })
      .toContain('Barcode Lookup');
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
    await page.setViewportSize({ width: 1440, height: 900 });

    await page.goto('/settings');
    await page.getByRole('switch', { name: 'UPC Image Lookup' }).click({ force: true });
    await page.getByRole('button', { name: 'Save Settings' }).click();
    await toast(page, 'Settings Updated');
    await goTo(page, 'Upload CSV');
    await sees(page, 'UPC image lookup is off in Settings.');
    expect(await page.getByRole('switch', { name: 'UPC Image Lookup' }).isDisabled()).toBe(true);
  }));
