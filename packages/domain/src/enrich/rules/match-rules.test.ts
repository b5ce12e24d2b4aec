import { expect, it } from 'vitest';
import { splitIntoWords } from '../../base/product-words.ts';
import { splitEntries } from '../../base/text-list.ts';
import { type Random, seededRandom } from '../../testing/random.ts';
import { removeHtmlTags } from '../disagreements.ts';
import { CategoryRule, type RuleCondition } from './category-rule.ts';
import { createRuleMatcher, findRuleChanges, type RuleProduct } from './match-rules.ts';

let made = 0;

/** A rule that gives the type 'Wall Art' to products with the word 'canvas' in their title. */
function rule(changes: Partial<CategoryRule> = {}): CategoryRule {
  made += 1;
  return {
    id: `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`,
    name: `Rule ${made}`,
    enabled: true,
    if: { all: [{ field: 'title', is: 'has word', value: 'canvas' }] },
    set: { type: 'Wall Art' },
    only: 'if empty',
    ...changes,
  };
}

const when = (...all: RuleCondition[]) => rule({ if: { all } });
const matches = (one: CategoryRule, product: RuleProduct) => createRuleMatcher([one])(product).length === 1;
const changesOf = (rules: readonly CategoryRule[], product: RuleProduct) =>
  findRuleChanges(createRuleMatcher(rules)(product), product).map(({ field, value, before }) => [
    field,
    value,
    before,
  ]);

it('compares whole words without case, accents and plural', () => {
  const canvas = rule();
  for (const title of ['CANVAS print', 'Leinwand / Cánvas', 'Canvas, 24x36 in']) {
    expect(matches(canvas, { title }), title).toBe(true);
  }
  for (const title of ['Canvasette', 'Can vas', '', undefined]) {
    expect(matches(canvas, title === undefined ? {} : { title }), title).toBe(false);
  }
  const vases = when({ field: 'title', is: 'has word', value: 'blue vases' });
  expect(matches(vases, { title: 'Vase, hand made, in Blue' })).toBe(true);
  expect(matches(vases, { title: 'Green vase' })).toBe(false);
});

it('compares the whole value and its beginning', () => {
  const is = when({ field: 'vendor', is: 'is', value: 'ACME Home' });
  expect(matches(is, { vendor: 'Acme home' })).toBe(true);
  expect(matches(is, { vendor: 'Acme Home Textiles' })).toBe(false);
  const begins = when({ field: 'vendor', is: 'begins with', value: 'acme home' });
  expect(matches(begins, { vendor: 'Acme Home Textiles' })).toBe(true);
  expect(matches(begins, { vendor: 'New Home, Acme' })).toBe(false);
});

it('compares single tags, and the text of a description', () => {
  const tag = when({ field: 'tags', is: 'is', value: 'outdoor' });
  expect(matches(tag, { tags: 'Garden; Outdoor' })).toBe(true);
  expect(matches(tag, { tags: 'Outdoor furniture' })).toBe(false);
  const strong = when({ field: 'description', is: 'has word', value: 'strong' });
  expect(matches(strong, { description: '<strong>Light</strong> bulb' })).toBe(false);
  expect(matches(strong, { description: '<p>A strong rope</p>' })).toBe(true);
});

it('compares prices, and needs all conditions', () => {
  const cheap = when(
    { field: 'price', is: 'between', from: 5, to: 9.99 },
    { field: 'type', is: 'is', value: 'rug' },
  );
  expect(matches(cheap, { price: '$9.99', type: 'Rugs' })).toBe(true);
  expect(matches(cheap, { price: '10', type: 'Rugs' })).toBe(false);
  expect(matches(cheap, { price: '9.99' })).toBe(false);
  expect(matches(cheap, { price: 'on request', type: 'Rugs' })).toBe(false);
});

it('takes the type of the first match, and leaves a type of the file', () => {
  const other = rule({ set: { type: 'Posters' } });
  expect(changesOf([rule(), other], { title: 'Canvas' })).toEqual([['type', 'Wall Art', null]]);
  expect(changesOf([rule({ enabled: false }), other], { title: 'Canvas' })).toEqual([
    ['type', 'Posters', null],
  ]);
  const always = rule({ only: 'always add' });
  expect(changesOf([always], { title: 'Canvas', type: 'Art' })).toEqual([]);
  expect(changesOf([rule()], { title: 'Canvas', type: ' ' })).toEqual([['type', 'Wall Art', null]]);
});

