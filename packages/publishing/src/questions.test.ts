import type { DraftProduct } from '@draftshelf/domain/products/draft-product';
import {
  type ChoiceSubject,
  choiceSubjects,
  choicesBySubject,
  type PushChoice,
} from '@draftshelf/domain/push/push-choices';
import { payloadHash } from '@draftshelf/shopify/payload-hash';
import type { LiveProduct, LiveVariant } from '@draftshelf/shopify/product/live-product';
import { toProductCopy } from '@draftshelf/shopify/store-pages';
import { testDraft, testLive, testVariant } from '@draftshelf/shopify/testing/drafts';
import { describe, expect, test } from 'vitest';
import { hashStoreCopy } from './decide-match.ts';
import { decideProduct } from './decide-product.ts';
import type { Decision, Listing, ProductFacts, Pushed } from './decision.ts';
import { applyMatch } from './match-products.ts';
import { getLiveBasis } from './questions.ts';

const old = testDraft();
const draft = testDraft({ title: 'Our title', variants: [testVariant({ price: '30' })] });
const id = testLive(old).id;
const theirs: LiveProduct = { ...testLive(old), title: 'Their title', vendor: 'Their vendor' };

const pushed: Pushed = {
  ...{ storeProductId: id, sent: old, sentHash: payloadHash(old), rebuiltDraft: old },
  ...{ baseline: testLive(old), kept: null },
};
const listed = (changes: Partial<Pushed> = {}): Listing => ({
  pushed: { ...pushed, ...changes },
  sending: null,
});
const pending = { draft, hash: payloadHash(draft), rebuiltDraft: draft, kept: null };
const sending = (of: Pushed | null): Listing => ({
  pushed: of,
  sending: { ...pending, kind: of ? 'update' : 'create', before: null },
});
const match = {
  storeProductId: id,
  kind: 'sku' as const,
  supplier: null,
  choice: 'skip' as const,
  isOurs: false,
};
const tooManyImages = {
  ...testLive(old),
  complete: { variants: true, media: false, metafields: true, collections: true },
};
const ofImages = testDraft({ title: 'Our title', images: [] });

const facts = (changes: Partial<ProductFacts>): ProductFacts => ({
  ...{ ourId: 'id-1', built: { ok: true, product: draft }, listing: null, idInStore: undefined },
  ...{ live: undefined, stamp: undefined, match: null, choices: new Map(), sendNonOverlapping: false },
  store: { locationId: null, collections: [] },
  ...changes,
});

/** Decides with a choice about the state that the question is asked about now, or about an earlier one. */
function decideWith(of: Partial<ProductFacts>, choice: PushChoice | null, isEarlier = false): Decision {
  const { question } = decideProduct(facts(of));
  if (!question || choice === null) return decideProduct(facts(of));
  const basis = isEarlier ? 'earlier' : question.basis;
  return decideProduct(facts({ ...of, choices: new Map([[question.about, { basis, choice }]]) }));
}

const situations: Record<ChoiceSubject, Partial<ProductFacts>> = {
  drifted: { listing: listed(), live: theirs },
  'deleted-in-store': { listing: listed(), live: null },
  'different-content': { idInStore: id, live: theirs },
  'lost-answer': { listing: sending(pushed), live: theirs },
  'in-store': { match: { ...match, state: hashStoreCopy(toProductCopy(theirs)) } },
  blocked: { built: { ok: true, product: ofImages }, listing: listed(), live: tooManyImages },
  'not-sent': {
    built: { ok: true, product: testDraft({ collections: ['Absent'] }) },
    ...{ listing: listed(), live: testLive(old) },
  },
};

/** Only a rename and a sold quantity are answered by our values. */
const choicesOf = (about: ChoiceSubject) =>
  choicesBySubject[about].filter(
    (choice) => (about !== 'blocked' && about !== 'not-sent') || choice !== 'use-ours',
  );

test.each(choiceSubjects)(
  '%s is asked, its choices are allowed, and one about an earlier state is outdated',
  (about) => {
    const asked = decideProduct(facts(situations[about]));
    expect(asked).toMatchObject({
      ...{ kind: 'skip', code: about },
      question: { about, choices: choicesOf(about), choice: null },
    });
    for (const choice of choicesOf(about)) {
      const earlier = decideWith(situations[about], choice, true);
      const read =
        earlier.kind === 'read' ? decideWith({ ...situations[about], live: theirs }, choice, true) : earlier;
      expect(read).toMatchObject({
        kind: 'skip',
        code: 'choice-outdated',
        question: { about, choice: null },
      });
    }
    expect(decideWith(situations[about], 'skip')).toMatchObject({
      ...{ kind: 'skip', code: about, message: expect.stringMatching(/Skipped, as you chose[.]$/) },
      question: { choice: 'skip' },
    });
  },
);

