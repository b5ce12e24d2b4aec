import { describe, expect, it, test } from 'vitest';
import { mapHeaders } from '../reading/mapping/header-mapping.ts';
import { cellRows } from '../testing/cell-rows.ts';
import { seededRandom } from '../testing/random.ts';
import {
  type AutoPushFacts,
  autoPushGates,
  decideAutoPush,
  findHeldSentence,
  isPriceJump,
  lookUpWaitMsMax,
  rateColumn,
} from './auto-push.ts';
import type { GuardFinding } from './guard-findings.ts';
import { type ListFacts, noListFacts } from './list-facts.ts';

const minute = 60_000;

/** An import that every gate lets through, close to the limits of each. */
const passing: AutoPushFacts = {
  isStoreConnected: true,
  title: 'certain',
  price: 'certain',
  questions: [],
  storeCurrency: 'USD',
  currencyNow: 'USD',
  otherCurrencies: [],
  products: 400,
  validProducts: 380,
  rows: 400,
  shiftedRows: 20,
  joinedRows: 0,
  productsMax: 400,
  pushedBefore: 200,
  matched: 100,
  priceJumps: 20,
  list: noListFacts,
  guards: [],
  isCheckingGuards: false,
  haveGuardsFailed: false,
  isApplyingRules: false,
  haveRulesFailed: false,
  isTakingPictures: false,
  isRepeating: false,
  havePicturesFailed: false,
  isLookingUp: false,
  sinceReadMs: 0,
};

const list = (of: Partial<ListFacts>) => ({ list: { ...noListFacts, ...of } });

/** For each gate, facts that only it holds, and its sentence behind “Not pushed: ”. */
const held: Record<(typeof autoPushGates)[number], [Partial<AutoPushFacts>, string]> = {
  store: [{ isStoreConnected: false }, 'the store wasn’t connected. Connect it, then push.'],
  title: [{ title: 'unsure' }, 'it wasn’t clear which column is for Title. Check the columns, then push.'],
  price: [{ price: 'none' }, 'Price had no column. Check the columns, then push.'],
  'column question': [
    { questions: ['Price can be read in two ways: “1.299” is 1.30 or 1,299.00.'] },
    'Price can be read in two ways: “1.299” is 1.30 or 1,299.00. Choose an answer, then push.',
  ],
  'store currency': [
    { storeCurrency: null },
    'the store’s currency wasn’t known when the file was read. Check the prices, then push.',
  ],
  'other store': [
    { currencyNow: 'EUR' },
    'prices were checked in USD, but the store that is connected uses EUR. Check the prices, then push.',
  ],
  'other currency': [
    { otherCurrencies: ['EUR', 'GBP'] },
    'prices were in EUR, GBP, but the store uses USD. Answer the question about prices, then push.',
  ],
  supplier: [list({ isAsked: true }), 'it wasn’t clear whose list this is. Choose the supplier, then push.'],
  'late list': [
    list({ findings: { late: { filename: 'april.csv', back: 96, of: 100 } } }),
    'the list looked older than april.csv. Check the list, then push.',
  ],
  'cut-off list': [
    list({ findings: { cutOff: { missing: 4120, of: 10_000, shortRow: null } } }),
    '4,120 of 10,000 rows of the last list were missing, so the file may be cut off. Check it, then push.',
  ],
  'part of a list': [
    list({ lacking: { fields: ['price', 'quantity'], missing: 0, of: 10 } }),
    'the list no longer has a column for Price, Quantity. Check it, then push.',
  ],
  recipes: [
    list({
      recipes: [
        { sentence: 'Price × 1.2', rows: 405 },
        { sentence: 'Clear UPC', rows: 1 },
      ],
    }),
    '“Price × 1.2” and 1 more were done to the last list, not to this one. Check it, then push.',
  ],
  guards: [
    { guards: [{ issue: 'guard-cost', limit: 'cost × 1.3', rows: 18 }] },
    '18 prices were below cost × 1.3. Check them, then push.',
  ],
  'unchecked guards': [
    { haveGuardsFailed: true },
    'the supplier’s guards couldn’t be checked. Check the prices, then push.',
  ],
  'first updates': [
    list({ firstUpdates: 1412 }),
    'a push would update 1,412 products of an earlier list for the first time. Check them, then push.',
  ],
  'to decide': [
    list({ undecided: 31 }),
    'the supplier changed 31 prices or quantities that you had changed. Decide, then push.',
  ],
  problems: [{ validProducts: 379 }, '21 of 400 products needed you. Check them, then push.'],
  'shifted rows': [
    { shiftedRows: 21 },
    '21 of 400 rows may have values in the wrong columns. Check them, then push.',
  ],
  'joined rows': [{ joinedRows: 1 }, '1 row may be several lines of the file. Check it, then push.'],
  size: [
    { productsMax: 399 },
    'the file had 400 products, more than the usual 399. Check the file, then push.',
  ],
  prices: [{ priceJumps: 21 }, '21 of 100 prices changed by more than 50 %. Check them, then push.'],
  rules: [
    { haveRulesFailed: true },
    'your rules couldn’t be applied to all products. Apply the rules again, check the products, then push.',
  ],
  pictures: [
    { havePicturesFailed: true },
    'the pictures in the file couldn’t be read. Check them, then push.',
  ],
};