it('adds up collections and tags, each once', () => {
  const rules = [
    rule({ set: { collections: ['New'], tags: ['wall', 'Art'] } }),
    rule({ set: { collections: ['new', 'Sale'], tags: ['art', 'print'] }, only: 'always add' }),
  ];
  expect(changesOf(rules, { title: 'Canvas' })).toEqual([
    ['collections', 'New, Sale', null],
    ['tags', 'wall, Art, print', null],
  ]);
  expect(changesOf(rules, { title: 'Canvas', tags: 'gift; ART' })).toEqual([
    ['collections', 'New, Sale', null],
    ['tags', 'gift, ART, print', 'gift; ART'],
  ]);
  expect(changesOf(rules, { title: 'Canvas', collections: 'SALE, New', tags: 'print, art' })).toEqual([]);
});

it('refuses rules that could match nothing, or set nothing that can be sent', () => {
  const problem = (changes: Partial<CategoryRule>) =>
    CategoryRule.safeParse(rule(changes)).error?.issues[0]?.message;
  expect(problem({})).toBeUndefined();
  expect(problem({ if: { all: [{ field: 'title', is: 'is', value: 'the set' }] } })).toMatch(/common words/);
  expect(problem({ set: {} })).toBe('Set a type, a collection or a tag.');
  expect(problem({ set: { collections: ['all products'] } })).toMatch(/can’t set the collection/);
  expect(problem({ set: { tags: ['a, b'] } })).toMatch(/comma/);
  const price = { field: 'price', is: 'between', from: 9, to: 5 } as const;
  expect(problem({ if: { all: [price] } })).toMatch(/must not be above/);
});

const vocabulary = ['Canvas', 'vases', 'blue', '24', 'Rug', 'Cotton', 'lámp', 'wood', 'the', '<b>'];
const entries = ['Wall', 'Rugs', 'sale', 'Sale', 'New Home'];

function randomProduct(random: Random): RuleProduct {
  const some = (from: readonly string[], most: number) =>
    Array.from({ length: random(most) }, () => from[random(from.length)]);
  return {
    title: some(vocabulary, 9).join(' '),
    description: some(vocabulary, 8).join(' - '),
    vendor: some(vocabulary, 2).join(' '),
    type: some(entries, 2).join(''),
    tags: some(entries, 4).join(', '),
    collections: some(entries, 3).join(';'),
    price: String(random(30)),
  };
}

function randomRule(random: Random): CategoryRule {
  const one = <T>(from: readonly T[]): T => from[random(from.length)] as T;
  const conditions = Array.from({ length: 1 + random(2) }, (): RuleCondition => {
    const from = random(20);
    if (random(5) === 0) return { field: 'price', is: 'between', from, to: from + random(15) };
    const field = one(['title', 'type', 'vendor', 'tags', 'description'] as const);
    return { field, is: one(['has word', 'is', 'begins with'] as const), value: one(vocabulary) };
  });
  return rule({
    enabled: random(5) > 0,
    if: { all: conditions },
    set: { ...(random(2) ? { type: one(entries) } : {}), tags: [one(entries)], collections: [one(entries)] },
    only: one(['if empty', 'always add'] as const),
  });
}

/** Whether a product meets a condition, by comparing all its words. */
function meets(condition: RuleCondition, product: RuleProduct): boolean {
  if (condition.field === 'price') {
    const price = Number(product.price);
    return price >= condition.from && price <= condition.to;
  }
  const { field, is } = condition;
  const text = field === 'description' ? removeHtmlTags(product.description ?? '') : (product[field] ?? '');
  const values = field === 'tags' && is !== 'has word' ? splitEntries(text) : [text];
  const sought = splitIntoWords(condition.value);
  if (sought.length === 0) return false;
  return values.map(splitIntoWords).some((words) => {
    if (is === 'has word') return sought.every((word) => words.includes(word));
    const compared = is === 'is' ? words : words.slice(0, sought.length);
    return compared.join(' ') === sought.join(' ');
  });
}

it('finds with all rules at once what each finds alone, keeps values, and has nothing to add afterwards', () => {
  const random = seededRandom(7);
  let changed = 0;
  for (let round = 0; round < 2_000; round += 1) {
    const rules = Array.from({ length: random(8) }, () => randomRule(random));
    const product = randomProduct(random);
    const matching = createRuleMatcher(rules)(product);
    const expected = rules.filter(
      (one) => one.enabled && one.if.all.every((condition) => meets(condition, product)),
    );
    expect(matching).toEqual(expected);
    const changes = findRuleChanges(matching, product);
    changed += changes.length;
    for (const { field, value, before } of changes) {
      expect(before ?? '').toBe((product[field] ?? '').trim() === '' ? '' : product[field]);
      const kept = splitEntries(product[field]);
      if (field !== 'type') expect(splitEntries(value).slice(0, kept.length)).toEqual(kept);
    }
    const after = { ...product, ...Object.fromEntries(changes.map(({ field, value }) => [field, value])) };
    const again = findRuleChanges(matching, after);
    expect(again).toEqual([]);
  }
  expect(changed).toBeGreaterThan(200);
});