type Row = [situation: string, facts: Partial<ProductFacts>, choice: PushChoice | null, decision: object];
const input = (sent: object) => ({ variables: { input: sent } });
const only = (...names: string[]) => ({ keys: names.toSorted().join() });

test.each<Row>([
  [
    'drifted: the store’s title and vendor stay, and our price is sent',
    ...([situations.drifted, 'keep-store'] as const),
    {
      kind: 'update',
      ...only('variants', 'productOptions', 'metafields'),
      draft,
      kept: { words: ['title', 'vendor'] },
    },
  ],
  [
    'drifted: ours are sent, also the vendor that we did not change',
    ...([situations.drifted, 'use-ours'] as const),
    {
      ...{ kind: 'update', kept: null, baseline: null },
      ...input({ title: 'Our title', vendor: 'Lumen', variants: [{ price: '30' }] }),
    },
  ],
  [
    'drifted: nothing of ours is left to send',
    { ...situations.drifted, built: { ok: true, product: testDraft({ title: 'Our title' }) } },
    'keep-store',
    { kind: 'unchanged', message: 'Kept as changed in the store: title, vendor.' },
  ],
  [
    'drifted: the same words as in the question, for a price, too',
    {
      ...situations.drifted,
      live: { ...testLive(old), variants: testLive(old).variants.map((one) => ({ ...one, price: '1.00' })) },
      built: { ok: true, product: testDraft({ variants: [testVariant({ price: '30' })] }) },
    },
    'keep-store',
    { kind: 'unchanged', message: 'Kept as changed in the store: price.' },
  ],
  [
    'drifted, and the state after our write is not known: only ours or nothing',
    { listing: listed({ baseline: null }), live: theirs },
    'use-ours',
    {
      kind: 'update',
      baseline: null,
      ...input({ title: 'Our title', vendor: 'Lumen', tags: ['brass', 'lamp'] }),
    },
  ],
  [
    'drifted SKU: ours is sent again',
    {
      listing: listed(),
      live: { ...testLive(old), variants: testLive(old).variants.map((one) => ({ ...one, sku: 'THEIRS' })) },
    },
    'use-ours',
    { kind: 'update', ...input({ variants: [{ price: '30', sku: 'LAMP-1' }] }) },
  ],
  [
    'drifted images: ours are sent again where they were removed, and theirs stay behind them',
    {
      listing: listed(),
      live: {
        ...testLive(old),
        media: [{ id: 'theirs', alt: null, state: 'READY', url: null, errors: [] }],
      },
    },
    'use-ours',
    {
      kind: 'update',
      ...input({ files: [{ originalSource: 'https://images.example/lamp.jpg' }, { id: 'theirs' }] }),
    },
  ],
  [
    'kept by an earlier push, and changed by us since: asked again',
    {
      listing: listed({ baseline: theirs, kept: { title: old.title, vendor: old.vendor } }),
      live: theirs,
    },
    null,
    { kind: 'skip', code: 'drifted', message: expect.stringContaining('(title, vendor)') },
  ],
  ['deleted: created again', situations['deleted-in-store'], 'create', { kind: 'create', draft }],
  [
    'deleted while an answer was lost: sent as new',
    { ...situations['lost-answer'], live: null },
    'create',
    { kind: 'not-arrived' },
  ],
  [
    'created again, and the answer was lost: it was created',
    {
      listing: {
        ...sending(pushed),
        sending: { ...sending(null).sending, kind: 'create' } as Listing['sending'],
      },
      live: testLive(draft, { id: 'new' }),
    },
    null,
    { kind: 'record', outcome: 'created' },
  ],
  [
    'pushed, and another of our ids has it: asked, whatever our change is',
    { listing: listed(), live: { ...testLive(old), externalId: 'id-2' } },
    null,
    { kind: 'skip', code: 'different-content', question: { choices: ['update', 'skip'] } },
  ],
  [
    'pushed, and another of our ids has it: taken over by its id',
    { listing: listed(), live: { ...testLive(old), externalId: 'id-2' } },
    'update',
    { kind: 'update', variables: { identifier: { id } } },
  ],
  [
    'matched, and another of our ids has it since: asked',
    {
      match: { ...match, choice: 'update', state: hashStoreCopy(toProductCopy(theirs)) },
      live: { ...theirs, externalId: 'id-2' },
    },
    null,
    { kind: 'skip', code: 'different-content' },
  ],
  [
    'different content: taken over by its id',
    ...([situations['different-content'], 'update'] as const),
    { kind: 'update', before: theirs, variables: { identifier: { id } } },
  ],
  [
    'different content: an update that did not arrive is sent again',
    {
      listing: { pushed: null, sending: { ...pending, kind: 'update', before: theirs } },
      live: theirs,
    },
    null,
    { kind: 'not-arrived' },
  ],
  [
    'lost answer: it has arrived, and the product is decided by that',
    ...([situations['lost-answer'], 'record'] as const),
    { kind: 'record', outcome: 'updated', thenDecide: true },
  ],
  ['lost answer: it is sent again', situations['lost-answer'], 'send-again', { kind: 'not-arrived' }],
  [
    'ours were chosen, and the update did not arrive: it is sent again, not asked as a lost answer',
    {
      listing: {
        ...listed(),
        sending: { ...pending, kind: 'update', before: theirs },
      },
      live: theirs,
    },
    null,
    { kind: 'not-arrived' },
  ],
  [
    'a lost answer of an update that kept what was changed in the store: it is named',
    {
      listing: {
        ...listed(),
        sending: { ...pending, kind: 'update', before: theirs, kept: { vendor: old.vendor } },
      },
      live: { ...theirs, payloadHash: pending.hash },
    },
    null,
    { kind: 'record', outcome: 'updated', message: 'Kept as changed in the store: vendor.' },
  ],
  ['under another id: created', situations['in-store'], 'create', { kind: 'create' }],
  [
    'under another id: read before it is overwritten',
    situations['in-store'],
    'update',
    { kind: 'read', by: 'id' },
  ],
  [
    'under another id: updated',
    { ...situations['in-store'], live: theirs },
    'update',
    { kind: 'update', variables: { identifier: { id } } },
  ],
  [
    'blocked: sent without images, and not said to be built from its rows',
    ...([situations.blocked, 'send-without'] as const),
    {
      ...{ kind: 'update', isPartial: true, ...input({ title: 'Our title' }), draft: { images: old.images } },
      notSent: ['images (Too many images in the store to merge)'],
    },
  ],
  [
    'blocked: nothing else is to be sent',
    { ...situations.blocked, built: { ok: true, product: testDraft({ images: [] }) } },
    'send-without',
    { kind: 'unchanged', message: 'Not sent: images (Too many images in the store to merge).' },
  ],
])('%s', (_situation, of, choice, expected) => {
  const decision = decideWith(of, choice);
  const sent = decision.kind === 'update' ? decision.variables.input : {};
  expect({ ...decision, ...only(...Object.keys(sent)) }).toMatchObject(expected);
});

