import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { until } from '../../support/fixture.ts';
import { smallTargets, violationsOf } from '../page-checks.ts';
import { expectNoSidewaysScroll, hasFocus, openSession, post, put, sees, upload } from '../steps.ts';
import { test } from '../test.ts';

const list = (without: number) =>
  `SKU,Title,Price,Quantity\n${Array.from(
    { length: 20 },
    (_, at) => `G-${at},Gone vase ${at},${at + 10}.00,3`,
  )
    .slice(without)
    .join('\n')}\n`;

const listOf = async (page: Page, id: string) =>
  (await (await page.request.get(`/api/queue/${id}?rows=0`)).json()).job.list;

test('what two complete lists lack is planned, archived and undone', ({ browser, product }) =>
  browser.visit({}, async (page) => {
    await openSession(page);
    const first = await upload(product, 'gone 1.csv', list(0));
    await post(page, `/api/queue/${first}/push`);
    await until('it counts', async () => (await listOf(page, first))?.state === 'counted', 60_000);
    const counted = async (filename: string, text: string) => {
      const id = await upload(product, filename, text);
      await put(page, `/api/queue/${id}/list`, { counts: true });
      await until('it counts', async () => (await listOf(page, id))?.state === 'counted', 60_000);
      return id;
    };
    const second = await counted('gone 2.csv', list(2));
    await page.goto(`/queue/${second}?details=list-since`);
    const since = page.getByRole('region', { name: /^Since/ });
    await sees(since, '2 rows of gone 1.csv aren’t in this list.');
    await since.getByRole('button', { name: 'Yes' }).press('Enter');
    await expect.poll(() => since.getByText('send the complete list').count()).toBe(0);

    // The merchant publishes what was pushed as a draft.
    for (const { id, title } of await product.store.products()) {
      if (title === 'Gone vase 1') await product.store.edit(id, { status: 'ACTIVE' });
    }
    const third = await counted('gone 3.csv', `${list(2)}\n`);
    await page.goto(`/queue/${third}?details=list-since`);
    const opener = since.getByRole('button', { name: '2 no longer listed' });
    await opener.press('Enter');
    const drawer = page.getByRole('dialog', { name: 'No longer listed' });
    await sees(drawer, 'Gone vase 0');
    await sees(drawer, 'G-0 · 10.00 · 3 in stock · last in gone 1.csv · Last seen as draft');
    await sees(drawer, 'You’ll see the plan first.');
    await drawer.getByRole('checkbox', { name: /Gone vase 1/ }).check();
    await drawer.getByRole('combobox', { name: 'With the 1 ticked' }).click();
    await page.getByRole('option', { name: 'Archive' }).click();
    expect(await violationsOf(page)).toEqual([]);
    await drawer.getByRole('button', { name: 'Plan' }).press('Enter');
    await sees(drawer, '1 product is archived.');
    await sees(drawer, 'The product is active in the store.');
    await drawer.getByRole('button', { name: 'Change 1 Product' }).press('Enter');
    await sees(drawer, '1 product is archived now.');
    await sees(drawer, 'You can undo this with Undo Push in the ⋯ menu.');
    await page.getByText('gone 3.csv: 1 product is archived now.').first().waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await hasFocus(opener);

    await page.setViewportSize({ width: 390, height: 844 });
    await page.reload();
    await since.getByRole('button', { name: '2 no longer listed' }).click();
    await drawer.getByRole('button', { name: 'Choose Again' }).click();
    await sees(drawer, 'Last seen as archived');
    await expectNoSidewaysScroll(page);
    expect(await smallTargets(drawer.getByRole('list'))).toEqual([]);
    expect(await violationsOf(page)).toEqual([]);

    await page.goto(`/queue/${third}?undo=push`);
    const undo = page.getByRole('dialog', { name: /^Undo “Archive” of / });
    await sees(undo, /^“Archive” can be undone until /);
    expect(await undo.getByText(/push/).count()).toBe(0);
    await undo.getByRole('button', { name: 'Restore 1' }).press('Enter');
    await sees(page, '“Archive” undone');
  }));
