import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { violationsOf } from '../page-checks.ts';
import { openSession, sees, upload } from '../steps.ts';
import { test } from '../test.ts';

test('products of one title are combined as variants, and apart again', ({ browser, product }) =>
  browser.visit({}, async (page) => {
    await openSession(page);
    const file = await readFile(
      new URL('../../fixtures/semicolon-decimal-comma.csv', import.meta.url),
      'utf8',
    );
    const id = await upload(product, 'shopware.csv', file);
    await page.goto(`/queue/${id}`);
    const fact = page.locator('[data-fact="shared-titles"]');
    await sees(fact, '2 products');
    await sees(fact, 'Share a title with others, and differ in _additionaltext. Combine them as variants?');
    await fact.getByRole('button', { name: 'Combine…' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Combine as variants' });
    await sees(dialog, 'Valid 7 → 6');
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Combine' }).press('Enter');
    await page.getByText('6 products').first().waitFor();
    await fact.waitFor({ state: 'detached' });
    await sees(page, 'Kissenhülle Maß nach Wahl · 40 × 40 cm');
    await sees(page, '↳ 50 × 50 cm · Kissenhülle Maß nach Wahl');
    await page.getByRole('button', { name: 'Restore Previous Reading' }).press('Enter');
    await sees(page, '7 products');
    await page.getByText('↳ 50 × 50 cm').waitFor({ state: 'detached' });
  }));