/** Decides with a choice about each question that is asked, one after the other. */
function decideWithAll(of: Partial<ProductFacts>, choices: readonly PushChoice[]): Decision {
  const made = new Map(of.choices);
  for (const choice of choices) {
    const { question } = decideProduct(facts({ ...of, choices: made }));
    if (!question) throw new Error(`Nothing is asked, so ${choice} is no answer`);
    made.set(question.about, { basis: question.basis, choice });
  }
  return decideProduct(facts({ ...of, choices: made }));
}

test.each<[situation: string, facts: Partial<ProductFacts>, unsent: string, decision: object]>([
  [
    'images',
    {
      listing: listed(),
      live: {
        ...tooManyImages,
        ...{
          title: 'Their title',
          media: [{ id: 'theirs', alt: null, state: 'READY', url: null, errors: [] }],
        },
      },
    },
    'files',
    {
      ...{ kept: { words: ['images'] }, notSent: ['images (Too many images in the store to merge)'] },
      variables: { input: { title: 'Our title', variants: [{ price: '30' }] } },
    },
  ],
  [
    'variants',
    {
      listing: listed(),
      live: {
        ...theirs,
        variants: theirs.variants.map((one) => ({ ...one, sku: 'THEIRS' })),
        complete: { ...theirs.complete, variants: false },
      },
    },
    'variants',
    {
      ...{ kept: { words: ['SKU'] }, notSent: ['variants (Too many variants in the store to merge)'] },
      variables: { input: { title: 'Our title', vendor: 'Lumen' } },
    },
  ],
  [
    'images, and the state after our write is not known',
    { listing: listed({ baseline: null }), live: { ...tooManyImages, title: 'Their title' } },
    'files',
    { kept: null, notSent: ['images (Too many images in the store to merge)'] },
  ],
])('ours are sent without what cannot be merged: %s', (_situation, of, unsent, expected) => {
  expect(decideWithAll(of, ['use-ours'])).toMatchObject({ code: 'blocked' });
  const decision = decideWithAll(of, ['use-ours', 'send-without']);
  expect(decision).toMatchObject({ kind: 'update', isPartial: true, ...expected });
  expect(decision.kind === 'update' && decision.variables.input).not.toHaveProperty(unsent);
});