describe('the gates of full-auto', () => {
  it('let an import through that is within all limits', () => {
    expect(decideAutoPush(passing)).toEqual({ is: 'push' });
  });

  test.each(autoPushGates)('%s alone holds an import', (gate) => {
    const [facts, cause] = held[gate];
    const sentence = `Not pushed: ${cause}`;
    expect(decideAutoPush({ ...passing, ...facts })).toEqual({ is: 'held', sentence });
  });

  test('the first gate that holds gives the sentence', () => {
    const order = autoPushGates.map((gate) => held[gate]);
    for (const [at, [, cause]] of order.entries()) {
      const sentence = `Not pushed: ${cause}`;
      const facts = Object.assign({}, passing, ...order.slice(at).map(([one]) => one));
      // Two gates may be about the same fact. Then the fact of the first counts.
      expect(decideAutoPush({ ...facts, ...order[at]?.[0] })).toEqual({ is: 'held', sentence });
    }
  });

  test.each<[string, Partial<AutoPushFacts>, string]>([
    ['no products', { products: 0, validProducts: 0 }, 'Not pushed: the file had no products.'],
    [
      'a single product',
      { products: 1, validProducts: 0 },
      'Not pushed: 1 of 1 product needed you. Check it, then push.',
    ],
    [
      'twice as many as ever',
      { productsMax: 1000, pushedBefore: 150, products: 301, validProducts: 301 },
      'Not pushed: the file had 301 products, more than the usual 300. Check the file, then push.',
    ],
    [
      'more than the preference allows',
      { productsMax: 1000, pushedBefore: null, products: 6204, validProducts: 6204 },
      'Not pushed: the file had 6,204 products, more than the usual 1,000. Check the file, then push.',
    ],
    [
      'a store that has not answered yet',
      { currencyNow: null },
      'Not pushed: the currency of the connected store wasn’t known. Check the prices, then push.',
    ],
    [
      'a fifth of the last list is missing',
      list({ lacking: { fields: [], missing: 3, of: 10 } }),
      'Not pushed: 3 of 10 rows of the last list were missing. Check it, then push.',
    ],
    [
      'several joined rows',
      { joinedRows: 2 },
      'Not pushed: 2 rows may each be several lines of the file. Check them, then push.',
    ],
  ])('%s: held', (_name, facts, sentence) => {
    expect(decideAutoPush({ ...passing, ...facts })).toEqual({ is: 'held', sentence });
  });

  test.each<[string, Partial<AutoPushFacts>]>([
    ['a small file grows', { pushedBefore: 1, products: 50, validProducts: 50 }],
    ['nothing is known of the store’s prices', { matched: 0, priceJumps: 0 }],
    ['the first file of a layout', { pushedBefore: null }],
  ])('%s: pushed', (_name, facts) => {
    expect(decideAutoPush({ ...passing, ...facts })).toEqual({ is: 'push' });
  });

  it('wait for rules and pictures, ten minutes for look-ups, and tell a problem before', () => {
    const lookingUp = { ...passing, isLookingUp: true };
    expect(decideAutoPush({ ...lookingUp, sinceReadMs: lookUpWaitMsMax - 1 })).toEqual({ is: 'wait' });
    expect(decideAutoPush({ ...lookingUp, sinceReadMs: 10 * minute })).toEqual({ is: 'push' });
    expect(decideAutoPush({ ...lookingUp, isStoreConnected: false }).is).toBe('held');
    const ruled = { ...passing, isApplyingRules: true, sinceReadMs: 60 * minute };
    expect(decideAutoPush(ruled)).toEqual({ is: 'wait' });
    const guarded = { ...passing, isCheckingGuards: true, sinceReadMs: 60 * minute };
    expect(decideAutoPush(guarded)).toEqual({ is: 'wait' });
    const pictured = { ...passing, isTakingPictures: true, sinceReadMs: 60 * minute };
    expect(decideAutoPush(pictured)).toEqual({ is: 'wait' });
  });
});

