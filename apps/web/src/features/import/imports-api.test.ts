import { expect, test } from 'vitest';
import { fillImport } from '../../api/bare-replies.ts';
import { predictAfterAction } from './imports-api.ts';

const record = fillImport({
  ...{ id: 'a', filename: 'a.csv', fileSize: 1, status: 'processed', progress: 100, progressPercentage: 100 },
  ...{ processedProducts: 53, totalProducts: 53, createdProducts: 0, createdAt: '2025-03-01T09:00:00.000Z' },
  ...{ startedAt: null, completedAt: null, errorLog: [], errorCount: 0, errorMessage: null },
} as unknown as Parameters<typeof fillImport>[0]);

test('a push is shown at 0 at once, and other actions keep what is done', () => {
  expect(predictAfterAction('push', record)).toEqual({
    status: 'uploading',
    progress: 0,
    processedProducts: 0,
  });
  const pushing = { ...record, status: 'uploading', progress: 40, processedProducts: 21 };
  expect(predictAfterAction('pause', pushing)).toEqual({
    status: 'paused',
    progress: 40,
    processedProducts: 21,
  });
});
