import { expect, test } from 'vitest';
import { buildActionHints, describeRowRange, findUploadBlocker, uploadLabel } from './upload-choices.tsx';

test('labels', () => {
  expect(uploadLabel(3)).toBe('Upload 3 Products');
  expect(uploadLabel(1)).toBe('Upload 1 Product');
  expect(describeRowRange(3, 200, 450)).toBe('Rows 401–450 of 450');
  expect(describeRowRange(1, 25, 0)).toBe('0 rows');
});

test('the upload is disabled without valid products, before the file is read, and while another one is sent', () => {
  const ready = { busy: false, files: 1, fit: 1, checking: 0, unseen: 0, valid: 3 };
  expect(findUploadBlocker(ready)).toBeNull();
  expect(findUploadBlocker({ ...ready, valid: 0 })).toBe('No product has both a title and a valid price.');
  expect(findUploadBlocker({ ...ready, unseen: 1, valid: 0 })).toBe(
    'To upload files that this browser can’t preview, use Process All.',
  );
  expect(findUploadBlocker({ ...ready, checking: 1 })).toBe('The file is still being read.');
  expect(findUploadBlocker({ ...ready, files: 3, fit: 3, checking: 1 })).toBe(
    'Some files are still being checked.',
  );
  expect(findUploadBlocker({ ...ready, files: 2, fit: 0 })).toBe('None of these files can be uploaded.');
  expect(findUploadBlocker({ ...ready, busy: true })).toBe('Another upload is in progress.');
});

test('each button says what it does, with its files and products', () => {
  const scope = { files: 1, checking: 0, unseen: 0, classes: { products: 22, exact: true, valid: 19 } };
  expect(buildActionHints(scope, 'a.csv')).toEqual({
    test: 'Uploads only the first 3 rows of a.csv, as an import to try.',
    processAll: 'Uploads 1 file with 22 products, valid or not. Upload 19 Products does the same.',
    upload:
      'Uploads 1 file with 22 products, 19 of them valid. Process All does the same without waiting for the check.',
  });
  const several = {
    ...{ files: 3, checking: 0, unseen: 0 },
    classes: { products: 600_000, exact: false, valid: 600_000 },
  };
  expect(buildActionHints(several, null)).toMatchObject({
    test: null,
    upload:
      'Uploads 3 files with about 600,000 products, all valid. Process All does the same without waiting for the check.',
  });
  const none = { ...scope, classes: { ...scope.classes, valid: 0 } };
  expect(buildActionHints(none, null).processAll).toBe('Uploads 1 file with 22 products, valid or not.');
  expect(buildActionHints({ ...several, checking: 1 }, null).processAll).toBe(
    'Uploads 3 files now, without waiting for the check.',
  );
  expect(buildActionHints({ ...scope, files: 0 }, null).processAll).toBeNull();
  expect(buildActionHints({ ...scope, files: 2, unseen: 1 }, null).processAll).toBe(
    'Uploads 2 files with at least 22 products, valid or not. Upload 19 Products does the same.',
  );
  const unseen = { ...scope, unseen: 1, classes: { products: 0, exact: true, valid: 0 } };
  expect(buildActionHints(unseen, null).processAll).toBe('Uploads 1 file, valid or not.');
});