const counted = (live: LiveProduct, quantity: number | null): LiveProduct => ({
  ...live,
  variants: live.variants.map((one) => ({ ...one, quantity })),
});
const restocked = {
  ok: true as const,
  product: testDraft({ variants: [testVariant({ inventory_quantity: 9 })] }),
};

test('variants that were kept as changed in the store have the quantities that were last read', () => {
  const theirs = testLive(old);
  const priced = { ...theirs, variants: theirs.variants.map((one) => ({ ...one, price: '1.00' })) };
  const kept = { variants: theirs.variants };
  const of = (last: number, now: number) => ({
    ...{ built: restocked, sendNonOverlapping: true, live: counted(priced, now) },
    listing: listed({ baseline: counted(priced, last), kept }),
    store: { locationId: 'gid://shopify/Location/1', collections: [] },
  });
  expect(decideProduct(facts(of(3, 3)))).toMatchObject({
    ...{ kind: 'update', notSent: [], quantities: [{ quantity: 9, changeFromQuantity: 3 }] },
  });
  expect(decideProduct(facts(of(3, 7)))).toMatchObject({
    code: 'not-sent',
    message: 'Not sent: quantity of LAMP-1 (changed in the store from 3 to 7).',
  });
});

test.each<[string, Partial<ProductFacts>]>([
  ['ours are used', { choices: new Map([['drifted', { basis: getLiveBasis(theirs), choice: 'use-ours' }]]) }],
  [
    'it has arrived',
    { choices: new Map([['lost-answer', { basis: getLiveBasis(theirs), choice: 'record' }]]) },
  ],
])(
  'without a read-back, a quantity is sent only if the store has the one sent last: %s',
  (_choice, chosen) => {
    const of = (quantity: number): Decision => {
      const location = { locationId: 'gid://shopify/Location/1', collections: [] };
      const given = { ...chosen, built: restocked, store: location };
      const live = counted(theirs, quantity);
      const first = decideProduct(facts({ ...given, listing: listed({ baseline: null }), live }));
      if (first.kind !== 'update' || !first.baseline) return first;
      return decideProduct(
        facts({ ...given, listing: listed({ baseline: first.baseline }), live: first.before }),
      );
    };
    expect(of(7)).toMatchObject({ quantities: [{ quantity: 9, changeFromQuantity: 7 }] });
    const sold = of(3);
    expect(sold).not.toMatchObject({ quantities: [{ quantity: 9 }] });
    expect(sold.kind === 'update' ? sold.notSent.join() : sold.kind === 'skip' && sold.message).toContain(
      'quantity of LAMP-1 (changed in the store from 7 to 3)',
    );
  },
);

test('an update that kept parts and was not read back is known by the parts that it sent', () => {
  const sent = testDraft({ variants: [testVariant({ price: '20' })] });
  const live = { ...theirs, payloadHash: payloadHash(sent), variants: testLive(sent).variants };
  const kept = { title: old.title, vendor: old.vendor };
  const of = {
    ...{ sendNonOverlapping: true, live },
    built: { ok: true as const, product: testDraft({ variants: [testVariant({ price: '30' })] }) },
    listing: listed({ ...{ sent, rebuiltDraft: sent, sentHash: payloadHash(sent) }, baseline: null, kept }),
  };
  expect(decideProduct(facts(of))).toMatchObject({
    ...{
      kind: 'update',
      baseline: { title: theirs.title },
      kept: { words: ['title', 'vendor'], values: kept },
    },
    ...input({ variants: [{ price: '30' }] }),
  });
  expect(decideProduct(facts({ ...of, live: { ...live, tags: [] } }))).toMatchObject({ code: 'drifted' });
});

test('a choice about a match wins over what the push does with others', () => {
  const { question } = decideProduct(facts(situations['in-store']));
  const choices = new Map([['in-store' as const, { basis: question?.basis ?? '', choice: 'skip' as const }]]);
  const updated = { ...match, choice: 'update' as const, state: hashStoreCopy(toProductCopy(theirs)) };
  expect(decideProduct(facts({ match: updated }))).toMatchObject({ kind: 'read' });
  expect(decideProduct(facts({ match: updated, choices }))).toMatchObject({ kind: 'skip', code: 'in-store' });
});

test('a choice to update a product of ours under another id holds when our own push changes it', () => {
  const isOurs = { ...match, isOurs: true };
  const { question } = decideProduct(
    facts({ match: { ...isOurs, state: hashStoreCopy(toProductCopy(testLive(old))) } }),
  );
  const made = new Map([['in-store' as const, { basis: question?.basis ?? '', choice: 'update' as const }]]);
  const product = { ourId: 'id-1', built: { ok: true as const, product: draft }, source: null };
  const pushedSince = {
    storeProductId: id,
    ourId: 'id-2',
    kind: 'sku' as const,
    isListed: true,
    isDeleted: false,
    owner: null,
    supplier: null,
    itemNumbers: [],
    standing: 'agrees' as const,
  };
  expect(
    applyMatch(
      { ...product, idInStore: undefined, found: null },
      { ...pushedSince, copy: toProductCopy(testLive(draft)) },
      { whenInStore: 'skip', isChosen: false, sendNonOverlapping: false, choices: new Map([['id-1', made]]) },
    ),
  ).toMatchObject({ ourId: 'id-2', match: null, matchQuestion: { choice: 'update' } });
});

