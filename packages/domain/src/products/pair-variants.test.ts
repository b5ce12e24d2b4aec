import { describe, expect, test } from 'vitest';
import { pairVariants, type VariantKeys } from './pair-variants.ts';

/** 'S M:Red =A #1': option values, SKU and barcode. */
function variant(text: string): VariantKeys & { text: string } {
  const words = text.split(' ');
  const word = (start: string) => words.find((one) => one.startsWith(start))?.slice(1) ?? null;
  const options = words.filter((one) => /^[^=#]/.test(one));
  return {
    text,
    options: options.map((one, at) => {
      const [name, value] = one.includes(':') ? one.split(':') : [`Option ${at}`, one];
      return { name: name ?? '', value: value ?? '' };
    }),
    sku: word('='),
    barcode: word('#'),
  };
}

const pairs = (variants: string[], known: string[], isOurs = true) =>
  pairVariants(variants.map(variant), known.map(variant), { isOurs }).map((one) => one?.text ?? null);

describe.each([
  ['ours', true],
  ['of the merchant', false],
])('variants of a product that is %s', (_whose, isOurs) => {
  test.each([
    ['equal options, apart from case', ['red', 'Blue'], ['Blue', 'Red'], ['Red', 'Blue']],
    ['options in another order', ['Color:Red Size:S'], ['Size:S Color:Red'], ['Size:S Color:Red']],
    ['an option of another name', ['Colour:Red'], ['Color:Red'], ['Color:Red']],
    ['another value, and the only one with its SKU', ['S =A', 'Mid =B'], ['S =A', 'M =B'], ['S =A', 'M =B']],
    ['the only one with its barcode', ['S #1', 'Mid #2'], ['S #1', 'M #2'], ['S #1', 'M #2']],
    ['another SKU, and equal options', ['S =A', 'M =C'], ['S =A', 'M =B'], ['S =A', 'M =B']],
    ['swapped values, by their SKUs', ['M =A', 'S =B'], ['S =A', 'M =B'], ['S =A', 'M =B']],
    ['a value that another variant gets', ['Small =A', 'S =C'], ['S =A'], ['S =A', null]],
    ['its options, where its SKU was that of one that is gone', ['S =B'], ['S =A', 'M =B'], ['S =A']],
    ['a SKU that two have', ['X =A', 'Y =A'], ['S =A', 'M =A'], [null, null]],
    ['two with equal options: the first', ['S', 's'], ['S'], ['S', null]],
    ['the single one of both', ['Small'], ['S'], ['S']],
  ])('are recognized by %s', (_rule, variants, known, expected) => {
    expect(pairs(variants, known, isOurs)).toEqual(expected);
  });

  test('another SKU and other options are another variant', () => {
    expect(pairs(['Small =B'], ['S =A'], isOurs)).toEqual([null]);
    expect(pairs(['S =A', 'XL =D'], ['S =A', 'L =C'], isOurs)).toEqual(['S =A', null]);
  });
});

test('the last that is left of both is the same variant, if it is ours', () => {
  expect(pairs(['S', 'Large'], ['S', 'L'])).toEqual(['S', 'L']);
  expect(pairs(['S', 'Large', 'XL'], ['S', 'L'])).toEqual(['S', null, null]);
  expect(pairs(['S', 'Large'], ['S', 'L'], false)).toEqual(['S', null]);
});

test('the variant of a product without options becomes the first', () => {
  expect(pairs(['S =B', 'M =C'], ['=A'])).toEqual(['=A', null]);
  expect(pairs(['S =B', 'M =A'], ['=A'])).toEqual([null, '=A']);
  expect(pairs(['S =B', 'M =C'], ['=A'], false)).toEqual([null, null]);
});
