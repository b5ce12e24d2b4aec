import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { isLong } from '../../support/queue-backend.ts';
import { waitMsMax } from '../browser.ts';
import {
  expectOutcomes,
  openDetails,
  openSession,
  planButton,
  post,
  queueRow,
  sees,
  signInAt,
  uploadAndOpen,
} from '../steps.ts';
import { test } from '../test.ts';

/** The requests of a page to the queue's calls from now on, as path and query. */
function askedOf(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith('/api/queue')) asked.push(pathname + search);
  });
  return asked;
}

const content = 'Title,Price,SKU\nLamp,5,L-1\nVase,7,V-1\n';

test('the page of an import polls the import without rows, and reads rows when a stage has ended', ({
  browser,
}) =>
  browser.visit({}, async (page) => {
    await openSession(page);
    await uploadAndOpen(page, { name: 'followed.csv', content });
    await sees(page.getByRole('table', { name: 'Product rows' }), 'Vase');
    await openDetails(page);
    await planButton(page).waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1);
    const light = `/api/queue/${id}?rows=0`;
    const asked = askedOf(page);
    const polls = () => asked.filter((path) => path === light).length;
    await expect.poll(polls, { timeout: waitMsMax }).toBeGreaterThan(1);
    expect(new Set(asked)).toEqual(new Set([light]));

    // From another browser, so that only the poll can show it.
    await post(page, `/api/queue/${id}/push`);
    await expectOutcomes(page, '2 Created');
    const outcome = page.getByRole('link', { name: 'View Lamp in the store' });
    await outcome.waitFor();
    expect(asked).not.toContain('/api/queue');
    expect(asked).not.toContain(`/api/queue/${id}`);
  }));

test.runIf(isLong)(
  'the queue shows the newest imports, the total, and links to older ones',
  ({ browser, product }) =>
    browser.visit({}, async (page) => {
      await product.database.pool.query(`
      insert into imports (filename, file_bytes, sha256, object_key, status, test_mode, enable_upc, enable_ai,
        created_at)
      select 'delivery ' || n || '.csv', 10, 'digest', 'old/' || n, 'cancelled', false, false, false,
        now() - n * interval '1 day'
      from generate_series(1, 450) n`);
      // The first rows of an import are read when the pointer rests on it.
      await product.database.pool.query(
        `insert into runs (import_id, stage, run, total_rows, total_products, product_numbers, dialect, headers, mapping)
       select id, 'parse', rows_run, 1, 1, 1, $1, $2, $3 from imports where object_key like 'old/%'`,
        [
          { encoding: 'utf-8', delimiter: ',', quote: '"', bomBytes: 0, headerRecord: 0 },
          JSON.stringify(['Title']),
          { columns: [], sources: {} },
        ],
      );
      const { rows } = await product.database.pool.query<{ total: number; open: number }>(`
      select count(*)::int as total,
        count(*) filter (where status not in ('completed', 'failed', 'cancelled'))::int as open from imports`);
      const { total = 0, open = 0 } = rows[0] ?? {};
      await signInAt(page, '/queue');
      await sees(page, `Showing the newest ${open + 200} of ${total} imports.`);
      await queueRow(page, 'delivery 1.csv').hover();
      expect(await page.getByRole('link', { name: 'delivery 450.csv' }).count()).toBe(0);
      const older = page.getByRole('button', { name: 'Show Older' });
      await older.click();
      await sees(page, `Showing 200 older imports of ${total}.`);
      expect(await page.getByRole('link', { name: 'delivery 1.csv', exact: true }).count()).toBe(0);
      await older.click();
      await queueRow(page, 'delivery 450.csv').waitFor();
      await older.waitFor({ state: 'detached' });
      await page.reload();
      await queueRow(page, 'delivery 450.csv').waitFor();
      await page.getByRole('button', { name: 'Show Newest' }).click();
      await sees(page, `Showing the newest ${open + 200} of ${total} imports.`);
    }),
);
