import { expect, test } from 'vitest';
import { createCallError } from '../../../api/call.ts';
import { buildUploadToast, describeUploadFailure } from './upload-run.tsx';

const record = { status: 'queued', filename: 'a.csv', errorMessage: null, totalProducts: 3 };

test('success has the texts of the specification', () => {
  expect(buildUploadToast({ totalProducts: 3, testMode: false }, record)).toEqual({
    title: 'CSV Processing Complete!',
    text: '3 products processed and queued. Go to Queue tab to review before pushing to Shopify.',
  });
  expect(buildUploadToast({ totalProducts: 3, testMode: true }, null)).toEqual({
    title: 'Test Mode Complete!',
    text: 'Test completed: 3 products analyzed. Check console for detailed logs.',
  });
});

test('one product is counted in the singular', () => {
  const texts = [true, false].map((testMode) => buildUploadToast({ totalProducts: 1, testMode }, null).text);
  expect(texts).toEqual([
    'Test completed: 1 product analyzed. Check console for detailed logs.',
    '1 product processed and queued. Go to Queue tab to review before pushing to Shopify.',
  ]);
});

test('an import that failed in processing shows why', () => {
  const failed = { ...record, status: 'failed', errorMessage: 'The file is not text.' };
  expect(buildUploadToast({ totalProducts: 3, testMode: false }, failed)).toEqual({
    title: 'Upload Failed',
    text: 'The file is not text.',
    tone: 'failure',
  });
});

test('the product count is that of the finalized import, not of the upload', () => {
  const finalized = { ...record, totalProducts: 2 };
  expect(buildUploadToast({ totalProducts: 3, testMode: false }, finalized).text).toMatch(
    /^2 products processed/,
  );
});

test('a failed upload has the message of the server, else the words of the specification', () => {
  const refused = createCallError(400, 'Bad Request', '{"code":"invalid","message":"One file at a time."}');
  expect(describeUploadFailure(refused)).toBe('One file at a time.');
  expect(describeUploadFailure(createCallError(500, 'Internal Server Error', ''))).toBe('Upload failed');
  expect(describeUploadFailure(createCallError(502, 'Bad Gateway', '<h1>proxy</h1>'))).toBe('Upload failed');
  expect(describeUploadFailure(new Error(''))).toBe('Fast upload failed');
});
