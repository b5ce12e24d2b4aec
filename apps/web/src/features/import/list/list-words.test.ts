import type { SupplierList } from '@draftshelf/contract/imports/list';
import type { Row } from '@draftshelf/contract/review/rows';
import { listChanges } from '@draftshelf/domain/suppliers/list';
import { expect, test } from 'vitest';
import { applyListAnswer } from './list-api.ts';
import {
  carriedValueText,
  createListDetails,
  createListNotes,
  findEarlierValue,
  isListUnchanged,
  itemWords,
  listSummaryWords,
  shownKey,
  supplierQuestionWords,
  talliesOf,
} from './list-words.ts';

const none = {
  ...(Object.fromEntries(listChanges.map((change) => [change, 0])) as Record<
    (typeof listChanges)[number],
    number
  >),
  ...{ missing: 0, accents: 0, items: 0 },
};
const counted = {
  ...none,
  ...{ new: 118, changed: 412, dearer: 260, cheaper: 31, unchanged: 11_310, returned: 6, missing: 102 },
};

test('the counts are in one order, and dearer and cheaper are within what changed', () => {
  expect(talliesOf(counted).map(({ words }) => words)).toEqual([
    '118 new',
    '412 changed',
    '11,310 unchanged',
    '6 back',
    '102 missing',
  ]);
  expect(talliesOf(counted)[1]?.parts.map(({ words }) => words)).toEqual(['260 dearer', '31 cheaper']);
  const priced = talliesOf({ ...counted, dearerBy: 7.6, cheaperBy: 0.25 });
  expect(priced[1]?.parts.map(({ words }) => words)).toEqual([
    '260 dearer (avg +8%)',
    '31 cheaper (avg −0.3%)',
  ]);
  expect(talliesOf(none).map(({ words }) => words)).toContain('0 new');
  expect(talliesOf({ ...counted, cheaper: 0 })[1]?.parts.map(({ words }) => words)).toEqual(['260 dearer']);
});

test('one line says what is not as before, with prices in place of all changes', () => {
  expect(
    listSummaryWords({ ...none, new: 6, changed: 9, dearer: 8, dearerBy: 8, unchanged: 30, missing: 5 }),
  ).toBe('6 new · 8 dearer (avg +8%) · 5 missing');
  expect(listSummaryWords({ ...none, changed: 2, unchanged: 30 })).toBe('2 changed');
});

test('a list is the same only if nothing is new, changed, back, missing or left out', () => {
  expect(isListUnchanged({ ...none, unchanged: 3 })).toBe(true);
  expect(isListUnchanged(none)).toBe(false);
  for (const name of ['new', 'changed', 'returned', 'doubled', 'unkeyed', 'doubtful', 'missing'] as const) {
    expect(isListUnchanged({ ...none, unchanged: 3, [name]: 1 }), name).toBe(false);
  }
});

const april: SupplierList = {
  ...{ supplier: { id: 1, name: 'Acme' }, isNamed: true, asked: null, state: 'open', since: null },
  ...{ counts: null, differences: null, notCompared: null, newer: null, late: null, cutOff: null },
  ...{ answers: null, isWhole: null, gone: null },
  ...{ carried: null, recipes: [], asksRecipes: false, isPartial: false },
};

const words = (list: Partial<SupplierList>) =>
  createListNotes({ ...april, ...list }, 'march.csv').map((note) => note.words);
const details = (counts: Partial<typeof none>, list: Partial<SupplierList> = {}) =>
  createListDetails('id', { ...april, ...list, counts: { ...none, ...counts } }, 'march.csv').map(
    (note) => note.words,
  );

test('what is not compared is said with its number', () => {
  expect(details({})).toEqual([]);
  expect(details({ doubled: 2, unkeyed: 1 })).toEqual([
    '2 rows have the SKU of another row but other values. To compare the product, leave out all but one of the rows with its SKU.',
    '1 row has no SKU, UPC or item number, and can’t be compared.',
  ]);
  expect(details({}, { isPartial: true })).toEqual([
    'A list of prices and stock: it updates known products and creates none.',
  ]);
});