/** The state that a lost answer is asked about. */
const lost = (choice: PushChoice) => {
  const { question } = decideProduct(facts(situations['lost-answer']));
  return new Map([['lost-answer' as const, { basis: question?.basis ?? '', choice }]]);
};

test('a write that is sent again overwrites what was changed, also if nothing else is known of the product', () => {
  const again = { choices: lost('send-again') };
  expect(decideProduct(facts({ ...again, listing: listed(), live: theirs }))).toMatchObject({
    ...{ kind: 'update', question: { about: 'lost-answer', choice: 'send-again' } },
    ...input({ title: 'Our title', vendor: 'Lumen' }),
  });
  const unlisted = { ...again, listing: { pushed: null, sending: null } };
  expect(decideProduct(facts(unlisted))).toEqual({ kind: 'read', by: 'id', id });
  expect(decideProduct(facts({ ...unlisted, live: theirs }))).toMatchObject({
    kind: 'update',
    before: theirs,
  });
  expect(decideProduct(facts({ ...unlisted, live: null }))).toMatchObject({ kind: 'create' });
});

test('a write that counts as arrived makes the product as it is the state that drift is measured against', () => {
  const arrived = { choices: lost('record'), live: theirs };
  const of = (sent: typeof old): Listing => ({
    pushed: { ...pushed, sent, rebuiltDraft: sent, sentHash: payloadHash(sent), baseline: null },
    sending: null,
  });
  expect(decideProduct(facts({ ...arrived, listing: of(draft) }))).toMatchObject({
    ...{ kind: 'unchanged', message: null, baseline: theirs, question: { choice: 'record' } },
  });
  expect(decideProduct(facts({ ...arrived, listing: of(old) }))).toMatchObject({
    ...{ kind: 'update', baseline: theirs, question: { choice: 'record' } },
  });
});

test('what does not overlap is sent if that is set, and the same part changed on both sides is asked', () => {
  const priced = testDraft({ variants: [testVariant({ price: '30' })] });
  const of = {
    ...situations.drifted,
    sendNonOverlapping: true,
    built: { ok: true as const, product: priced },
  };
  expect(decideProduct(facts({ ...of, sendNonOverlapping: false }))).toMatchObject({ code: 'drifted' });
  const sent = decideProduct(facts(of));
  expect(sent).toMatchObject({
    ...{ kind: 'update', ...input({ variants: [{ price: '30' }] }) },
    kept: { words: ['title', 'vendor'], values: { title: old.title, vendor: old.vendor } },
  });
  expect(sent).not.toHaveProperty('question');
  expect(sent.kind === 'update' && sent.variables.input).not.toHaveProperty('title');
  expect(decideProduct(facts({ ...situations.drifted, sendNonOverlapping: true }))).toMatchObject({
    code: 'drifted',
  });
});

