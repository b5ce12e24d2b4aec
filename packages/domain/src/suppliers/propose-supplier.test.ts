import { expect, test } from 'vitest';
import { type CandidateSupplier, proposeSupplier, type SupplierProposal } from './propose-supplier.ts';

const candidate = (supplier: number, has: Partial<CandidateSupplier>): CandidateSupplier => ({
  ...{ supplier, hasFile: false, signs: [], known: 0, comparable: has.known ?? 0, agreeing: 0, alike: 0 },
  ...{ equalGtins: 0, left: null },
  ...has,
});
type Sign = CandidateSupplier['signs'][number];
const sign = (kind: Sign['kind'], lists = 1, isShared = false): Sign => ({ kind, lists, isShared });
const layout = sign('layout');
const propose = (
  candidates: CandidateSupplier[],
  sample: { rows?: number; keyed?: number; sampled?: number } = {},
): SupplierProposal => proposeSupplier({ rows: 100, keyed: 100, sampled: 100, ...sample, candidates });

const is1 = { is: 'certain', supplier: 1 };
const asks = (known: number, supplier = 1) => ({ is: 'unsure', asked: { supplier, known, sampled: 100 } });
const isNew = { is: 'new' };

test.each<[string, Partial<CandidateSupplier> | CandidateSupplier[], object]>([
  ['nobody is known', [], isNew],
  ['the same bytes', { hasFile: true }, is1],
  ['half of the keys, which agree', { known: 50, agreeing: 15, signs: [layout] }, is1],
  ['fewer than half of the keys', { known: 49, agreeing: 49, signs: [layout] }, asks(49)],
  ['a tenth of the keys, which agree', { known: 10, agreeing: 10 }, asks(10)],
  ['fewer than a tenth', { known: 9, agreeing: 9, signs: [layout] }, isNew],
  ['neither layout nor name, nearly all keys', { known: 80, agreeing: 80 }, is1],
  ['neither layout nor name, many keys', { known: 79, agreeing: 79 }, asks(79)],
  ['a layout that others have, too', { known: 60, agreeing: 60, signs: [sign('layout', 3, true)] }, is1],
  ['item numbers of two suppliers', { known: 100, agreeing: 2 }, isNew],
  ['other numbers and equal GTINs', { alike: 80, equalGtins: 80, signs: [sign('filename')] }, is1],
  ['other numbers and fewer GTINs', { alike: 90, equalGtins: 79, signs: [sign('filename')] }, asks(90)],
  ['equal GTINs in the layout of the supplier', { alike: 90, equalGtins: 90, signs: [layout] }, asks(90)],
  ['the GTINs of a maker that two dealers have', { alike: 90, equalGtins: 90 }, isNew],
  [
    'equal GTINs of two suppliers with own names',
    [
      candidate(1, { alike: 90, equalGtins: 90, signs: [sign('folder')] }),
      candidate(2, { alike: 50, equalGtins: 50, signs: [sign('filename')] }),
    ],
    asks(90),
  ],
  [
    'other numbers in a layout that several suppliers have',
    { alike: 80, equalGtins: 80, signs: [sign('layout', 2, true)] },
    asks(80),
  ],
  [
    'some equal titles in a layout that several suppliers have',
    { alike: 79, signs: [sign('layout', 2, true)] },
    isNew,
  ],
  ['item numbers in the layout of the supplier', { known: 100, agreeing: 2, signs: [layout] }, asks(100)],
  [
    'item numbers in a layout that several suppliers have',
    { known: 100, agreeing: 2, signs: [sign('layout', 2, true)] },
    isNew,
  ],
  ['variants without titles', { known: 90, comparable: 9, agreeing: 9, signs: [layout] }, is1],
  ['a list of stock of a known name', { known: 90, comparable: 0, signs: [layout, sign('filename')] }, is1],
  [
    'a list of stock in a known layout, which may be anybody’s numbers',
    { known: 90, comparable: 0, signs: [layout] },
    asks(90),
  ],
  [
    'a list of stock of a known name whose numbers two suppliers have',
    [
      candidate(1, { known: 95, comparable: 0, signs: [sign('filename')] }),
      candidate(2, { known: 90, comparable: 0 }),
    ],
    asks(95),
  ],
  ['a list of stock in a new layout', { known: 90, comparable: 0 }, asks(90)],
  [
    'two suppliers with these item numbers, one with these products',
    [candidate(2, { known: 100, agreeing: 3 }), candidate(1, { known: 90, agreeing: 80, signs: [layout] })],
    is1,
  ],
  [
    'two suppliers with these products',
    [candidate(1, { known: 90, agreeing: 90 }), candidate(2, { known: 60, agreeing: 45 })],
    asks(90),
  ],
  [
    'two suppliers with these products, one with this layout',
    [candidate(2, { known: 95, agreeing: 90 }), candidate(1, { known: 90, agreeing: 90, signs: [layout] })],
    asks(95, 2),
  ],
  ['the folder of three lists', { signs: [sign('folder', 3), layout] }, is1],
  ['the folder of two lists', { signs: [sign('folder', 2), layout] }, isNew],
  ['a folder of several suppliers', { signs: [sign('folder', 9, true), layout] }, isNew],
  ['the folder, and nothing else', { signs: [sign('folder', 3)] }, isNew],
  [
    'the folder, but products of another supplier',
    [candidate(1, { signs: [sign('folder', 3), layout] }), candidate(2, { known: 90, agreeing: 90 })],
    { is: 'certain', supplier: 2 },
  ],
  ['a known layout that has nothing in common', { signs: [layout] }, isNew],
  ['other keys for the same titles', { alike: 30, signs: [sign('filename')] }, asks(30)],
  ['some equal titles', { alike: 29, signs: [layout] }, isNew],
  ['the name of one of which nothing is left', { left: 'named' }, is1],
  ['a file name of one of which nothing is left', { left: 'unnamed', signs: [sign('filename')] }, is1],
  ['a layout of one of which nothing is left', { left: 'unnamed', signs: [layout] }, asks(0)],
  [
    'a layout of two, of one of which nothing is left',
    { left: 'unnamed', signs: [sign('layout', 1, true)] },
    isNew,
  ],
  ['equal titles under no known name', { alike: 90 }, isNew],
])('%s', (_, of, proposal) => {
  const candidates = Array.isArray(of) ? of : [candidate(1, of)];
  expect(propose(candidates)).toEqual(proposal);
});

test('a list of which most rows have no key is nobody’s, unless its bytes are known', () => {
  const known = candidate(1, { known: 40, agreeing: 40, signs: [layout] });
  expect(propose([known], { keyed: 49, sampled: 49 })).toEqual({ is: 'none' });
  expect(propose([], { rows: 0, keyed: 0, sampled: 0 })).toEqual({ is: 'none' });
  expect(propose([{ ...known, hasFile: true }], { keyed: 49, sampled: 49 })).toEqual(is1);
});
