import { expect, test } from 'vitest';
import { rowRange, uploadBlock, uploadLabel } from './upload-words.ts';

test('labels', () => {
  expect(uploadLabel(3)).toBe('Upload 3 Products');
  expect(rowRange(3, 200, 450)).toBe('Rows 401–450 of 450');
  expect(rowRange(1, 25, 0)).toBe('0 rows');
});

test('the upload is disabled without valid products, before the file is read, and while another one is sent', () => {
  const ready = { busy: false, files: 1, fit: 1, checking: 0, valid: 3 };
  expect(uploadBlock(ready)).toBeNull();
  expect(uploadBlock({ ...ready, valid: 0 })).toBe('No product has both a title and a valid price.');
  expect(uploadBlock({ ...ready, checking: 1 })).toBe('The file is still being read.');
  expect(uploadBlock({ ...ready, files: 3, fit: 3, checking: 1 })).toBe(
    'Some files are still being checked.',
  );
  expect(uploadBlock({ ...ready, files: 2, fit: 0 })).toBe('None of these files can be uploaded.');
  expect(uploadBlock({ ...ready, busy: true })).toBe('Another upload is in progress.');
});
