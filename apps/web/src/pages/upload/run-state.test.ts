import { expect, test } from 'vitest';
import { uploadToast } from './run-state.ts';

const job = { status: 'queued', filename: 'a.csv', errorMessage: null, totalProducts: 3 };

test('success has the texts of the specification', () => {
  expect(uploadToast({ totalProducts: 3, testMode: false }, job)).toEqual({
    title: 'CSV Processing Complete!',
    text: '3 products processed and queued. Go to Queue tab to review before pushing to Shopify.',
  });
  expect(uploadToast({ totalProducts: 3, testMode: true }, null)).toEqual({
    title: 'Test Mode Complete!',
    text: 'Test completed: 3 products analyzed. Check console for detailed logs.',
  });
});

test('an import that failed in processing shows why', () => {
  const failed = { ...job, status: 'failed', errorMessage: 'The file is not text.' };
  expect(uploadToast({ totalProducts: 3, testMode: false }, failed)).toEqual({
    title: 'Upload Failed',
    text: 'The file is not text.',
    tone: 'failure',
  });
});

test('the product count is that of the finalized import, not of the upload', () => {
  const finalized = { ...job, totalProducts: 2 };
  expect(uploadToast({ totalProducts: 3, testMode: false }, finalized).text).toMatch(/^2 products processed/);
});
