import { expect, test } from 'vitest';
import { rowRange, uploadBlock, uploadLabel, uploadScope } from './upload-words.ts';

test('labels', () => {
  expect(uploadLabel(3)).toBe('Upload 3 Products');
  expect(rowRange(3, 200, 450)).toBe('Rows 401–450 of 450');
  expect(rowRange(1, 25, 0)).toBe('0 rows');
});

test('the upload is disabled without valid products, before the file is read, and while another one is sent', () => {
  expect(uploadBlock({ busy: false, complete: true, valid: 3 })).toBeNull();
  expect(uploadBlock({ busy: false, complete: true, valid: 0 })).toBe(
    'No product has both a title and a valid price.',
  );
  expect(uploadBlock({ busy: false, complete: false, valid: 3 })).toBe('The file is still being read.');
  expect(uploadBlock({ busy: true, complete: true, valid: 3 })).toBe('Another upload is in progress.');
});

test('a sentence says what the buttons upload', () => {
  const checked = (products: number, valid: number, exact = true) => ({ products, valid, exact });
  expect(uploadScope(checked(22, 19), 0)).toBe(
    'All 22 products are uploaded. 3 need a title or price before they can be pushed.',
  );
  expect(uploadScope(checked(2, 1), 0)).toBe(
    'All 2 products are uploaded. 1 needs a title or price before it can be pushed.',
  );
  expect(uploadScope(checked(1, 1), 0)).toBe('1 product is uploaded.');
  expect(uploadScope(checked(600_000, 600_000, false), 2)).toBe(
    'All about 600,000 products are uploaded. Process All uploads all 3 files.',
  );
});
