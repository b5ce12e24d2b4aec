import { randomBytes } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { afterAll, expect } from 'vitest';
import { until } from '../support/fixture.ts';
import { type ListServer, startListServer } from '../support/list-server.ts';
import { isLong } from '../support/queue-backend.ts';
import { browser, stack, testOnOwnStack, workers } from './own-stack.ts';
import { smallTargets, violationsOf } from './page-checks.ts';
import { expectNoSidewaysScroll, hurryPolls, openSession, sees } from './steps.ts';

let server: ListServer;
afterAll(() => server?.close());
const test = testOnOwnStack(async () => {
  server = await startListServer();
  const env = { FETCH_ALLOW: server.origin, CREDENTIALS_KEY: randomBytes(32).toString('hex') };
  return { names: [...workers, 'folder-worker'], env };
});

/** `prices`: by number. */
function listOf(prices: Record<number, string> = {}, rows = 20): string {
  const lines = Array.from(
    { length: rows },
    (_, at) => `V-${at},Vase ${at},${prices[at] ?? `${at + 10}.00`}`,
  );
  return `SKU,Title,Price\n${lines.join('\n')}\n`;
}

function countClicks() {
  let clicks = 0;
  return {
    async on(what: Locator) {
      clicks += 1;
      await what.click();
    },
    count: () => clicks,
  };
}

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test.runIf(isLong)(
  'an address becomes a supplier with a schedule; the next list comes, trouble is a sentence',
  () =>
    browser.visit({ expectedConsole: [/status of 400/] }, async (page) => {
      await hurryPolls(page);
      await openSession(page);
      server.serve('/list.csv', listOf());
      await page.goto('/upload');
      await page.getByRole('button', { name: 'Fetch from an Address…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Fetch from an address' });
      const address = dialog.getByLabel('Address of the list');
      await address.fill('ftp://example.com/list.csv');
      await address.press('Enter');
      await sees(dialog, 'FTP sends passwords unencrypted, so it isn’t supported.');
      // A key without a passphrase is used as it is.
      await address.fill('sftp://127.0.0.1/list.csv');
      await dialog.getByText('Key (sftp)').click();
      await dialog.getByLabel('User').fill('acme');
      await dialog.getByLabel('Private key').fill('-----BEGIN OPENSSH PRIVATE KEY-----');
      await dialog.getByRole('button', { name: 'Test' }).click();
      await sees(dialog, '127.0.0.1 leads into a private network. FETCH_ALLOW can name it.');
      await dialog.getByText('No sign-in').click();
      await address.fill(`${server.origin}/list.csv?token=canary`);
      await dialog.getByRole('button', { name: 'Test' }).click();
      await sees(dialog, 'list.csv: 20 rows, 20 products.');
      await sees(dialog, 'Vase 1');
      expect(await violationsOf(page)).toEqual([]);
      await dialog.getByLabel('Supplier').fill('Acme');
      await dialog.getByRole('button', { name: 'Save and Fetch' }).click();

      await page.getByRole('heading', { name: 'Acme', level: 1 }).waitFor();
      const supplierAddress = page.url();
      const feed = region(page, 'Address of the list');
      await sees(feed, `${server.origin}/list.csv?…`);
      await sees(feed, 'Imported');
      await sees(feed, 'next');
      expect(await page.content()).not.toContain('canary');
      await until('the list has been read', async () => {
        const jobs = await (await page.request.get('/api/queue')).json();
        return jobs.length === 1 && jobs[0].status !== 'processing';
      });
      // The table above has its row: no button moves while it is pressed.
      await page.getByText('Not compared with an earlier list').waitFor();

      // A server that fails: what to do, and the cause one click away.
      server.answer('/list.csv', (_, response) => response.writeHead(401).end());
      await feed.getByRole('button', { name: 'Fetch Now' }).click();
      await sees(feed, 'asks for a sign-in.');
      await feed.getByRole('button', { name: 'Show Details' }).first().click();
      await sees(feed, 'Status 401');
      expect(await violationsOf(page)).toEqual([]);

      server.serve('/list.csv', listOf({ 0: '11.00' }));
      await feed.getByRole('button', { name: 'Fetch Now' }).click();
      await expect.poll(() => feed.getByText('asks for a sign-in.').count()).toBe(1);
      // The newer list replaces the one that nobody has worked on, which can no longer count.
      await sees(feed, 'Replaced by a newer list');
      const lists = region(page, 'Lists');
      await sees(lists, 'Cancelled');
      expect(await lists.getByRole('button', { name: 'Use as the Latest List' }).count()).toBe(1);

      // The list that lies in the queue on Monday: reviewed and pushed.
      await page.goto('/queue');
      const clicks = countClicks();
      await clicks.on(page.getByRole('link', { name: 'list.csv' }).first());
      await page.getByRole('heading', { name: 'list.csv', level: 1 }).waitFor();
      await clicks.on(page.getByRole('button', { name: 'Push', exact: true }));
      await until('the list is in the store', async () => (await stack.store.products()).length === 20);
      expect(clicks.count()).toBeLessThanOrEqual(3);
      await page.goto(supplierAddress);

      await feed.getByLabel('Fetch it').click();
      await page.getByRole('option', { name: 'Every hour' }).click();
      await expect.poll(() => feed.getByLabel(/^At/).count()).toBe(0);
      await browser.visit({ viewport: { width: 390, height: 844 }, touch: true }, async (phone) => {
        await openSession(phone);
        await phone.goto(page.url());
        const small = region(phone, 'Address of the list');
        await sees(small, 'Replaced by a newer list');
        await expectNoSidewaysScroll(phone);
        expect(await violationsOf(phone)).toEqual([]);
        expect(await smallTargets(small)).toEqual([]);
      });

      await feed.getByRole('button', { name: 'Remove Address' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Remove Address' }).click();

      // From a supplier with a list to a schedule.
      const again = countClicks();
      await again.on(feed.getByLabel('Address of the list'));
      await page.keyboard.type(`${server.origin}/list.csv`);
      await again.on(feed.getByRole('button', { name: 'Test' }));
      await sees(feed, 'Compared with the last list: 0 new, 0 dearer, 0 cheaper, 0 missing.');
      await again.on(feed.getByRole('button', { name: 'Save and Fetch' }));
      await sees(feed, ' · next ');
      expect(again.count()).toBeLessThanOrEqual(5);
    }),
);
