import { expect, it } from 'vitest';
import { createRuleSuggester, type TitleWithType } from './suggest-rules.ts';

const products = (type: string, count: number, title: (nth: number) => string): TitleWithType[] =>
  Array.from({ length: count }, (_, nth) => ({ type, title: title(nth), vendor: 'Acme Home' }));

function suggestRules(store: readonly TitleWithType[]) {
  const suggester = createRuleSuggester();
  for (const product of store) suggester.add(product);
  return suggester.suggest();
}

it('suggests words of nearly all titles of a type that no other type has', () => {
  const store = [
    ...products('Drinkware', 25, (nth) => `${nth < 24 ? 'Glasses' : 'Cups'} ${nth}, blue, hand made`),
    ...products('Rugs', 20, (nth) => `Rug ${nth} by Acme, hand made`),
    // Too few products, and no word of its own.
    ...products('Clocks', 19, (nth) => `Clock ${nth}`),
    ...products('Wall Art', 30, () => 'Hand made picture'),
    ...products('Mirrors', 30, () => 'A picture mirrored by hand'),
    ...products('', 30, () => 'Rug'),
  ];
  expect(suggestRules(store)).toEqual([
    { type: 'Mirrors', word: 'mirrored', products: 30, withWord: 30 },
    { type: 'Drinkware', word: 'glasses', products: 25, withWord: 24 },
    { type: 'Rugs', word: 'rug', products: 20, withWord: 20 },
  ]);
});

it('suggests the same rules in any order of the products', () => {
  const store = [
    ...products('Vases', 40, (nth) => `Vase urn ${nth}`),
    ...products('Lamps', 40, (nth) => `Lamp light ${nth}`),
  ];
  const expected = [
    { type: 'Lamps', word: 'lamp', products: 40, withWord: 40 },
    { type: 'Vases', word: 'urn', products: 40, withWord: 40 },
  ];
  expect(suggestRules(store)).toEqual(expected);
  expect(suggestRules(store.toReversed())).toEqual(expected);
});