describe('fields of variants', () => {
  const sizes = (small: object = {}, large: object = {}) =>
    testDraft({
      options: [{ name: 'Size', values: ['S', 'L'] }],
      variants: [
        testVariant({ option1: 'S', title: 'S', sku: 'S-1', barcode: '', ...small }),
        testVariant({ option1: 'L', title: 'L', sku: 'L-1', barcode: '', ...large }),
      ],
    });
  const was = sizes();
  const read = testLive(was);
  const [small, large] = read.variants as [LiveVariant, LiveVariant];
  const ofList = (next: DraftProduct, live: LiveProduct, changes: Partial<Pushed> = {}) => ({
    ...{ sendNonOverlapping: true, live, built: { ok: true as const, product: next } },
    listing: listed({
      ...{ sent: was, sentHash: payloadHash(was), rebuiltDraft: was, baseline: read },
      ...changes,
    }),
  });
  const withLarge = (changes: Partial<LiveVariant>): LiveProduct => ({
    ...read,
    variants: [small, { ...large, ...changes }],
  });
  /** What is sent of each variant, by SKU or id. */
  const sent = (decision: Decision) =>
    decision.kind === 'update' &&
    decision.variables.input.variants?.map(({ optionValues: _, ...one }) => one);

  test.each<[string, object, Partial<LiveVariant>, object, object]>([
    ['a cost', { price: '30' }, { cost: '1.00' }, { price: '30' }, { cost: '11.50' }],
    ['a SKU', { price: '30' }, { sku: 'THEIRS' }, { price: '30' }, { sku: 'L-1' }],
    [
      'a barcode',
      { cost: '12' },
      { barcode: '4006381333931' },
      { inventoryItem: { cost: '12' } },
      { barcode: null },
    ],
    [
      'a compare-at price',
      { cost: '12' },
      { compareAtPrice: '99.00' },
      { inventoryItem: { cost: '12' } },
      { price: '24.90', compareAtPrice: null },
    ],
    [
      'a weight',
      { price: '30' },
      { weight: { value: 2, unit: 'KILOGRAMS' } },
      { price: '30' },
      { weight: { value: 0, unit: 'KILOGRAMS' } },
    ],
  ])('%s that was changed in the store stays, and others of its variant are sent', (_field, ...of) => {
    const [ours, theirs, input, kept] = of;
    const decision = decideProduct(facts(ofList(sizes({}, ours), withLarge(theirs))));
    expect(sent(decision)).toEqual([{ id: small.id }, { id: large.id, ...input }]);
    expect(decision).toMatchObject({ kept: { values: { variants: [{ ...kept, id: large.id }] } } });
    expect(decision).not.toHaveProperty('question');
  });

  test('a price is one with its compare-at price: it is asked about, and holds back nothing of others', () => {
    const next = sizes({ price: '30' }, { price: '31', cost: '12' });
    const live = withLarge({ compareAtPrice: '99.00' });
    const of = ofList(next, live);
    expect(decideProduct(facts(of))).toMatchObject({
      ...{ code: 'drifted', message: expect.stringContaining('(price)') },
      question: {
        ...{ choices: ['keep-store', 'use-ours', 'skip'], choice: null },
        fields: [
          { part: 'variants', name: 'L · price', store: '24.90', push: '31.00' },
          { part: 'variants', name: 'L · compare-at price', store: '99.00', push: null },
        ],
      },
    });
    expect(sent(decideWith(of, 'keep-store'))).toEqual([
      { id: small.id, price: '30' },
      { id: large.id, inventoryItem: { cost: '12' } },
    ]);
    expect(sent(decideWith(of, 'use-ours'))).toEqual([
      { id: small.id, price: '30' },
      { id: large.id, price: '31', compareAtPrice: null, inventoryItem: { cost: '12' } },
    ]);
  });

  test('a value that the store has got meanwhile is not asked about, and all else is sent', () => {
    const next = sizes({}, { price: '31', cost: '12' });
    const of = { ...ofList(next, withLarge({ price: '31.00' })), sendNonOverlapping: false };
    const decision = decideProduct(facts(of));
    expect(sent(decision)).toEqual([
      { id: small.id },
      { id: large.id, price: '31', inventoryItem: { cost: '12' } },
    ]);
    expect(decision).not.toHaveProperty('question');
    expect(decision).toMatchObject({ kept: null });
    const other = { ...ofList(next, withLarge({ price: '32.00' })), sendNonOverlapping: false };
    expect(decideProduct(facts(other))).toMatchObject({ code: 'drifted' });
  });

  test('what is kept is asked about again when the store’s value or ours changes, and not before', () => {
    const next = sizes({ cost: '12' }, { price: '31' });
    const live = withLarge({ price: '20.00' });
    const first = decideWith(ofList(next, live), 'keep-store');
    if (first.kind !== 'update') throw new Error(first.kind);
    const later = (draft: DraftProduct, now: LiveProduct, changes: Partial<ProductFacts> = {}) =>
      decideProduct(
        facts({
          ...ofList(draft, now, {
            ...{ sent: next, sentHash: first.hash, rebuiltDraft: next },
            ...{ baseline: { ...live, payloadHash: first.hash }, kept: first.kept?.values ?? null },
          }),
          ...changes,
        }),
      );
    const same = sizes({ cost: '13' }, { price: '31' });
    for (const sendNonOverlapping of [true, false]) {
      const again = later(same, live, { sendNonOverlapping });
      expect(again).toMatchObject({ kind: 'update', kept: { values: first.kept?.values } });
      expect(again).not.toHaveProperty('question');
    }
    const asked = { code: 'drifted', message: expect.stringContaining('(price)') };
    expect(later(sizes({ cost: '13' }, { price: '32' }), live)).toMatchObject(asked);
    expect(later(same, withLarge({ price: '21.00' }))).toMatchObject(asked);
    // Also if nothing else is to be sent. A value that both have is no question.
    const moved = { stamp: '2026-11-20T11:00:00Z' };
    expect(later(next, withLarge({ price: '21.00' }), moved)).toMatchObject(asked);
    expect(later(next, live, moved)).toMatchObject({ kind: 'unchanged' });
    for (const draft of [same, next])
      expect(later(draft, withLarge({ price: '31.00' }), moved)).not.toHaveProperty('question');
    // The store's value is ours.
    expect(sent(later(same, withLarge({ price: '24.90' })))).toEqual([
      { id: small.id, inventoryItem: { cost: '13' } },
      { id: large.id },
    ]);
  });

  test('variants that were added in the store stay and ask nothing', () => {
    const added = { ...large, id: 'added', options: [{ name: 'Size', value: 'Gift box' }], sku: 'GIFT' };
    const options = [{ name: 'Size', values: ['S', 'L', 'Gift box'] }];
    const live = { ...read, options, variants: [small, added, large] };
    const decision = decideProduct(facts(ofList(sizes({}, { price: '31' }), live)));
    expect(sent(decision)).toEqual([{ id: small.id }, { id: 'added' }, { id: large.id, price: '31' }]);
    expect(decision).not.toHaveProperty('question');
    const off = { ...ofList(sizes({}, { price: '31' }), live), sendNonOverlapping: false };
    expect(sent(decideProduct(facts(off)))).toEqual(sent(decision));
  });

  test('a variant that was deleted in the store is asked about alone, beside what is sent of others', () => {
    const live = { ...read, options: [{ name: 'Size', values: ['S'] }], variants: [small] };
    const next = sizes({ price: '30' }, { price: '31' });
    const of = ofList(next, live);
    const asked = decideProduct(facts(of));
    expect(sent(asked)).toEqual([{ id: small.id, price: '30' }]);
    const fields = [{ part: 'variants', name: 'L', store: null, push: '31' }];
    const question = { about: 'drifted', choices: ['keep-store', 'use-ours'] };
    expect(asked).toMatchObject({ question: { ...question, choice: null, fields } });
    const again = { sku: 'L-1', price: '31' };
    expect(sent(decideWith(of, 'use-ours'))).toMatchObject([{ id: small.id, price: '30' }, again]);
    const chosen = decideWith(of, 'keep-store');
    expect(sent(chosen)).toEqual(sent(asked));
    const after = (decision: Decision) => {
      if (decision.kind !== 'update') throw new Error(decision.kind);
      const kept = decision.kept?.values ?? null;
      const written = { sent: next, sentHash: decision.hash, rebuiltDraft: next, kept, baseline: live };
      return decideProduct(facts(ofList(sizes({ price: '32' }, { price: '33' }), live, written)));
    };
    expect(after(asked)).toMatchObject({ kind: 'update', question: { ...question, choice: null } });
    expect(after(chosen)).not.toHaveProperty('question');
    expect(sent(after(chosen))).toEqual([{ id: small.id, price: '32' }]);
  });

  test('a variant that the file has no more is not asked about if it is deleted in the store', () => {
    const live = { ...read, options: [{ name: 'Size', values: ['S'] }], variants: [small] };
    const next = { ...sizes({ price: '30' }), variants: sizes({ price: '30' }).variants.slice(0, 1) };
    const decision = decideProduct(facts(ofList(next, live)));
    expect(sent(decision)).toEqual([{ id: small.id, price: '30' }]);
    expect(decision).not.toHaveProperty('question');
  });

  test('a choice that was made about all variants as one part is asked about again', () => {
    const live = withLarge({ price: '20.00' });
    const choices = new Map([
      ['drifted' as const, { basis: getLiveBasis(live), choice: 'keep-store' as const }],
    ]);
    const of = { ...ofList(sizes({}, { price: '31' }), live), choices };
    expect(decideProduct(facts(of))).toMatchObject({
      ...{ code: 'choice-outdated', question: { choice: null } },
      message: expect.stringContaining('Not as you chose: '),
    });
    // Whole variants that an older version has kept.
    const stored = ofList(sizes({}, { cost: '12' }), live, {
      baseline: live,
      kept: { variants: read.variants },
    });
    expect(sent(decideProduct(facts(stored)))).toEqual([
      { id: small.id },
      { id: large.id, inventoryItem: { cost: '12' } },
    ]);
  });
});

