import { describe, expect, test } from 'vitest';
import type { MatchChoice } from '../access/preferences.ts';
import { defaultMatchChoice, findMatchEvidence, type MatchFacts, rateMatch } from './match-standing.ts';

const variant = { title: '', price: '10', compare_at_price: null, cost: null, sku: '1001', barcode: '' };
const stock = { inventory_quantity: 0, inventory_management: null, inventory_policy: 'deny' as const };
const product = (title: string, vendor = '', of: { price?: string; barcode?: string } = {}) => ({
  ...{ title, vendor },
  variants: [{ ...variant, ...stock, ...of }],
});
const copy = (title: string, vendor = '', price: string | null = null, gtins: string[] = []) => ({
  ...{ title, vendor, price, gtins },
});

describe('two products agree', () => {
  test.for([
    [
      'GTIN',
      product('A', '', { barcode: '4006381333931' }),
      copy('B', '', null, ['04006381333931']),
      'content',
    ],
    ['letters', product('Vase, blau'), copy('VASE BLAU'), 'content'],
    ['letters without accents', product('Caffè nero'), copy('Caff\u{e9} nero'), 'content'],
    ['the same title of another script', product('椅子 2'), copy('椅子  2'), 'content'],
    [
      'vendor and price',
      product('A', 'Acme', { price: '15' }),
      copy('B', ' ACME', '10.00'),
      'vendor and price',
    ],
  ] as const)('in %s', ([, ours, theirs, expected]) => {
    expect(findMatchEvidence(ours, theirs)).toBe(expected);
  });

  test.for([
    ['only digits of other scripts', product('椅子 2'), copy('机 2')],
    ['another title and no vendor', product('A'), copy('B', '', '10')],
    [
      'a price that differs by more than half',
      product('A', 'Acme', { price: '15.01' }),
      copy('B', 'Acme', '10'),
    ],
    ['no price in the store', product('A', 'Acme'), copy('B', 'Acme')],
    ['another GTIN', product('A', '', { barcode: '4006381333931' }), copy('B', '', '10', ['09780306406157'])],
    ['a product that our copy of the store does not have', product('A', 'Acme'), null],
  ] as const)('not with %s', ([, ours, theirs]) => {
    expect(findMatchEvidence(ours, theirs)).toBeNull();
  });
});

const facts = (of: Partial<MatchFacts>): MatchFacts => ({
  ...{ kind: 'sku', isItemNumber: false, owner: null, agreement: null },
  ...of,
});

describe('a match', () => {
  test.for([
    ['is the product of the same supplier', { owner: 'own', agreement: 'content' }, 'own'],
    ['is asked of the same supplier if nothing agrees', { owner: 'own' }, 'doubtful'],
    ['is another supplier’s', { owner: 'other' }, 'others'],
    ['is another supplier’s by its GTIN', { owner: 'other', kind: 'gtin', agreement: 'content' }, 'others'],
    ['is none by another supplier’s number', { owner: 'other', isItemNumber: true }, null],
    [
      'is none by that, vendor and price',
      { owner: 'other', isItemNumber: true, agreement: 'vendor and price' },
      null,
    ],
    [
      'is another supplier’s by a number and the title',
      { owner: 'other', isItemNumber: true, agreement: 'content' },
      'others',
    ],
    ['of a merchant agrees', { agreement: 'vendor and price' }, 'agrees'],
    ['of a merchant differs', {}, 'differs'],
    ['of a merchant has only a number in common', { isItemNumber: true }, 'doubtful'],
    ['of a merchant agrees by a number and more', { isItemNumber: true, agreement: 'content' }, 'agrees'],
    ['of our own has only an item number in common', { kind: 'item' }, 'doubtful'],
  ] as const)('%s', ([, of, standing]) => {
    expect(rateMatch(facts(of))).toBe(standing);
  });

  test.for([
    ['own', ['update', 'update', 'update'], ['update', 'update', 'update']],
    ['agrees', ['skip', 'update', 'create'], ['skip', 'update', 'create']],
    ['differs', ['skip', 'skip', 'create'], ['skip', 'update', 'create']],
    ['doubtful', ['skip', 'skip', 'skip'], ['skip', 'update', 'create']],
    ['others', ['skip', 'skip', 'skip'], ['skip', 'skip', 'skip']],
  ] as const)(
    'that is %s follows the preference, and the choice of a push',
    ([standing, preferred, chosen]) => {
      const choices: MatchChoice[] = ['skip', 'update', 'create'];
      const done = (isChosen: boolean) =>
        choices.map((whenInStore) => defaultMatchChoice(standing, { whenInStore, isChosen }));
      expect([done(false), done(true)]).toEqual([preferred, chosen]);
    },
  );
});