it('names what a guard holds', () => {
  const sentence = (finding: GuardFinding) => {
    const decision = decideAutoPush({ ...passing, guards: [finding] });
    return decision.is === 'held' ? decision.sentence : decision.is;
  };
  expect(sentence({ issue: 'guard-column', limit: '“MAP”', rows: 1 })).toBe(
    'Not pushed: 1 price was below “MAP”. Check it, then push.',
  );
  expect(sentence({ issue: 'guard-change', limit: '30 %', rows: 2 })).toBe(
    'Not pushed: 2 prices changed by more than 30 % since the last list. Check them, then push.',
  );
  expect(sentence({ issue: 'guard-column', limit: '“MAP”', rows: null })).toBe(
    'Not pushed: prices couldn’t be compared with “MAP”, which isn’t a column of this list. Check them, then push.',
  );
});

test('100 generated files: nothing is pushed that a rule forbids, and everything that none forbids', () => {
  const random = seededRandom(15);
  const count = (max: number) => random(max + 1);
  const mostly = (share = 0.9) => random(100) < share * 100;
  const seen = { push: 0, wait: 0, held: 0 };
  for (let file = 0; file < 100; file += 1) {
    const products = count(1200);
    const facts: AutoPushFacts = {
      isStoreConnected: mostly(0.97),
      title: mostly(0.97) ? 'certain' : 'unsure',
      price: mostly(0.97) ? 'certain' : 'none',
      questions: mostly(0.97) ? [] : ['Price can be read in two ways.'],
      storeCurrency: mostly(0.97) ? 'USD' : null,
      currencyNow: mostly(0.97) ? 'USD' : 'EUR',
      otherCurrencies: mostly(0.95) ? [] : ['EUR'],
      products,
      validProducts: products - (mostly(0.8) ? count(products * 0.05) : count(products)),
      rows: products,
      shiftedRows: mostly() ? 0 : count(products),
      joinedRows: mostly() ? 0 : count(3),
      productsMax: 1000,
      pushedBefore: mostly(0.5) ? null : count(1000),
      matched: 100,
      priceJumps: mostly() ? count(20) : count(100),
      list: { ...noListFacts, undecided: mostly(0.9) ? 0 : count(9) },
      guards: mostly(0.05) ? [{ issue: 'guard-change', limit: '30 %', rows: 1 }] : [],
      isCheckingGuards: mostly(0.1),
      haveGuardsFailed: mostly(0.05),
      isApplyingRules: mostly(0.1),
      haveRulesFailed: mostly(0.05),
      isTakingPictures: mostly(0.1),
      isRepeating: mostly(0.1),
      havePicturesFailed: mostly(0.05),
      isLookingUp: mostly(0.2),
      sinceReadMs: count(20 * minute),
    };
    const { is } = decideAutoPush(facts);
    seen[is] += 1;
    const usual = Math.max(50, 2 * (facts.pushedBefore ?? 1000));
    const isSound =
      facts.isStoreConnected &&
      facts.title === 'certain' &&
      facts.price === 'certain' &&
      facts.storeCurrency === facts.currencyNow;
    const isClean =
      products > 0 &&
      facts.list.undecided === 0 &&
      facts.validProducts >= products * 0.95 &&
      facts.shiftedRows <= products * 0.05 &&
      facts.joinedRows + facts.otherCurrencies.length + facts.questions.length === 0;
    const isUsual = products <= Math.min(usual, 1000) && facts.priceJumps <= 20;
    const hasFailed = facts.haveRulesFailed || facts.havePicturesFailed || facts.haveGuardsFailed;
    const isGuarded = facts.guards.length > 0;
    const mayPush = Boolean(isSound && isClean && isUsual && !hasFailed && !isGuarded);
    const isWaiting =
      facts.isApplyingRules ||
      facts.isTakingPictures ||
      facts.isRepeating ||
      facts.isCheckingGuards ||
      (facts.isLookingUp && facts.sinceReadMs < 10 * minute);
    expect({ is, facts }).toEqual({ is: mayPush ? (isWaiting ? 'wait' : 'push') : 'held', facts });
  }
  // The files are of all kinds, so the comparison above has something to tell.
  expect(Math.min(seen.push, seen.wait, seen.held)).toBeGreaterThan(2);
});

