import { describe, expect, it } from 'vitest';
import {
  countOpenProducts,
  countPushScope,
  listFactsSincePush,
  listPushFacts,
  type PushCounts,
  type PushFact,
  pushFactKinds,
  pushFactsMax,
} from './before-push.ts';
import { type ListFacts, noListFacts } from './list-facts.ts';

const list = (of: Partial<ListFacts>) => ({ list: { ...noListFacts, ...of } });

/** An import that nothing has to be known of. */
const quiet: PushCounts = {
  products: 40,
  rows: {},
  currency: null,
  missing: [],
  questions: [],
  cents: [],
  thousands: [],
  lostZeros: null,
  added: [],
  quantities: ['Stock'],
  noQuantities: null,
  besides: [],
  variantsApart: null,
  namedTotals: [],
  list: noListFacts,
  sharedTitles: null,
  guards: [],
  checkingGuards: 0,
  toDecide: 0,
  refused: 0,
  leftOut: 0,
  pictures: { shown: 40, failed: 0, notSent: 0, reason: null },
  others: [],
  takingPictures: 0,
  lookingUp: 0,
  applyingRules: 0,
  askingAi: 0,
  decidedSincePush: 0,
  foundSincePush: 0,
};
const usd = { named: ['USD'], store: 'CAD', answer: null, rows: null };
const home = { id: 'home', filename: 'home.csv', state: 'waiting', rows: 30 } as const;
const more = { id: 'more', filename: 'more.csv', state: 'pushed', rows: 20 } as const;