test('a file may be read in another encoding if more than a fifth of the titles differ only in accents', () => {
  expect(details({ unchanged: 90, changed: 10, accents: 20 })).toEqual([]);
  expect(details({ unchanged: 70, changed: 30, accents: 21 })).toEqual([
    '21 titles differ only in accents. Was the file read in another encoding?',
  ]);
});

test('questions have their evidence', () => {
  const supplier = { id: 1, name: 'Acme' };
  expect(supplierQuestionWords({ supplier, known: 38, sampled: 500 })).toBe(
    'Is this Acme’s list? 38 of 500 sampled products are from Acme.',
  );
  expect(supplierQuestionWords({ supplier, known: 0, sampled: 500 })).toBe(
    'Is this Acme’s list? The SKUs are new, but other values match products of Acme.',
  );
  const late = { filename: 'april.csv', back: 96, of: 100, isLatest: null };
  expect(words({ late })).toEqual([
    'This looks older than april.csv: 96 of 100 changed rows have values from an earlier list.',
  ]);
  expect(words({ late: { ...late, back: 0, of: 0 } })).toEqual(['This looks older than april.csv.']);
  expect(words({ late: { ...late, isLatest: false } })).toEqual([
    'This list is older than april.csv, so it doesn’t count as the latest one.',
  ]);
  expect(words({ late: { ...late, isLatest: true } })).toEqual([]);
  const cutOff = { missing: 41, of: 101, shortRow: 61, isWhole: null };
  expect(words({ cutOff })).toEqual([
    'This file seems cut off: 41 of 101 rows of march.csv are missing, and row 61 ends in the middle.',
  ]);
  expect(words({ cutOff: { ...cutOff, shortRow: null } })).toEqual([
    'This file seems cut off: 41 of 101 rows of march.csv are missing.',
  ]);
  expect(words({ cutOff: { ...cutOff, isWhole: true } })).toEqual([]);
  const asked = {
    answers: {
      ...({ sendsComplete: null, goneAfter: 2, whenGone: 'nothing' } as const),
      ...{ guardCost: null, guardColumn: null, guardChange: null },
    },
    isWhole: null,
  } as const;
  const missing = { ...none, changed: 1, missing: 102 };
  expect(words({ ...asked, counts: missing })).toEqual([
    '102 rows of march.csv aren’t in this list. Does Acme send the complete list each time?',
  ]);
  expect(words({ ...asked, counts: { ...missing, missing: 0 } })).toEqual([]);
  expect(words({ ...asked, counts: missing, isWhole: false })).toEqual([]);
});

test('a newer list is named with its link, and one that counts asks for another comparison', () => {
  const newer = { importId: 'newer', filename: 'april-2.csv', state: 'waits' as const };
  const link = { words: 'april-2.csv', to: '/queue/newer' };
  expect(createListNotes({ ...april, newer }, 'march.csv')).toEqual([
    { words: 'A newer list, april-2.csv, is waiting.', link },
  ]);
  expect(createListNotes({ ...april, newer: { ...newer, state: 'counted' } }, 'march.csv')).toEqual([
    { words: 'april-2.csv has been pushed since.', link, reread: 'again' },
  ]);
  expect(createListNotes({ ...april, newer: { ...newer, state: 'taken back' } }, 'march.csv')).toEqual([
    { words: 'april-2.csv doesn’t count as the latest list any more.', link, reread: 'again' },
  ]);
});

test('a list without a change has nothing to push, and can be made the latest until it counts', () => {
  const counts = { ...none, unchanged: 3 };
  expect(createListNotes({ ...april, counts }, 'march.csv')).toEqual([
    {
      words: 'The same as march.csv. Nothing to push.',
      answers: { 'Use as the Latest List': { counts: true } },
    },
  ]);
  expect(createListNotes({ ...april, counts, state: 'counted' }, 'march.csv')[0]).not.toHaveProperty(
    'answers',
  );
});

test('fields that only one list has are named, and the list is not said to be the same', () => {
  const counts = { ...none, unchanged: 3 };
  const differing = (differences: SupplierList['differences']) => words({ counts, differences });
  expect(differing({ added: ['cost'], missing: [], groups: ['price'] })).toEqual([
    'Cost is new in this list. Not compared this time: prices.',
  ]);
  expect(
    differing({ added: ['cost', 'compareAtPrice'], missing: ['vendor'], groups: ['price', 'text'] }),
  ).toEqual([
    'Cost and Compare-at price are new in this list. Brand isn’t in this list. Not compared this time: prices, texts.',
  ]);
});

