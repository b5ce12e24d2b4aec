import { upsertShop } from '@draftshelf/core/push/store/shops';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { storedImport, until } from '../../support/fixture.ts';
import { folderImport } from '../../support/folder-import.ts';
import { isLong } from '../../support/queue-backend.ts';
import type { Product } from '../product.ts';
import { chooseInMenu, post, queueRow, sees, signInAt } from '../steps.ts';
import { test } from '../test.ts';

const csv = (name: string, prices: readonly string[]) =>
  ['Title,Price,SKU', ...prices.map((price, at) => `${name} ${at + 1},${price},${name}-${at + 1}`)].join(
    '\n',
  );

/** Files that arrive in a watched folder, without a folder worker. */
const arrives = (product: Product, path: string, prices: readonly string[], mode: 'manual' | 'full-auto') =>
  folderImport(product, { csv: csv(path.replace('.csv', ''), prices), path, mode });

/** Has an import wait for a look-up that does not end. */
async function openLookUp({ database: { pool } }: Product, importId: string): Promise<void> {
  await pool.query(
    `insert into chunks (import_id, stage, run, kind, task, sequence, not_before, deferred_at)
     values ($1, 'enrich', 1, 'task', 'ask-upcitemdb', -1, now() + interval '1 hour', now())`,
    [importId],
  );
}

async function openQueue(page: Page): Promise<void> {
  await signInAt(page, '/queue');
}

test('full-auto says when it pushes and why it does not; Push Now and Stop answer it', ({
  browser,
  product,
}) =>
  browser.visit({}, async (page) => {
    // A store whose currency a file is compared with has been read before.
    const shop = { shop: 'draftshelf-demo.myshopify.com', url: product.store.url, currency: 'CAD' };
    await upsertShop(product.database.db, shop);
    await arrives(product, 'night.csv', ['5', '6'], 'full-auto');
    const morning = await arrives(product, 'morning.csv', ['5', '6'], 'full-auto');
    await arrives(product, 'unsound.csv', ['5', ''], 'full-auto');
    const manual = await arrives(product, 'manual.csv', ['7'], 'manual');
    const lookedUp = await arrives(product, 'looked-up.csv', ['8'], 'full-auto');
    await openLookUp(product, lookedUp.id);
    await openQueue(page);

    const undecided =
      'Once rules are applied and look-ups have ended, full auto decides. It waits at most 10 minutes for look-ups.';
    await sees(queueRow(page, 'looked-up.csv'), undecided);
    await page.goto(`/queue/${lookedUp.id}`);
    await sees(page.getByRole('paragraph'), undecided);
    await product.database.pool.query('delete from chunks where import_id = $1 and task is not null', [
      lookedUp.id,
    ]);
    await sees(page.getByRole('paragraph'), /^Pushes at .*, as drafts\./);
    await page.goto('/queue');

    const night = queueRow(page, 'night.csv');
    await sees(night, /^Pushes at /);
    await night.getByRole('button', { name: 'Stop' }).click();
    await sees(night, /^Not pushed: you stopped it/);
    await night.getByRole('button', { name: 'Push to Shopify' }).waitFor();
    await sees(queueRow(page, 'unsound.csv'), 'Not pushed: 1 of 2 products needed you. Check it, then push.');

    await page.goto(`/queue/${morning.id}`);
    const planned = page.getByRole('paragraph').filter({ hasText: /Pushes at .*, as drafts\./ });
    await planned.getByRole('button', { name: 'Push Now' }).click();
    await page.waitForURL('**/queue');
    await sees(queueRow(page, 'morning.csv'), '2 uploaded to Shopify');
    const products = (await product.store.products()).filter(({ title }) => title.startsWith('morning'));
    expect(products.map(({ status }) => status)).toEqual(['DRAFT', 'DRAFT']);

    await page.goto(`/queue/${manual.id}`);
    await sees(page, 'Waits for your review, as set for the watched folder.');
  }));

test.runIf(isLong)(
  'a failed import says when it is retried, and Don’t Retry ends it',
  ({ browser, product }) =>
    browser.visit({}, async (page) => {
      const { pool } = product.database;
      const fail = async (filename: string) => {
        const { id } = await storedImport(product, { csv: csv(filename, ['5']), filename });
        await until('processed', async () => {
          const { rows } = await pool.query('select status from imports where id = $1', [id]);
          return rows[0].status === 'processed';
        });
        await pool.query(
          `update chunks set state = 'dead', attempts = 5 where import_id = $1 and stage = 'parse' and kind = 'work'`,
          [id],
        );
        await pool.query(
          `with changed as (update imports set status = 'failed', version = nextval('import_version') where id = $1)
       update runs set import_stage = 'parse', failed_in = 'parse', completed_at = now(), error_message = 'The storage didn’t answer.' where import_id = $1 and stage = 'parse'`,
          [id],
        );
        return id;
      };
      const id = await fail('broken.csv');
      await fail('other.csv');
      await openQueue(page);
      await post(page, '/api/settings', { autoRetry: true });
      const row = queueRow(page, 'broken.csv');
      await sees(row, /^Tries again at .* \(1 of 3\)\. The storage didn’t answer\.$/);
      await chooseInMenu(queueRow(page, 'other.csv'), 'Don’t Retry');
      await sees(queueRow(page, 'other.csv'), 'The storage didn’t answer.');

      await page.goto(`/queue/${id}`);
      await sees(page, /^Tries again at .* \(1 of 3\)\.$/);
      await page.getByRole('button', { name: 'Don’t Retry' }).click();
      await page.getByText(/^Tries again at/).waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Retry', exact: true }).waitFor();
      await post(page, '/api/settings', { autoRetry: false });
    }),
);
