import type { DeadWork } from '@draftshelf/contract/operate/dead-work';
import { expect, it, test } from 'vitest';
import { groupByImport, hasNoPushWorker } from './operate-api.ts';

it('says that no push worker is running only while that is known', () => {
  expect(hasNoPushWorker({ isError: false, data: { pushWorkers: 0 } })).toBe(true);
  expect(hasNoPushWorker({ isError: false, data: { pushWorkers: 1 } })).toBe(false);
  expect(hasNoPushWorker({ isError: false, data: undefined })).toBe(false);
  expect(hasNoPushWorker({ isError: true, data: { pushWorkers: 0 } })).toBe(false);
});

const item = (id: number, importId: string, set: Partial<DeadWork> = {}): DeadWork => ({
  ...{ id, importId, filename: `${importId}.csv`, stage: 'parse', part: 'Rows 1–2', isTask: false },
  ...{ attempts: 5, cause: '', technical: null, at: null, canRetry: false, without: null, ...set },
});

test('items of an import stand together, and it can be cancelled if one is not a task', () => {
  const groups = groupByImport([
    item(9, 'a', { isTask: true }),
    item(8, 'b'),
    item(7, 'a', { canRetry: true }),
  ]);
  expect(groups.map(({ importId, items }) => [importId, items.map(({ id }) => id)])).toEqual([
    ['a', [9, 7]],
    ['b', [8]],
  ]);
  expect(groups).toMatchObject([
    { canRetry: true, canCancel: true },
    { canRetry: false, canCancel: true },
  ]);
  expect(groupByImport([item(1, 'a', { isTask: true })])).toMatchObject([{ canCancel: false }]);
});
