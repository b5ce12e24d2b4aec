import { importStatuses } from '@draftshelf/domain/imports/import-status';
import { expect, test } from 'vitest';
import { pageActions, phoneActions } from './page-actions.ts';

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
const shown = (status: string, autoPushAt: string | null = null) =>
  pageActions({ ...there, status, rereading: null, startedAt: time, autoPushAt }, 0).map(
    ({ label, weight }) => `${weight}: ${label}`,
  );

test.each([
  ['processing', ['plain: Pause', 'menu: History of Changes', 'menu: Cancel Import']],
  [
    'queued',
    [
      'plain: Dry Run',
      'plain: Update Images',
      'plain: Test Shopify',
      'primary: Push',
      'menu: Apply Rules',
      'menu: Mark as Ready',
      'menu: View Report',
      'menu: Ask AI',
      'menu: Correct in a Spreadsheet…',
      'menu: History of Changes',
      'menu: Cancel Import',
      'menu: Delete Import',
    ],
  ],
  [
    'processed',
    [
      'plain: Dry Run',
      'plain: Update Images',
      'plain: Test Shopify',
      'primary: Push',
      'menu: Apply Rules',
      'menu: View Report',
      'menu: Ask AI',
      'menu: Correct in a Spreadsheet…',
      'menu: History of Changes',
      'menu: Cancel Import',
      'menu: Delete Import',
    ],
  ],
  ['uploading', ['plain: Pause', 'menu: View Report', 'menu: History of Changes', 'menu: Cancel Import']],
  ['paused', ['primary: Resume', 'menu: View Report', 'menu: History of Changes', 'menu: Cancel Import']],
  [
    'completed',
    [
      'plain: View Report',
      'menu: Push again',
      'menu: Ask AI',
      'menu: Correct in a Spreadsheet…',
      'menu: History of Changes',
      'menu: Delete Import',
    ],
  ],
  [
    'failed',
    [
      'plain: View Report',
      'menu: Ask AI',
      'menu: Correct in a Spreadsheet…',
      'menu: History of Changes',
      'menu: Delete Import',
    ],
  ],
  ['cancelled', ['menu: View Report', 'menu: History of Changes', 'menu: Delete Import']],
  ['of a newer server', ['menu: View Report', 'menu: History of Changes']],
])('the actions of %s', (status, actions) => expect(shown(status)).toEqual(actions));

test('after a push that has created drafts, these are next', () => {
  const record = {
    ...there,
    rereading: null,
    startedAt: time,
    autoPushAt: null,
    draftsUrl: 'https://a.example',
  };
  const first = (set: object) =>
    pageActions({ ...record, status: 'completed', ...set }, 0).find(({ weight }) => weight === 'primary')
      ?.label;
  expect(first({})).toBe('See the Drafts');
  expect(first({ status: 'processed' })).toBe('Push');
  expect(first({ outcomes: { ...there.outcomes, skipped: 2 } })).toBeUndefined();
});

test('beside a planned push there is no other one', () => {
  expect(shown('queued')).toContain('primary: Push');
  expect(shown('queued', time).filter((one) => one.includes('Push'))).toEqual([]);
});

test('at most four actions are outside of the menu, and one is primary', () => {
  for (const status of importStatuses) {
    expect(shown(status).filter((one) => !one.startsWith('menu')).length, status).toBeLessThanOrEqual(4);
    expect(shown(status).filter((one) => one.startsWith('primary')).length, status).toBeLessThanOrEqual(1);
  }
});

test('what is being deleted is not deleted again, and AI is not asked about removed rows', () => {
  const record = { ...there, status: 'completed', rereading: null, startedAt: time, autoPushAt: null };
  const labels = (set: object) => pageActions({ ...record, ...set }, 0).map(({ label }) => label);
  expect(labels({ isBeingDeleted: true })).not.toContain('Delete Import');
  expect(labels({ rowsRemovedAt: time })).toEqual(['View Report', 'History of Changes', 'Delete Import']);
});

test('an import that was pushed offers to undo that, unless something runs', () => {
  const record = { ...there, rereading: null, startedAt: time, autoPushAt: null };
  const offering = (shop: string | null) =>
    importStatuses.filter((status) =>
      pageActions({ ...record, status, shop }, 0).some(({ kind }) => kind === 'undoPush'),
    );
  expect(offering('demo.myshopify.com')).toEqual(['queued', 'processed', 'completed', 'failed', 'cancelled']);
  expect(offering(null)).toEqual([]);
});

test('unsaved rows keep the import from being pushed', () => {
  const record = { ...there, status: 'queued', rereading: null, startedAt: null, autoPushAt: null };
  const reasonOf = (unsaved: number) =>
    pageActions(record, unsaved).find(({ label }) => label === 'Push')?.reason;
  expect(reasonOf(0)).toBeNull();
  expect(reasonOf(1)).toBe('1 row has unsaved changes. Save or discard them first.');
  expect(reasonOf(2)).toBe('2 rows have unsaved changes. Save or discard them first.');
});

test('on a phone, fixing products comes before the push', () => {
  const record = { ...there, status: 'queued', rereading: null, startedAt: time, autoPushAt: null } as const;
  const labels = (open: number, status: 'queued' | 'uploading' = 'queued') =>
    phoneActions(pageActions({ ...record, status }, 0), { status }, open)
      .filter(({ weight, label }) => weight === 'primary' || label === 'Push')
      .map(({ label, weight }) => `${weight}: ${label}`);
  expect(labels(1708)).toEqual(['primary: Fix 1,708', 'menu: Push']);
  expect(labels(0)).toEqual(['primary: Push']);
  expect(labels(1, 'uploading')).toEqual([]);
});

test('the supplier of a list can be changed while its file can be re-read', () => {
  const offered = { ...there, rereading: null, startedAt: time, autoPushAt: null, list: {} };
  const supplier = (status: string) =>
    pageActions({ ...offered, status }, 0).find(({ kind }) => kind === 'supplier');
  expect(supplier('queued')).toMatchObject({ label: 'Supplier…', weight: 'menu', reason: null });
  expect(supplier('uploading')?.reason).toBe(
    'Products are being pushed. You can re-read the file afterwards.',
  );
  expect(pageActions({ ...offered, status: 'queued', list: null }, 0)).not.toContainEqual(
    expect.objectContaining({ kind: 'supplier' }),
  );
});
