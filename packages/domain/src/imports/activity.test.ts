import { expect, test } from 'vitest';
import { activityOf, folderTroubleActivity, type ImportEvent, type ImportFacts } from './activity.ts';

const facts: ImportFacts = {
  filename: 'lamps.csv',
  source: 'upload',
  status: 'queued',
  valid_products: 9,
  warning_products: 0,
  error_products: 0,
  paused_by: null,
  waiting_for: null,
  error_message: null,
  auto_held: null,
  created: 0,
  updated: 0,
  unchanged: 0,
  skipped: 0,
  failed: 0,
};

test.each<[ImportEvent, Partial<ImportFacts>, string, string]>([
  ['begun', {}, 'processing', 'Processing lamps.csv.'],
  ['begun', { source: 'onedrive' }, 'processing', 'Processing lamps.csv from OneDrive.'],
  ['begun', { source: 'local' }, 'processing', 'Processing lamps.csv from the watched folder.'],
  [
    'processed',
    { status: 'processed', valid_products: 1 },
    'completed',
    'lamps.csv was checked: 1 valid product.',
  ],
  [
    'processed',
    { warning_products: 1, error_products: 2 },
    'other',
    'lamps.csv needs your review: 9 valid, 1 warning, 2 errors.',
  ],
  [
    'processed',
    { valid_products: 23_284, warning_products: 1_708 },
    'other',
    'lamps.csv needs your review: 23,284 valid, 1,708 warnings.',
  ],
  ['held', { auto_held: 'Not pushed: …' }, 'other', 'lamps.csv waits for you. Not pushed: …'],
  ['failed', { error_message: 'The file is empty.' }, 'error', 'lamps.csv failed: The file is empty.'],
  ['paused', { paused_by: 'operator' }, 'other', 'lamps.csv was paused.'],
  [
    'paused',
    { paused_by: 'store', waiting_for: 'The store is locked.' },
    'other',
    'lamps.csv was paused by the store: The store is locked.',
  ],
  ['resumed', {}, 'processing', 'lamps.csv was resumed.'],
  ['cancelled', {}, 'other', 'lamps.csv was cancelled.'],
  ['marked ready', {}, 'completed', 'lamps.csv was marked as ready for Shopify.'],
  ['push begun', {}, 'processing', 'Pushing lamps.csv to Shopify.'],
  [
    'gone undo cancelled',
    {},
    'other',
    'Undoing the change of products that lamps.csv no longer lists was cancelled.',
  ],
  [
    'pushed',
    { created: 3, updated: 1, unchanged: 1 },
    'completed',
    'lamps.csv: 4 products uploaded to Shopify, 1 unchanged.',
  ],
  ['pushed', { unchanged: 4, skipped: 1 }, 'other', 'lamps.csv: 4 products unchanged, 1 skipped.'],
  ['pushed', { skipped: 2 }, 'other', 'lamps.csv: 0 products uploaded to Shopify, 2 skipped.'],
  [
    'pushed',
    { created: 1, skipped: 2, failed: 1 },
    'other',
    'lamps.csv: 1 product uploaded to Shopify, 2 skipped, 1 failed.',
  ],
  ['retried', {}, 'processing', 'Retrying lamps.csv.'],
  ['reread begun', {}, 'processing', 'Re-reading lamps.csv.'],
  ['reread failed', { error_message: 'No rows.' }, 'error', 'lamps.csv couldn’t be re-read: No rows.'],
  ['reread cancelled', {}, 'other', 'Re-reading lamps.csv was cancelled.'],
])('tells %s', (event, set, type, message) => {
  expect(activityOf(event, { ...facts, ...set })).toEqual({ type, message });
});

test('cuts a long cause', () => {
  const { message } = activityOf('failed', { ...facts, error_message: 'x'.repeat(5000) });
  expect(message).toBe(`lamps.csv failed: ${'x'.repeat(300)}…`);
});

test('names a folder that can’t be read once', () => {
  const told = (trouble: string | null) => folderTroubleActivity('onedrive', trouble).message;
  expect(told('OneDrive can’t be reached. It is tried again.')).toBe(
    'OneDrive can’t be reached. It is tried again.',
  );
  expect(told('The folder /In is gone.')).toBe('OneDrive can’t be read. The folder /In is gone.');
  expect(told(null)).toBe('OneDrive is read again.');
});