/** Each kind alone: what makes it, and its count, unit and sentence. */
const alone: Record<(typeof pushFactKinds)[number], [Partial<PushCounts>, string]> = {
  'other-currency': [
    { rows: { 'other-currency': 124 }, currency: usd },
    '124 row: Prices are in USD, but the store uses CAD. Amounts aren’t converted.',
  ],
  'no-column': [
    { missing: [{ field: 'price', columns: ['Retail Price(USD)'] }] },
    '40 product: Price has no column.',
  ],
  'column-question': [
    { questions: [{ cells: 12, header: 'VK', sentence: 'Price can be read in two ways.', answers: [] }] },
    '12 value: Price can be read in two ways.',
  ],
  cents: [
    { cents: ['price_cents'] },
    '1 column: Amounts of “price_cents” are in cents. They are converted to currency units when sent.',
  ],
  thousands: [
    { thousands: ['Harga (ribu Rp)'] },
    '1 column: Amounts of “Harga (ribu Rp)” are in thousands. They are converted to currency units when sent.',
  ],
  'added-quantities': [
    { added: ['Stock North', 'Stock South'] },
    '2 column: Added up: the quantities of “Stock North” and “Stock South”.',
  ],
  'lost-zeros': [
    { lostZeros: { header: 'Code', code: '417', whole: '00417' } },
    '1 column: “Code” may have lost zeros: the picture of “417” is named “00417”.',
  ],
  'prices-of-several': [
    { rows: { 'price-of-several': 3 } },
    '3 row: The file says that a price is for several pieces, or for a unit that isn’t known.',
  ],
  'variants-apart': [
    { variantsApart: 'Item Type' },
    '40 product: “Item Type” marks some rows as variants of others, but each is sent as its own product.',
  ],
  'unsent-columns': [
    { besides: [{ field: 'price', sent: 'Price', columns: ['Price 2', 'Price 3'] }] },
    '2 column: Only “Price” is sent as the price, not “Price 2” and “Price 3”.',
  ],
  'values-unread': [
    { rows: { 'value-unread': 3 } },
    '3 row: A value isn’t sent, because its field takes another kind of value.',
  ],
  totals: [{ rows: { totals: 1 } }, '1 row: A total of the list, not a product.'],
  'named-totals': [
    { namedTotals: [12, 40] },
    '2 row: Row 12 is named like a total but doesn’t add up to one, so it’s sent as a product.',
  ],
  'loose-quantities': [
    { rows: { 'quantity-loose': 4 } },
    '4 row: The quantity is a word, or a range such as “10+”.',
  ],
  'third-decimals': [
    { rows: { 'third-decimal': 2 } },
    '2 row: An amount has three decimals, unlike the others.',
  ],
  'amounts-inferred': [
    { rows: { 'amount-inferred': 2 } },
    '2 row: An amount could be read in two ways; it’s read like the other numbers of the file.',
  ],
  'same-options': [
    { rows: { 'same-options': 2 } },
    '2 row: Same options as another variant. An option “Variant” tells them apart in the store.',
  ],
  'image-pages': [
    { rows: { 'image-page': 2 } },
    '2 row: An image is a page, not a picture, so it isn’t sent.',
  ],
  'texts-garbled': [
    { rows: { 'text-garbled': 3 } },
    '3 row: A text is garbled, as “Ã©” for “é”. It’s sent as it is.',
  ],
  'texts-cleaned': [
    { rows: { 'text-cleaned': 5 } },
    '5 row: Cleaned: invisible characters, HTML codes, wrong letters, lost zeros of UPCs or shared links.',
  ],
  'late-list': [
    list({ findings: { late: { filename: 'april.csv', back: 96, of: 1000 } } }),
    '40 product: It looks older than april.csv: 96 of 1,000 changed rows have values from an earlier list.',
  ],
  'cut-off-list': [
    list({ findings: { cutOff: { missing: 40, of: 1010, shortRow: 61 } } }),
    '40 row: Missing in this list, of 1,010 in the last one. The file may be cut off.',
  ],
  recipes: [
    list({ recipes: [{ sentence: 'Price × 1.2', rows: 405 }] }),
    '405 row: Changed in the last list by “Price × 1.2”. Do it again?',
  ],
  'supplier-values': [
    list({ undecided: 31, supplier: 'Acme' }),
    '31 value: Acme changed them since you did. Yours are sent until you decide.',
  ],
  'first-updates': [
    list({ firstUpdates: 412, supplier: 'Acme' }),
    '412 product: Already in the store from Acme’s earlier list. A push updates the values that changed.',
  ],
  'unknown-product': [
    { rows: { 'unknown-product': 4 } },
    '4 row: Not in an earlier list, so skipped: a list of prices and stock creates nothing.',
  ],
  'to-decide': [{ toDecide: 3 }, '3 product: Need your decision. A push skips them until then.'],
  'guard-cost': [
    { guards: [{ issue: 'guard-cost', limit: 'cost × 1.3', rows: 18 }] },
    '18 row: Price below cost × 1.3.',
  ],
  'guard-column': [
    { guards: [{ issue: 'guard-column', limit: '“MAP”', rows: null }] },
    '40 product: Prices couldn’t be compared with “MAP”, which isn’t a column of this list.',
  ],
  'guard-change': [
    { guards: [{ issue: 'guard-change', limit: '30 %', rows: 1 }] },
    '1 row: Price changed by more than 30 % since the last list.',
  ],
  'checking-guards': [{ checkingGuards: 600 }, '600 row: The supplier’s guards are still being checked.'],
  'price-zero': [{ rows: { 'price-zero': 2 } }, '2 row: Sent with a price of 0.'],
  'too-long': [
    { refused: 4, rows: { 'tag-too-long': 3, 'sku-too-long': 9 } },
    '4 product: Not sent: a text is longer than Shopify’s 255-character limit.',
  ],
  'left-out': [
    { leftOut: 3, rows: { 'left-out': 7 } },
    '3 product: Left out of the push. In the store, they stay as they are.',
  ],
  'shared-titles': [
    { sharedTitles: { products: 32, columns: ['Colour', 'Size'] } },
    '32 product: Share a title with others, and differ in Colour and Size. Combine them as variants?',
  ],
  'price-repeated': [
    { rows: { 'price-repeated': 3 } },
    '3 row: Not sent: they repeat a price in another currency.',
  ],
  'shifted-cells': [
    { rows: { 'too-few-cells': 2, 'too-many-cells': 5 } },
    '7 row: Values may be in the wrong columns.',
  ],
  duplicates: [
    { rows: { duplicate: 8 } },
    '8 row: Same SKU or UPC as an earlier row. Each is sent as its own product.',
  ],
  'bad-quantities': [
    { rows: { 'quantity-not-numeric': 5 } },
    '5 row: The quantity isn’t a number, so 0 is sent.',
  ],
  'no-quantities': [
    { rows: { 'quantity-missing': 5 } },
    '5 row: No quantity. A new product is created with 0, as sold out. Existing products keep their quantity.',
  ],
  'bad-pictures': [
    { pictures: { shown: 52, failed: 12, notSent: 7, reason: 'The server answered 404.' } },
    '12 picture: Couldn’t be loaded. The server answered 404. A push leaves 7 of them out.',
  ],
  'in-other-import': [
    { rows: { 'in-other-import': 30 }, others: [home] },
    '30 row: Also in home.csv, which isn’t pushed yet.',
  ],
  'taking-pictures': [
    { takingPictures: 412 },
    '412 picture: Still being read from the file. A push doesn’t send them yet.',
  ],
  'looking-up': [
    { lookingUp: 31 },
    '31 product: Still being looked up. If you push now, values found later aren’t sent.',
  ],
  'applying-rules': [{ applyingRules: 600 }, '600 row: Your rules are still being applied.'],
  'asking-ai': [{ askingAi: 6 }, '6 product: AI requests are still running. A push stops them.'],
  'decided-since-push': [
    { decidedSincePush: 2 },
    '2 product: Decided since the last push. Push again to send them.',
  ],
  'found-since-push': [
    { foundSincePush: 12 },
    '12 product: Values were found since the last push. Push again to send them.',
  ],
};

