import { expect } from 'vitest';
import { importWithPictures } from '../../support/file-pictures.ts';
import { csvOf, until } from '../../support/fixture.ts';
import { violationsOf } from '../page-checks.ts';
import { openSession, sees, toast } from '../steps.ts';
import { test } from '../test.ts';

test('pictures of a file are shown with their products, and one is chosen by a search', ({
  browser,
  product,
}) =>
  browser.visit({}, async (page) => {
    const csv = csvOf([
      ['Title', 'Price', 'SKU'],
      ['Teak lamp', '12.50', 'TK-1'],
      ['Teak vase', '9.50', 'TK-2'],
    ]);
    const files = [
      { name: 'TK-1.png' },
      { name: 'folder/who.png' },
      { name: 'notes.txt', data: 'no picture' },
    ];
    const { id } = await importWithPictures(product, csv, files);
    await until('pictures are matched', async () => {
      const { rows } = await product.database.pool.query(
        'select 1 from picture_matches where import_id = $1',
        [id],
      );
      return rows.length > 0;
    });
    await openSession(page);
    await page.goto(`/queue/${id}?class=all&details=pictures`);
    const strip = page.getByRole('region', { name: 'Pictures', exact: true });
    await sees(
      strip,
      '3 pictures in the file: 1 matched to 1 product · 1 matched nothing · 1 could not be read',
    );
    await strip.getByRole('button', { name: 'Show Pictures' }).press('Enter');
    const drawer = page.getByRole('dialog', { name: 'Pictures in the file' });
    await sees(drawer, 'No product has this name as its SKU, UPC, item number or handle.');
    expect(await violationsOf(page)).toEqual([]);
    await drawer.getByText('Not readable 1').click();
    await sees(drawer, 'This file isn’t a picture.');
    await drawer.getByText('Matched 1').click();
    await sees(drawer, 'Row 1: Teak lamp');

    await drawer.getByText('No product 1').click();
    await drawer.getByRole('button', { name: 'Choose Product: folder/who.png' }).press('Enter');
    await drawer.getByRole('textbox', { name: 'Product of folder/who.png' }).fill('teak va');
    await drawer.getByRole('button', { name: 'Row 2: Teak vase' }).press('Enter');
    await toast(page, 'Saved');
    await sees(strip, '3 pictures in the file: 2 matched to 2 products · 1 could not be read');
    const { rows } = await (await page.request.get(`/api/queue/${id}/rows?limit=2`)).json();
    expect(rows[1].values.image).toMatch(/^\/api\/photos\//);
    await page.getByRole('button', { name: 'Undo' }).click();
    await sees(
      strip,
      '3 pictures in the file: 1 matched to 1 product · 1 matched nothing · 1 could not be read',
    );
  }));
