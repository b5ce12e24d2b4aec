import { expect, test } from 'vitest';
import { buildReportLines, listQueueActions } from './queue-list.tsx';

const outcomes = { created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0 };

type Shown = Parameters<typeof listQueueActions>[0];

/** The labels of a row's actions. Those of the menu are in brackets, the tinted one has a star. */
function labels(status: string, set: Partial<Shown> = {}) {
  const none = {
    rereading: null,
    failedIn: null,
    autoPushAt: null,
    nextRetryAt: null,
    draftsUrl: null,
    shop: null,
    isUndoing: false,
    changesGone: false,
    otherCurrency: null,
    columnQuestions: 0,
    asksRecipes: false,
  };
  return listQueueActions({ status, outcomes, ...none, ...set }).map(
    ({ label, weight }) => ({ primary: `${label}*`, plain: label, menu: `[${label}]` })[weight],
  );
}

test('each status has its actions', () => {
  expect(labels('processing')).toEqual(['Pause', '[Cancel Import]']);
  expect(labels('uploading')).toEqual(['Pause', '[Cancel Import]']);
  expect(labels('paused')).toEqual(['Resume*', '[Cancel Import]']);
  expect(labels('queued')).toEqual(['Review*', 'Push', '[Cancel Import]']);
  expect(labels('processed')).toEqual(['Push to Shopify*', 'Review', '[Cancel Import]']);
  expect(labels('processed', { asksRecipes: true })).toEqual([
    'Review*',
    'Push to Shopify',
    '[Cancel Import]',
  ]);
  expect(labels('completed')).toEqual(['View Report', 'Push again']);
  expect(labels('cancelled')).toEqual([]);
  expect(labels('weird')).toEqual([]);
});

test('an import that was pushed offers to undo that in its menu', () => {
  const shop = 'demo.myshopify.com';
  expect(labels('completed', { shop })).toEqual(['View Report', 'Push again', '[Undo Push]']);
  expect(labels('cancelled', { shop })).toEqual(['[Undo Push]']);
  expect(labels('uploading', { shop, isUndoing: true })).toEqual(['Pause', '[Cancel Undo]']);
});

test('a completed import with failed rows offers to retry them', () => {
  expect(labels('completed', { outcomes: { ...outcomes, failed: 2 } })).toEqual([
    'View Report',
    'Retry failed rows*',
    '[Push again]',
  ]);
});

test('an import whose push has created drafts leads to them, beside its report', () => {
  const draftsUrl = 'https://shop.example/admin/products';
  expect(labels('completed', { draftsUrl })).toEqual(['View Report', 'See the Drafts', '[Push again]']);
  expect(labels('completed', { draftsUrl, outcomes: { ...outcomes, failed: 2 } })).toEqual([
    'View Report',
    '[See the Drafts]',
    'Retry failed rows*',
    '[Push again]',
  ]);
  expect(labels('processed', { draftsUrl })).toContain('[See the Drafts]');
});

test('a failed import offers a review first if its rows are the cause', () => {
  expect(labels('failed', { failedIn: 'parse' })).toEqual(['Retry*']);
  expect(labels('failed', { failedIn: 'push' })).toEqual(['Retry*', 'Review']);
  const skipped = { failedIn: 'push', outcomes: { ...outcomes, skipped: 2 } } as const;
  expect(labels('failed', skipped)).toEqual(['Review*', 'Retry']);
});

test('a planned push can be begun and stopped, and a retry that is due can be stopped', () => {
  const autoPushAt = '2026-11-22T03:24:00.000Z';
  expect(labels('processed', { autoPushAt })).toEqual(['Push Now*', 'Stop', '[Review]', '[Cancel Import]']);
  const nextRetryAt = '2026-11-22T08:35:00.000Z';
  expect(labels('failed', { failedIn: 'parse', nextRetryAt })).toEqual(['Retry*', '[Don’t Retry]']);
  expect(labels('failed', { failedIn: 'push', nextRetryAt })).toEqual(['Retry*', 'Review', '[Don’t Retry]']);
});

test('during a re-read only the re-read can be cancelled', () => {
  const rereading = { encoding: 'utf-8', delimiter: ';', quote: '"', headerRecord: 0, table: null };
  expect(labels('processing', { rereading })).toEqual(['Pause', '[Cancel Re-read]']);
  expect(labels('paused', { rereading })).toEqual(['Resume*', '[Cancel Re-read]']);
});

test('a report has all lines and only the first three errors', () => {
  const lines = buildReportLines(
    {
      filename: 'a.csv',
      processedProducts: 9,
      totalProducts: 10,
      createdProducts: 5,
      outcomes: { ...outcomes, created: 1, unchanged: 4, skipped: 2 },
      progress: 100,
      errorLog: ['one', 'two', 'three', 'four', 'five'],
    },
    { status: 'Completed', started: 'then', completed: 'now' },
  );
  expect(lines).toEqual([
    'File: a.csv',
    'Status: Completed',
    'Products: 9 of 10',
    'Uploaded: 1',
    'Results: 1 created, 4 unchanged, 2 skipped',
    'Progress: 100%',
    'Started: then',
    'Completed: now',
    'Error 1: one',
    'Error 2: two',
    'Error 3: three',
  ]);
});