const wordsOfFact = ({ count, of, sentence }: PushFact) => `${count} ${of}: ${sentence}`;
const wordsOf = (counts: Partial<PushCounts>) => listPushFacts({ ...quiet, ...counts }).map(wordsOfFact);

describe('the facts of an import before a push', () => {
  it('are none where there is nothing to know', () => expect(listPushFacts(quiet)).toEqual([]));

  it.each(pushFactKinds.map((kind) => [kind, ...alone[kind]] as const))('%s', (kind, counts, words) => {
    expect(wordsOf(counts)).toEqual([words]);
    expect(listPushFacts({ ...quiet, ...counts })[0]?.kind).toBe(kind);
  });

  it('are at most five, the most important first', () => {
    const every = Object.values(alone).map(([counts]) => counts);
    const noticed = {
      late: { filename: 'april.csv', back: 1, of: 2 },
      cutOff: { missing: 1, of: 2, shortRow: null },
    };
    const ofLists = {
      ...noListFacts,
      findings: noticed,
      recipes: [{ sentence: 'Clear UPC', rows: 1 }],
    };
    const rows = Object.assign({}, ...every.map((counts) => counts.rows ?? {}));
    const facts = listPushFacts({ ...quiet, ...Object.assign({}, ...every), list: ofLists, rows });
    expect(facts.map(({ kind }) => kind)).toEqual(pushFactKinds.slice(0, pushFactsMax));
    const answered = { currency: { ...usd, answer: 'send' as const } };
    const others = listPushFacts({
      ...quiet,
      ...Object.assign({}, ...every),
      list: ofLists,
      rows,
      ...answered,
    });
    expect(others.map(({ kind }) => kind)).toEqual([
      ...pushFactKinds.slice(1, pushFactsMax),
      'other-currency',
    ]);
  });

  it('are only decisions and values found since, once a push has ended', () => {
    const facts = listFactsSincePush({ toDecide: 1, decidedSincePush: 1, foundSincePush: 12 });
    expect(facts.map(wordsOfFact)).toEqual([
      '1 product: Needs your decision. A push skips it until then.',
      '1 product: Decided since the last push. Push again to send it.',
      '12 product: Values were found since the last push. Push again to send them.',
    ]);
  });

  it('names the answer about other currencies, and puts it last once amounts are sent as they are', () => {
    const rows = { 'other-currency': 124, 'price-repeated': 3 };
    expect(wordsOf({ rows, currency: { ...usd, answer: 'hold' } })).toEqual([
      '124 row: Held back. Prices are in USD, but the store uses CAD.',
      '3 row: Not sent: they repeat a price in another currency.',
    ]);
    expect(wordsOf({ rows, currency: { ...usd, named: ['USD', 'EUR'], answer: 'send' } })).toEqual([
      '3 row: Not sent: they repeat a price in another currency.',
      '124 row: Prices in USD and EUR are sent as they are; nothing is converted to CAD.',
    ]);
  });

  it('asks about a few rows in another currency, and not about the list', () => {
    const asked = (rows: number, answer: 'send' | null) =>
      wordsOf({ rows: { 'other-currency': rows }, currency: { ...usd, rows, answer } });
    expect([1, 3].flatMap((rows) => asked(rows, null))).toEqual([
      '1 row: In USD, but the store uses CAD. Amounts aren’t converted.',
      '3 row: In USD, but the store uses CAD. Amounts aren’t converted.',
    ]);
    expect([1, 3].flatMap((rows) => asked(rows, 'send'))).toEqual([
      '1 row: In USD, but the store uses CAD. Its price is sent without conversion.',
      '3 row: In USD, but the store uses CAD. Their prices are sent without conversion.',
    ]);
  });

  it('leads to the rows of the more frequent issue', () => {
    const issuesOf = (counts: Partial<PushCounts>) =>
      listPushFacts({ ...quiet, ...counts }).map(({ issue }) => issue);
    expect(issuesOf(alone['too-long'][0])).toEqual(['sku-too-long']);
    expect(issuesOf(alone['shifted-cells'][0])).toEqual(['too-many-cells']);
    expect(issuesOf(alone['in-other-import'][0])).toEqual(['in-other-import']);
  });

  it('names the limit of tags where most rows are over it', () => {
    const rows = { 'too-many-tags': 3, 'sku-too-long': 1 };
    expect(wordsOf({ refused: 4, rows })).toEqual(['4 product: Not sent: over Shopify’s limit of 250 tags.']);
  });

  it('names the columns that a required field may have', () => {
    const columns = ['Retail Price(USD)', 'Supply Price(USD)'];
    expect(listPushFacts({ ...quiet, missing: [{ field: 'price', columns }] })).toMatchObject([
      { kind: 'no-column', field: 'price', columns },
    ]);
  });

  it('names the columns that quantities may have', () => {
    expect(listPushFacts({ ...quiet, noQuantities: ['Lager'] })).toMatchObject([
      { kind: 'no-quantities', count: 40, of: 'product', field: 'quantity', columns: ['Lager'] },
    ]);
    expect(wordsOf({ noQuantities: [] })).toEqual([
      '40 product: Quantity has no column. A new product is created with 0, as sold out.',
    ]);
  });

  it('counts rows that are left out where their products are sent, or not known', () => {
    const rows = { 'left-out': 7 };
    for (const leftOut of [0, null]) {
      expect(wordsOf({ leftOut, rows })).toEqual([
        '7 row: Left out of the push. In the store, they stay as they are.',
      ]);
    }
    expect(listPushFacts({ ...quiet, leftOut: 7, rows })[0]?.issue).toBe('left-out');
  });

  it('speaks of one product or row in the singular', () => {
    const sentence = 'Left out of the push. In the store, it stays as it is.';
    expect(wordsOf({ leftOut: 1, rows: { 'left-out': 3 } })).toEqual([`1 product: ${sentence}`]);
    expect(wordsOf({ rows: { 'left-out': 1 } })).toEqual([`1 row: ${sentence}`]);
    expect(wordsOf({ rows: { 'price-repeated': 1 } })).toEqual([
      '1 row: Not sent: it repeats a price in another currency.',
    ]);
  });

  it('says of pictures that could not be loaded what a push does with them', () => {
    const pictures = { shown: 52, failed: 52, notSent: 52, reason: 'It isn’t a picture.' };
    expect(wordsOf({ pictures })).toEqual([
      '52 picture: None could be loaded. It isn’t a picture. A push leaves them out.',
    ]);
    const silent = { ...pictures, failed: 1, notSent: 0, reason: 'example.com doesn’t answer.' };
    expect(wordsOf({ pictures: silent })).toEqual([
      '1 picture: Couldn’t be loaded. example.com doesn’t answer. It’s sent anyway, because the store fetches images itself.',
    ]);
  });

  it('names the other imports that still wait, or else those that were pushed since', () => {
    const rows = { 'in-other-import': 50 };
    expect(wordsOf({ rows, others: [more] })).toEqual(['20 row: Also in more.csv, which was pushed since.']);
    expect(wordsOf({ rows, others: [home, more] })).toEqual([
      '30 row: Also in home.csv, which isn’t pushed yet.',
    ]);
    const last = { ...home, id: 'last', filename: 'last.csv', rows: 3 };
    expect(wordsOf({ rows, others: [home, more, last] })).toEqual([
      '33 row: Also in 2 other imports that aren’t pushed yet, most of them in home.csv.',
    ]);
    expect(wordsOf({ rows, others: [more, { ...more, id: 'too' }] })).toEqual([
      '40 row: Also in 2 other imports that were pushed since, most of them in more.csv.',
    ]);
    expect(listPushFacts({ ...quiet, rows, others: [more, home] })[0]?.other).toEqual({
      id: 'home',
      filename: 'home.csv',
    });
    // A row that was edited since may have another SKU.
    expect(listPushFacts({ ...quiet, rows: { 'in-other-import': 1 }, others: [home] })[0]?.count).toBe(1);
    // The other import was cancelled, or deleted.
    expect(wordsOf({ rows, others: [{ ...home, state: 'ended' }] })).toEqual([]);
    expect(wordsOf({ rows, others: [] })).toEqual([]);
  });
});