test('rows that are left out of a product with other options cannot be left out by a choice', () => {
  const colors = testDraft({
    options: [{ name: 'Color', values: ['Red'] }],
    variants: [testVariant({ option1: 'Red', sku: 'RED' })],
  });
  const sizes = testDraft({
    options: [{ name: 'Size', values: ['S', 'M'] }],
    variants: [testVariant({ option1: 'S' }), testVariant({ option1: 'M', sku: 'M' })],
  });
  const built = { ok: true as const, product: colors, leftOut: { rows: 1, images: [] } };
  const of = { built, listing: listed({ rebuiltDraft: sizes }) };
  expect(decideProduct(facts(of))).toMatchObject({ code: 'blocked', question: { choices: ['skip'] } });
  expect(decideWith(of, 'send-without')).toMatchObject({ code: 'choice-outdated' });
});

test('a renamed option value is asked about where it is not known that the variant keeps its stock', () => {
  const sized = (size: string) =>
    testDraft({ options: [{ name: 'Size', values: [size] }], variants: [testVariant({ option1: size })] });
  const [before, next] = [sized('S'), sized('Small')];
  const of = {
    built: { ok: true as const, product: next },
    listing: listed({ sent: before, rebuiltDraft: before, baseline: testLive(before) }),
    live: testLive(before),
  };
  const choices = ['use-ours', 'send-without', 'skip'];
  expect(decideProduct(facts(of))).toMatchObject({ code: 'blocked', question: { choices } });
  const renames = input({
    variants: [{ id: before && testLive(before).variants[0]?.id, optionValues: [{ name: 'Small' }] }],
  });
  expect(decideWith(of, 'use-ours')).toMatchObject({ kind: 'update', ...renames });
  const store = { locationId: null, collections: [], canRename: true };
  expect(decideProduct(facts({ ...of, store }))).toMatchObject({ kind: 'update', ...renames });
});

