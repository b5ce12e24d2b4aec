import type { RowValues } from '../../base/canonical-fields.ts';
import { parseMoney } from '../../base/money.ts';
import { splitIntoWords } from '../../base/product-words.ts';
import { z } from '../../base/schema.ts';
import { splitEntries } from '../../base/text-list.ts';
import { removeHtmlTags } from '../disagreements.ts';
import type { CategoryRule, RuleCondition, RuleField, TextField } from './category-rule.ts';

/** The values of a product that rules read or set, before any rule is applied. */
export type RuleProduct = Pick<RowValues, TextField | RuleField | 'price'>;

export type RuleChange = {
  field: RuleField;
  value: string;
  before: string | null;
  /** The type, or the entries that the rules add to the product's entries. */
  added: string[];
  /** Ids of the rules that set the value. */
  rules: string[];
};

/** The result of trying a rule. `count`: products that the rule matches. `changed`: products that would get a value. */
export const RuleTrialResult = z.object({
  rule: z.string(),
  count: z.number().int(),
  changed: z.number().int(),
  examples: z.array(
    z.object({
      row: z.number().int(),
      title: z.string().nullable(),
      /** Empty if the product already has the values, or if an earlier rule already sets the type. */
      values: z.array(z.object({ field: z.string(), before: z.string().nullable(), value: z.string() })),
    }),
  ),
});
export type RuleTrialResult = z.infer<typeof RuleTrialResult>;

/** A function that returns the rules that match a product, in order. Disabled rules never match. */
export type RuleMatcher = (product: RuleProduct) => CategoryRule[];

/** Returns a matcher for the rules. Splits the words of their conditions only once. */
export function createRuleMatcher(rules: readonly CategoryRule[]): RuleMatcher {
  const prepared = rules
    .filter(({ enabled }) => enabled)
    .map((rule) => ({ rule, tests: rule.if.all.map(testOf) }));
  return (product) => {
    const reader = productReader(product);
    return prepared.filter(({ tests }) => tests.every((test) => test(reader))).map(({ rule }) => rule);
  };
}

/** Returns a product's changes. The first rule with a type sets an empty type. All rules add collections and tags. */
export function findRuleChanges(matching: readonly CategoryRule[], product: RuleProduct): RuleChange[] {
  const changes: RuleChange[] = [];
  const typing = matching.find(({ set }) => set.type !== undefined);
  if (typing?.set.type !== undefined && !product.type?.trim()) {
    const { type } = typing.set;
    changes.push({ field: 'type', value: type, before: null, added: [type], rules: [typing.id] });
  }
  for (const field of ['collections', 'tags'] as const) {
    const change = listChange(field, matching, product[field]);
    if (change) changes.push(change);
  }
  return changes;
}

function listChange(
  field: 'collections' | 'tags',
  matching: readonly CategoryRule[],
  text: string | undefined,
): RuleChange | null {
  const present = splitEntries(text);
  const values = new Map(present.map((value) => [value.toLowerCase(), value]));
  const rules = matching.filter(({ set, only }) => {
    if (only === 'if empty' && present.length > 0) return false;
    const added = (set[field] ?? []).filter((value) => !values.has(value.toLowerCase()));
    for (const value of added) values.set(value.toLowerCase(), value);
    return added.length > 0;
  });
  if (rules.length === 0) return null;
  return {
    field,
    value: [...values.values()].join(', '),
    before: present.length === 0 ? null : (text ?? null),
    added: [...values.values()].slice(present.length),
    rules: rules.map(({ id }) => id),
  };
}

type ProductReader = ReturnType<typeof productReader>;

/** Reads fields of a product. A field is split into words when a condition first reads it. */
function productReader(product: RuleProduct) {
  const values = new Map<TextField, readonly (readonly string[])[]>();
  const sets = new Map<TextField, ReadonlySet<string>>();
  const text = (field: TextField) => {
    const value = product[field] ?? '';
    return field === 'description' ? removeHtmlTags(value) : value;
  };
  return {
    wordSet: (field: TextField) => kept(sets, field, () => new Set(splitIntoWords(text(field)))),
    /** Returns lists of words: one for each tag, or a single one for the text of another field. */
    values: (field: TextField) =>
      kept(values, field, () =>
        (field === 'tags' ? splitEntries(text(field)) : [text(field)]).map(splitIntoWords),
      ),
    price(): number | null {
      const amount = parseMoney(product.price ?? '')?.amount;
      return amount === undefined ? null : Number(amount);
    },
  };
}

function kept<Key, Value>(values: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = values.get(key) ?? make();
  values.set(key, known);
  return known;
}

type Test = (product: ProductReader) => boolean;

function testOf(condition: RuleCondition): Test {
  if (condition.field === 'price') {
    const { from, to } = condition;
    return (product) => {
      const price = product.price();
      return price !== null && price >= from && price <= to;
    };
  }
  const { field, is, value } = condition;
  const sought = splitIntoWords(value);
  // A rule from another version may have no word that this version compares. Such a rule never matches.
  if (sought.length === 0) return () => false;
  const beginsWith = (words: readonly string[]) => sought.every((word, at) => words[at] === word);
  switch (is) {
    case 'has word':
      return (product) => {
        const words = product.wordSet(field);
        return sought.every((word) => words.has(word));
      };
    case 'is':
      return (product) =>
        product.values(field).some((words) => words.length === sought.length && beginsWith(words));
    case 'begins with':
      return (product) => product.values(field).some(beginsWith);
  }
}