describe('the certainty of a column', () => {
  const rows = cellRows('Vase|9.50', 'Bowl|12.00', 'Lamp|7.90');
  const certaintyOf = (headers: string[], isKnownLayout = false) => {
    const mapping = mapHeaders(headers, rows);
    return (['title', 'price'] as const).map((field) => rateColumn(mapping, field, isKnownLayout));
  };

  it('is certain by a known name, unsure by a guess, and certain in a layout that was pushed before', () => {
    expect(certaintyOf(['Title', 'Price'])).toEqual(['certain', 'certain']);
    const numbered = mapHeaders(['Title', 'Price'], cellRows('Vase|1', 'Bowl|2', 'Lamp|3'));
    expect(rateColumn(numbered, 'price', false)).toBe('certain');
    expect(certaintyOf(['Title', 'Amount excl. all'])[1]).not.toBe('certain');
    expect(certaintyOf(['A', 'B'], true)).toEqual(
      certaintyOf(['A', 'B']).map((is) => (is === 'none' ? is : 'certain')),
    );
    expect(rateColumn(mapHeaders(['Colour'], [['red']]), 'price', true)).toBe('none');
  });

  it('is certain if the operator set the column, now or for an earlier file', () => {
    for (const by of ['operator', 'memory'] as const) {
      const mapping = mapHeaders(['Dealer', 'Title'], [], { Dealer: { field: 'price', by } });
      expect(rateColumn(mapping, 'price', false)).toBe('certain');
    }
  });
});

test.each([
  [10, 15, false],
  [10, 15.01, true],
  [10, 5, false],
  [10, 4.99, true],
  [10, 1000, true],
  [0, 0, false],
  [0, 1, true],
])('a price that changes from %d to %d is a jump: %s', (before, after, isJump) => {
  expect(isPriceJump(before, after)).toBe(isJump);
});

describe('the sentence of an import that waits', () => {
  const facts = {
    auto_mode: 'full-auto',
    auto_held: 'Not pushed: …',
    status: 'queued',
    push_run: 0,
  } as const;

  it('is the reason of full-auto, as long as nobody has pushed the import', () => {
    expect(findHeldSentence(facts)).toBe('Not pushed: …');
    expect(findHeldSentence({ ...facts, push_run: 1 })).toBeNull();
    expect(findHeldSentence({ ...facts, status: 'uploading' })).toBeNull();
  });

  it('is nothing in other modes', () => {
    expect(findHeldSentence({ ...facts, auto_mode: 'manual' })).toBeNull();
    expect(findHeldSentence({ ...facts, auto_mode: null })).toBeNull();
  });
});