test('a choice about a part that is not sent holds when the next file says something else about it', () => {
  const soldTo = (quantity: number) => {
    const sold = testLive(old, { updatedAt: 'later' });
    const variants = sold.variants.map((variant) => ({ ...variant, quantity: 3 }));
    const next = testDraft({ variants: [testVariant({ inventory_quantity: quantity })] });
    return { listing: listed(), live: { ...sold, variants }, built: { ok: true as const, product: next } };
  };
  const asked = decideProduct(facts(soldTo(12))).question;
  expect(asked).toMatchObject({ about: 'not-sent', choice: null });
  const choices = new Map([['not-sent' as const, { basis: asked?.basis ?? '', choice: 'skip' as const }]]);
  expect(decideProduct(facts({ ...soldTo(20), choices }))).toMatchObject({
    ...{ code: 'not-sent', question: { choice: 'skip' } },
    message: expect.stringContaining('Skipped, as you chose.'),
  });
});

test('a quantity that was sold is asked about beside what else is sent', () => {
  const read = testLive(old, { updatedAt: 'later' });
  const live = { ...read, variants: read.variants.map((variant) => ({ ...variant, quantity: 3 })) };
  const next = testDraft({ variants: [testVariant({ price: '30', inventory_quantity: 20 })] });
  const of = { listing: listed(), live, built: { ok: true as const, product: next } };
  const store = { locationId: 'gid://shopify/Location/1', collections: [] };
  const asked = decideProduct(facts({ ...of, store }));
  expect(asked).toMatchObject({
    ...{ kind: 'update', quantities: [], ...input({ variants: [{ price: '30' }] }) },
    question: { about: 'not-sent', choices: ['use-ours', 'skip'], choice: null },
  });
  expect(decideProduct(facts({ ...of, store, stockChoice: 'skip' }))).toMatchObject({
    ...{ kind: 'update', quantities: [] },
    question: { about: 'not-sent', choice: 'skip' },
  });
  const choices = new Map([
    ['not-sent' as const, { basis: asked.question?.basis ?? '', choice: 'use-ours' as const }],
  ]);
  expect(decideProduct(facts({ ...of, store, choices }))).toMatchObject({
    ...{ kind: 'update', notSent: [], quantities: [{ quantity: 20, changeFromQuantity: 3 }] },
  });
});

test.each<[string, (basis: string) => Partial<ProductFacts>]>([
  [
    'it was chosen for the product',
    (basis) => ({ choices: new Map([['not-sent', { basis, choice: 'use-ours' }]]) }),
  ],
  ['it was chosen for the supplier', () => ({ stockChoice: 'use-ours' })],
])('a quantity that was sold is sent if %s', (_why, chosen) => {
  const read = testLive(old, { updatedAt: 'later' });
  const live = { ...read, variants: read.variants.map((variant) => ({ ...variant, quantity: 1 })) };
  const next = testDraft({ variants: [testVariant({ inventory_quantity: 30 })] });
  const store = { locationId: 'gid://shopify/Location/1', collections: [] };
  const sold = { listing: listed(), live, store, built: { ok: true as const, product: next } };
  const asked = decideProduct(facts(sold)).question;
  expect(asked).toMatchObject({ about: 'not-sent', choices: ['use-ours', 'skip'], choice: null });
  expect(decideProduct(facts({ ...sold, ...chosen(asked?.basis ?? '') }))).toMatchObject({
    ...{ kind: 'update', notSent: [], quantities: [{ quantity: 30, changeFromQuantity: 1 }] },
  });
});
