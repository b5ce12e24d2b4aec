import { expect, test } from 'vitest';
import { queueActions, reportLines } from './queue-actions.ts';

const outcomes = { created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0 };

function labels(
  status: string,
  failed = 0,
  rereading: Parameters<typeof queueActions>[0]['rereading'] = null,
) {
  return queueActions({ status, outcomes: { ...outcomes, failed }, rereading }).map((action) =>
    'label' in action ? action.label : action.kind,
  );
}

test('each status has its buttons', () => {
  expect(labels('processing')).toEqual(['Pause', 'Cancel Import']);
  expect(labels('uploading')).toEqual(['Pause', 'Cancel Import']);
  expect(labels('paused')).toEqual(['Resume', 'Cancel Import']);
  expect(labels('queued')).toEqual(['review', 'Push', 'Cancel Import']);
  expect(labels('processed')).toEqual(['review', 'Push to Shopify', 'Cancel Import']);
  expect(labels('completed')).toEqual(['report', 'Push again']);
  expect(labels('completed', 2)).toEqual(['report', 'Retry failed rows', 'Push again']);
  expect(labels('failed')).toEqual(['Retry']);
  expect(labels('cancelled')).toEqual([]);
  expect(labels('weird')).toEqual([]);
});

test('during a re-read only the re-read can be cancelled', () => {
  const dialect = { encoding: 'utf-8', delimiter: ';', quote: '"', headerRecord: 0 };
  expect(labels('processing', 0, dialect)).toEqual(['Pause', 'Cancel Re-read']);
  expect(labels('paused', 0, dialect)).toEqual(['Resume', 'Cancel Re-read']);
});

test('a report has all lines and only the first three errors', () => {
  const lines = reportLines(
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
    'Uploaded: 5',
    'Results: 1 created, 4 unchanged, 2 skipped',
    'Progress: 100%',
    'Started: then',
    'Completed: now',
    'Error 1: one',
    'Error 2: two',
    'Error 3: three',
  ]);
});