test('an answer is in effect at once', () => {
  const late = { filename: 'april.csv', back: 96, of: 100, isLatest: null };
  expect(applyListAnswer({ ...april, late }, { isLatest: true }).late?.isLatest).toBe(true);
  expect(applyListAnswer(april, { counts: true }).state).toBe('counted');
  expect(applyListAnswer({ ...april, state: 'counted' }, { counts: false }).state).toBe('not counted');
});

test('a missing item has its key and what the earlier list said', () => {
  expect(itemWords({ key: 's:A-1', price: '12.00', quantity: 1200 })).toBe('A-1 · 12.00 · 1,200 in stock');
  expect(itemWords({ key: 's:A-1', price: null, quantity: null })).toBe('A-1');
  expect(shownKey('g:04006381333931')).toBe('UPC 4006381333931');
  expect(shownKey('h:OAK-CHAIR|RED||')).toBe('OAK-CHAIR · RED');
});

const row = (of: Partial<Row>) => ({ sources: {}, ...of }) as Row;
const priced = (price: string, priceBefore: string | null, sources: Row['sources'] = {}) =>
  findEarlierValue(
    row({ values: { price }, listed: { changes: [], priceBefore, quantityBefore: null }, sources }),
    'price',
  );
const stocked = (quantity: string, quantityBefore: number | null) =>
  findEarlierValue(
    row({ values: { quantity }, listed: { changes: [], priceBefore: null, quantityBefore } }),
    'quantity',
  );

test('a price says what it was, and by how much it is dearer or cheaper', () => {
  expect(priced('12.48', '12')).toEqual({ change: '+4 %', was: 'was 12.00' });
  expect(priced('$11.40', '12.00')).toEqual({ change: '−5 %', was: 'was 12.00' });
  expect(priced('1200.01', '1200')).toEqual({ change: '+0.1 %', was: 'was 1200.00' });
  expect(priced('12', '0')).toEqual({ change: 'new', was: 'was 0.00' });
  expect(priced('0.1255', '0.125')).toEqual({ change: '+0.4 %', was: 'was 0.125' });
});

test('a price that is the same, not known, invalid or edited says nothing', () => {
  expect(priced('12.00', '12')).toBeNull();
  expect(priced('12', null)).toBeNull();
  expect(priced('call us', '12')).toBeNull();
  expect(priced('14.40', '12', { price: 'edit' })).toBeNull();
  expect(findEarlierValue(row({ values: { price: '12' } }), 'price')).toBeNull();
  const doubled = { changes: ['doubled' as const], priceBefore: '10', quantityBefore: null };
  expect(findEarlierValue(row({ values: { price: '12' }, listed: doubled }), 'price')).toBeNull();
  expect(
    findEarlierValue(
      row({ values: {}, listed: { changes: [], priceBefore: '1', quantityBefore: 1 } }),
      'title',
    ),
  ).toBeNull();
});

test('a quantity says what it was', () => {
  expect(stocked('1', 3)).toEqual({ change: '−2', was: 'was 3' });
  expect(stocked('1500', 0)).toEqual({ change: '+1,500', was: 'was 0' });
  expect(stocked('3', 3)).toBeNull();
});

test('a carried value says since when it is the operator’s, and what the supplier says now', () => {
  const acme = { supplier: { id: 1, name: 'Acme' }, isNamed: true } as SupplierList;
  const year = new Date().getFullYear();
  const carried = {
    subject: 'A-1',
    since: `${year}-03-03T12:00:00Z`,
    filename: 'march.csv',
    theirs: '12.00',
  };
  expect(carriedValueText(carried, acme)).toBe('Yours since March 3 (march.csv). Acme: 12.00');
  expect(carriedValueText({ ...carried, theirs: null }, acme)).toBe(
    'Yours since March 3 (march.csv). Acme left this field empty.',
  );
  expect(carriedValueText({ ...carried, since: '2020-03-03T12:00:00Z' }, { ...acme, isNamed: false })).toBe(
    'Yours since March 3, 2020 (march.csv). This file: 12.00',
  );
});