describe('the products that a push would send', () => {
  const counts = {
    products: 40,
    validProducts: 36,
    unsent: 2,
    sentAnyway: 0,
    isHeld: false,
    isPushed: false,
    planned: null,
  };
  it('are the valid ones that the store accepts', () =>
    expect(countPushScope(counts)).toEqual({ sent: 34, of: 40 }));
  it('are also those whose parent row alone has no price', () => {
    expect(countPushScope({ ...counts, sentAnyway: 3 })?.sent).toBe(37);
    expect(countPushScope({ ...counts, sentAnyway: null })).toBeNull();
  });
  it('are not known if too many rows are left out to read their products', () =>
    expect(countPushScope({ ...counts, unsent: null })).toBeNull());
  it('are none if all are refused', () => expect(countPushScope({ ...counts, unsent: 40 })?.sent).toBe(0));
  it('are none while the import is held back', () =>
    expect(countPushScope({ ...counts, isHeld: true })).toEqual({ sent: 0, of: 40 }));
  it('are not known once something was pushed', () =>
    expect(countPushScope({ ...counts, isPushed: true })).toBeNull());
  it('are those of a plan that is up to date', () => {
    expect(countPushScope({ ...counts, planned: 30 })).toEqual({ sent: 30, of: 40 });
    expect(countPushScope({ ...counts, planned: 2, isPushed: true })).toEqual({ sent: 2, of: 40 });
    expect(countPushScope({ ...counts, planned: 30, isHeld: true })).toEqual({ sent: 0, of: 40 });
  });
});

it('products with a problem that are left out, or sent anyway, do not need the operator', () => {
  const counts = { warningProducts: 5, errorProducts: 2, leftOutProblems: 3, sentAnyway: 1 };
  expect(countOpenProducts(counts)).toBe(3);
  expect(countOpenProducts({ ...counts, leftOutProblems: null, sentAnyway: null })).toBe(7);
  expect(countOpenProducts({ ...counts, leftOutProblems: 7 })).toBe(0);
});

it('names further columns of quantities, which can be used in place of the one that is sent', () => {
  const [fact] = listPushFacts({
    ...quiet,
    rows: { 'quantity-loose': 4 },
    quantities: ['Stock North', 'Stock South', 'Stock East'],
  });
  const sentence =
    'Only “Stock North” is sent, not the quantities of “Stock South” and “Stock East”. Or the quantity is a word, or a range such as “10+”.';
  expect(fact).toEqual({
    ...{ kind: 'loose-quantities', count: 4, of: 'row', sentence, issue: 'quantity-loose' },
    ...{ field: 'quantity', columns: ['Stock South', 'Stock East'] },
  });
});
