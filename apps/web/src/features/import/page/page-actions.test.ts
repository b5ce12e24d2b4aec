import { importStatuses } from '@draftshelf/domain/imports/import-status';
import { expect, test } from 'vitest';
import { listPageActions, orderPhoneActions } from './page-actions.ts';

const time = '2026-01-01T00:00:00Z';
const there = {
  ...{
    rowsRemovedAt: null,
    isBeingDeleted: false,
    shop: null,
    draftsUrl: null,
    isUndoing: false,
    changesGone: false,
    list: null,
  },
  ...{ failedIn: null, totalProducts: 3 },
  outcomes: { created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0 },
};
const record = { ...there, rereading: null, startedAt: time, autoPushAt: null };
const marks = {
  primary: (label: string) => `${label}*`,
  plain: String,
  menu: (label: string) => `[${label}]`,
};
const shown = (status: string, autoPushAt: string | null = null) =>
  listPageActions({ ...record, status, autoPushAt }, 0).map(({ label, weight }) => marks[weight](label));

const review = 'Dry Run | Update Images | Test Shopify | Push* | [Apply Rules]';
const atWork = '[View Report] | [History of Changes] | [Cancel Import]';
const correct = '[Ask AI] | [Correct in a Spreadsheet…] | [History of Changes]';

test.each([
  ['processing', 'Pause | [History of Changes] | [Cancel Import]'],
  ['queued', `${review} | [Mark as Ready] | [View Report] | ${correct} | [Cancel Import] | [Delete Import]`],
  ['processed', `${review} | [View Report] | ${correct} | [Cancel Import] | [Delete Import]`],
  ['uploading', `Pause | ${atWork}`],
  ['paused', `Resume* | ${atWork}`],
  ['completed', `View Report | [Push again] | ${correct} | [Delete Import]`],
  ['failed', `View Report | ${correct} | [Delete Import]`],
  ['cancelled', '[View Report] | [History of Changes] | [Delete Import]'],
  ['of a newer server', '[View Report] | [History of Changes]'],
])('the actions of %s', (status, actions) => expect(shown(status).join(' | ')).toBe(actions));

test('after a push that has created drafts, these are next', () => {
  const pushed = { ...record, status: 'completed', draftsUrl: 'https://a.example' };
  const first = (set: object) =>
    listPageActions({ ...pushed, ...set }, 0).find(({ weight }) => weight === 'primary')?.label;
  expect(first({})).toBe('See the Drafts');
  expect(first({ status: 'processed' })).toBe('Push');
  expect(first({ outcomes: { ...there.outcomes, skipped: 2 } })).toBeUndefined();
});

test('beside a planned push there is no other one', () => {
  expect(shown('queued')).toContain('Push*');
  expect(shown('queued', time).filter((one) => one.includes('Push'))).toEqual([]);
});

test('at most four actions are outside of the menu, and one is primary', () => {
  for (const status of importStatuses) {
    expect(shown(status).filter((one) => !one.startsWith('[')).length, status).toBeLessThanOrEqual(4);
    expect(shown(status).filter((one) => one.endsWith('*')).length, status).toBeLessThanOrEqual(1);
  }
});

test('what is being deleted is not deleted again, and AI is not asked about removed rows', () => {
  const labels = (set: object) =>
    listPageActions({ ...record, status: 'completed', ...set }, 0).map(({ label }) => label);
  expect(labels({ isBeingDeleted: true })).not.toContain('Delete Import');
  expect(labels({ rowsRemovedAt: time })).toEqual(['View Report', 'History of Changes', 'Delete Import']);
});

test('an import that was pushed offers to undo that, unless something runs', () => {
  const offering = (shop: string | null) =>
    importStatuses.filter((status) =>
      listPageActions({ ...record, status, shop }, 0).some(({ kind }) => kind === 'undoPush'),
    );
  expect(offering('demo.myshopify.com')).toEqual(['queued', 'processed', 'completed', 'failed', 'cancelled']);
  expect(offering(null)).toEqual([]);
});

test('unsaved rows keep the import from being pushed', () => {
  const reasonOf = (unsaved: number) =>
    listPageActions({ ...record, status: 'queued', startedAt: null }, unsaved).find(
      ({ label }) => label === 'Push',
    )?.reason;
  expect(reasonOf(0)).toBeNull();
  expect(reasonOf(1)).toBe('1 row has unsaved changes. Save or discard them first.');
  expect(reasonOf(2)).toBe('2 rows have unsaved changes. Save or discard them first.');
});

test('on a phone, fixing products comes before the push', () => {
  const labels = (open: number, status: 'queued' | 'uploading' = 'queued') =>
    orderPhoneActions(listPageActions({ ...record, status }, 0), { status }, open)
      .filter(({ weight, label }) => weight === 'primary' || label === 'Push')
      .map(({ label, weight }) => marks[weight](label));
  expect(labels(1708)).toEqual(['Fix 1,708*', '[Push]']);
  expect(labels(0)).toEqual(['Push*']);
  expect(labels(1, 'uploading')).toEqual([]);
});

test('the supplier of a list can be changed while its file can be re-read', () => {
  const offered = { ...record, list: {} };
  const supplier = (status: string) =>
    listPageActions({ ...offered, status }, 0).find(({ kind }) => kind === 'supplier');
  expect(supplier('queued')).toMatchObject({ label: 'Supplier…', weight: 'menu', reason: null });
  expect(supplier('uploading')?.reason).toBe(
    'Products are being pushed. You can re-read the file afterwards.',
  );
  expect(listPageActions({ ...offered, status: 'queued', list: null }, 0)).not.toContainEqual(
    expect.objectContaining({ kind: 'supplier' }),
  );
});
