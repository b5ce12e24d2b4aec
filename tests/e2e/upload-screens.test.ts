import { appendFile, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { csvOf } from '../support/fixture.ts';
import { isLong } from '../support/queue-backend.ts';
import { waitMsMax } from './browser.ts';
import { choose, goTo, queueRow, sees, signInAt, toast } from './steps.ts';
import { test } from './test.ts';

/** Valid products that no other test file has. */
function productCsv(noun: string, rows: number): string {
  const lines = Array.from({ length: rows }, (_, i) => [
    `${noun} with a name of words ${i + 1}`,
    `${i + 1}.50`,
    `${noun}-${i + 1}`,
  ]);
  return csvOf([['Title', 'Price', 'SKU'], ...lines]);
}

test.runIf(isLong)(
  'files that are no lists are refused; an upper-case extension or the type alone is accepted',
  ({ browser }) =>
    browser.visit({}, async (page) => {
      await signInAt(page, '/upload');
      expect(await page.getByLabel('CSV file').getAttribute('accept')).toBe(
        '.csv,.tsv,.txt,.xlsx,.xlsm,.xls,.ods,.zip,.gz',
      );
      const saveAs = 'Save it as .xlsx or CSV and upload that.';
      await choose(page, { name: 'products.numbers', content: 'PK', type: '' });
      await sees(await toast(page, 'Invalid File Type'), `This is a Numbers spreadsheet. ${saveAs}`);
      expect(await page.getByRole('region', { name: 'CSV preview' }).count()).toBe(0);
      await choose(page, {
        name: 'PRODUCTS.CSV',
        content: productCsv('Bench', 2),
        type: 'application/octet-stream',
      });
      await sees(page, 'Preview of PRODUCTS.CSV');
      await page.getByText('Invalid File Type').waitFor({ state: 'detached' });
      await choose(page, { name: 'products', content: productCsv('Shelf', 2) });
      await page.getByRole('heading', { name: 'Preview of products', exact: true }).waitFor();
      await choose(page, { name: 'products.xls', content: 'PK', type: 'application/vnd.ms-excel' });
      await sees(page, `This is an old Excel workbook (.xls). ${saveAs}`);
    }),
);

test('the screen says what a file needs, and which limits it has', ({ browser }) =>
  browser.visit({}, async (page) => {
    await signInAt(page, '/upload');
    const fields = page.getByRole('table', { name: 'Expected fields' }).getByRole('row');
    await fields.nth(6).waitFor();
    const cells = await fields.evaluateAll((rows) =>
      rows.map((row) => Array.from(row.children, (cell) => cell.textContent)),
    );
    expect(cells).toEqual([
      ['Field', 'Aliases', 'Required'],
      ['Title', 'title, name, product_title, product_name', 'yes'],
      ['Price', 'price, cost, amount, value', 'yes'],
      ['UPC', 'upc, barcode, ean, gtin', 'no'],
      ['Brand', 'brand, vendor, manufacturer', 'no'],
      ['Description', 'description, details, summary', 'no'],
      ['Quantity', 'quantity, stock, inventory, qty', 'no'],
    ]);
    for (const card of ['CSV only', '50MB per file', '50+ products per batch']) {
      await page.getByText(card, { exact: true }).waitFor();
    }
    const notes = page.getByRole('list').filter({ hasText: 'UPC duplicate detection' });
    const words = (await notes.getByRole('listitem').allInnerTexts()).map((text) => text.trim());
    expect(words).toEqual([
      '50 products per batch',
      'UPC duplicate detection',
      'auto-categorization to collections',
      'draft mode',
      'real-time progress',
    ]);
  }));

test.runIf(isLong)(
  'a file without rows below its header is refused, and another file can be chosen',
  ({ browser }) =>
    browser.visit({}, async (page) => {
      await signInAt(page, '/upload');
      await choose(page, { name: 'header-only.csv', content: 'Title,Price,SKU\r\n' });
      await page.getByRole('heading', { name: 'CSV Parse Error' }).waitFor();
      await sees(page, 'CSV file must have at least a header row and one data row');
      await sees(page.getByRole('alert'), 'header-only.csv');
      await page.getByRole('button', { name: 'Read It Differently' }).waitFor();
      await page.getByRole('button', { name: 'Select Different File' }).click();
      await choose(page, { name: 'workbook.xlsx', content: 'PK\u0003\u0004 and so on' });
      await page.getByRole('heading', { name: 'This File Can’t Be Read' }).waitFor();
      await sees(page, 'The file is damaged: it ends before its table of contents.');
      expect(await page.getByRole('button', { name: 'Read It Differently' }).count()).toBe(0);
      await page.getByRole('button', { name: 'Select Different File' }).click();
      await choose(page, {
        name: 'random.xlsx',
        content: Buffer.from(Array.from({ length: 90 }, (_, at) => at % 9)),
      });
      await sees(
        page,
        'The file is damaged: its name ends in .xlsx, but it doesn’t begin like an Excel workbook.',
      );
      expect(await page.getByRole('button', { name: 'Read It Differently' }).count()).toBe(0);
      await page.getByRole('button', { name: 'Select Different File' }).click();
      await choose(page, { name: 'empty.csv', content: '' });
      await sees(page, 'CSV file must have at least a header row and one data row');
      await sees(page, 'The file is empty (0 bytes). Export the list again.');
      expect(await page.getByRole('button', { name: 'Read It Differently' }).count()).toBe(0);
      await page.getByRole('button', { name: 'Select Different File' }).click();
      await choose(page, { name: 'fine.csv', content: productCsv('Hook', 1) });
      await sees(page, 'Preview of fine.csv');
      await goTo(page, 'Processing Queue');
      await sees(page, 'No processing jobs found');
    }),
);

test('the preview counts, maps and shows the first ten rows; Show All shows the rest', ({ browser }) =>
  browser.visit({}, async (page) => {
    await signInAt(page, '/upload');
    const rows = Array.from({ length: 12 }, (_, i) => [`Bowl ${i + 1}`, i === 11 ? 'ask' : '9.90', `B-${i}`]);
    await choose(page, {
      name: 'bowls.csv',
      content: csvOf([['Product Name', 'Sale Price', 'SKU'], ...rows, ['Total', '', '']]),
    });
    const preview = page.getByRole('region', { name: 'CSV preview' });
    for (const words of ['12 products', '11 valid', '1 warning', '0 errors']) await sees(preview, words);
    await sees(preview, '13 rows · 1 ignored');
    for (const [column, field] of [
      ['Product Name', 'Title'],
      ['Sale Price', 'Price'],
    ] as const) {
      const mapped = preview.getByRole('listitem').filter({ hasText: column });
      await mapped.getByText(field, { exact: true }).waitFor();
    }
    const prices = preview.getByRole('region', { name: 'Prices' });
    await sees(prices, /^Half of the prices are below about 9\.90\./);
    await prices.getByRole('slider', { name: 'Prices on a log scale' }).waitFor();
    expect(await prices.getByRole('table').getByRole('cell').allTextContents()).toContain('11');
    await page.getByRole('button', { name: 'Upload 11 Products' }).waitFor();
    const table = preview.getByRole('table', { name: 'Rows of the file' });
    const shown = () => table.getByRole('row').count();
    await expect.poll(shown).toBe(1 + 10);
    await preview.getByRole('button', { name: 'Show All' }).click();
    await sees(table, 'Bowl 12');
    expect(await shown()).toBe(1 + 13);
    await preview.getByRole('button', { name: 'Show Less' }).click();
    await expect.poll(shown).toBe(1 + 10);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`));
    await page.getByRole('button', { name: 'Cancel' }).click();
    await preview.waitFor({ state: 'detached' });
    await page
      .getByRole('region', { name: 'File drop zone' })
      .getByRole('button', { name: 'Choose File' })
      .waitFor();
    expect(sent.filter((call) => !call.startsWith('GET'))).toEqual([]);
  }));

test.runIf(isLong)('an upload that fails says why: the server’s words, or that it failed', ({ browser }) =>
  browser.visit(
    { expectedConsole: [/status of (500|400) .*\/api\/upload/, /ERR_CONNECTION_REFUSED/] },
    async (page) => {
      await signInAt(page, '/upload');
      await choose(page, { name: 'fails.csv', content: productCsv('Comb', 2) });
      await sees(page.getByRole('list', { name: 'Chosen files' }), /^\d+ B$/);
      const fails = async (answer: { status: number; body: string } | null, message: string) => {
        await page.route('**/api/upload', (route) =>
          answer === null ? route.abort('connectionrefused') : route.fulfill(answer),
        );
        await page.getByRole('button', { name: /^(Process All|Try Again)$/ }).click();
        const shown = await toast(page, 'Upload Failed');
        await shown.getByText(message, { exact: true }).waitFor();
        expect(await shown.getAttribute('data-tone')).toBe('failure');
        await page.unroute('**/api/upload');
      };
      await fails({ status: 500, body: '' }, 'Upload failed');
      await fails(null, 'Fast upload failed');
      await fails({ status: 400, body: '{"message":"The disk is full."}' }, 'The disk is full.');
      await page.getByRole('button', { name: 'Try Again' }).click();
      await toast(page, 'CSV Processing Complete!');
    },
  ),
);

test.runIf(isLong)(
  'a file that changed after it was chosen is named as the cause, in the preview and in the upload',
  ({ browser }) =>
    browser.visit({ expectedConsole: [/ERR_UPLOAD_FILE_CHANGED/] }, async (page) => {
      const folder = await mkdtemp(join(tmpdir(), 'draftshelf-changed-'));
      const path = join(folder, 'changed.csv');
      const chooseIt = () => page.getByLabel('CSV file').setInputFiles(path);
      const change = async () => {
        await appendFile(path, productCsv('Stool', 1));
        await utimes(path, new Date(), new Date(Date.now() + 60_000));
      };
      try {
        await signInAt(page, '/upload');
        await writeFile(path, productCsv('Stool', 300));
        await chooseIt();
        const showAll = page.getByRole('button', { name: 'Show All' });
        await expect.poll(() => showAll.isEnabled(), { timeout: waitMsMax }).toBe(true);
        await change();
        await showAll.click();
        await page.getByRole('heading', { name: 'CSV Parse Error' }).waitFor();
        await sees(page, /^The file was changed, moved or deleted after you chose it\./);
        expect(await page.getByRole('button', { name: 'Read It Differently' }).count()).toBe(0);

        await writeFile(path, productCsv('Stool', 2));
        await page.getByRole('button', { name: 'Select Different File' }).click();
        await chooseIt();
        await page.getByRole('button', { name: 'Upload 2 Products' }).waitFor();
        await change();
        await page.getByRole('button', { name: 'Process All' }).click();
        await sees(
          page.getByRole('list', { name: 'Chosen files' }),
          /^The file was changed, moved or deleted after you chose it\./,
        );
      } finally {
        await rm(folder, { recursive: true });
      }
    }),
);

test.runIf(isLong)(
  'Test (First 3) takes three rows and writes nothing to the store; its push creates the three',
  ({ browser, product }) =>
    browser.visit({}, async (page) => {
      const name = 'test-first.csv';
      const logged: string[] = [];
      page.on('console', (message) => logged.push(message.text()));
      await signInAt(page, '/upload');
      await choose(page, { name, content: productCsv('Vase', 9) });
      await page.getByRole('button', { name: 'Test (First 3)' }).click();
      await sees(
        await toast(page, 'Test Mode Complete!'),
        'Test completed: 3 products analyzed. Check console for detailed logs.',
      );
      expect(await product.productWrites()).toBe(0);
      const analyzed = () => logged.filter((text) => /^Draftshelf test: row \d, valid/.test(text)).length;
      await expect.poll(analyzed).toBe(3);
      await page.getByRole('link', { name: 'Review' }).click();
      await sees(page, 'Rows 1–3 of 3');
      await page.getByRole('button', { name: 'Push', exact: true }).click();
      const row = queueRow(page, name);
      await sees(row, '3 uploaded to Shopify');
      await row.getByRole('link', { name }).click();
      await page
        .getByRole('link', { name: /^View Vase .* in the store$/ })
        .nth(2)
        .waitFor();
      expect((await product.store.products()).length).toBe(3);
    }),
);

test.runIf(isLong)(
  'a completely sent upload cannot be cancelled, because its import exists',
  ({ browser, product }) =>
    browser.visit({}, async (page) => {
      await signInAt(page, '/upload');
      await choose(page, { name: 'sent.csv', content: productCsv('Rake', 2) });
      const start = page.getByRole('button', { name: 'Process All' });
      // The code of the rows also comes from the api.
      await sees(page.getByRole('list', { name: 'Chosen files' }), '2 valid');
      // Calls without an answer would keep all of the browser's connections to a host, of which the upload needs one.
      await page.waitForLoadState('networkidle');
      const api = product.process('api');
      api.kill('SIGSTOP');
      try {
        await start.click();
        await sees(page, 'uploaded. Finishing up…');
        expect(await page.getByRole('button', { name: 'Cancel Upload' }).count()).toBe(0);
      } finally {
        api.kill('SIGCONT');
      }
      await toast(page, 'CSV Processing Complete!');
    }),
);
