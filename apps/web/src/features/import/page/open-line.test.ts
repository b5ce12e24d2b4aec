import { expect, test } from 'vitest';
import { findOpenItems, findSectionToAnswer } from './open-line.tsx';

type Opened = Parameters<typeof findOpenItems>[0];

const outcomes = { created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0 };
const record: Opened = {
  ...{ status: 'queued', rereading: null, autoMode: null, autoHeld: null, autoPushAt: null, list: null },
  ...{ sameAs: null, sameFilename: null, totalProducts: 3, createdProducts: 0, outcomes, inStore: 0 },
};
const fact = { kind: 'to-decide', count: 2, of: 'product' as const, sentence: 'Need your decision.' };
const duplicates = { ...fact, kind: 'duplicates', sentence: 'Same SKU or UPC as an earlier row.' };
const beforePush = { facts: [duplicates, fact], scope: null, open: 0 };
const kinds = (of: Partial<Opened>, wasReread = false) =>
  findOpenItems({ ...record, ...of }, beforePush, wasReread).map((item) =>
    item.kind === 'fact' ? item.fact.kind : item.kind,
  );

test('decisions come first, then an earlier import of the file, and last what is good to know', () => {
  expect(kinds({ sameAs: 'b', autoHeld: 'Not pushed: the store wasn’t connected.' })).toEqual([
    'auto',
    'to-decide',
    'same-file',
    'duplicates',
  ]);
});

test('a reading can be restored once it has ended, and facts are those of a push that can begin', () => {
  expect(kinds({}, true)).toEqual(['former-reading', 'to-decide', 'duplicates']);
  expect(kinds({ status: 'processing' }, true)).toEqual(['former-reading']);
});

test('what waits for an answer is told from what is good to know', () => {
  const sectionOf = (...facts: (typeof fact)[]) =>
    findSectionToAnswer(findOpenItems({ ...record, sameAs: 'b' }, { ...beforePush, facts }, false));
  expect(sectionOf(duplicates, fact)).toBe('before-push');
  expect(sectionOf(duplicates)).toBe(null);
  expect(findSectionToAnswer([{ kind: 'complete-list' }])).toBe('list-since');
});
