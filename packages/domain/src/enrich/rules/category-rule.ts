import { fieldDefaults } from '../../base/field-choices.ts';
import { splitIntoWords } from '../../base/product-words.ts';
import { z } from '../../base/schema.ts';
import { isStorable, notStorableMessage } from '../../base/storable-text.ts';
import { splitEntries } from '../../base/text-list.ts';

export const rulesMax = 100;
export const ruleConditionsMax = 5;
export const ruleCollectionsMax = 5;
export const ruleTagsMax = 10;
const nameCharsMax = 100;
const wordsCharsMax = 200;
/** The store's limit for a type, a tag and a collection title, in characters. */
const valueCharsMax = 255;
const priceMax = 1_000_000_000;

/** Fields that text conditions can test. */
export const textFields = ['title', 'type', 'vendor', 'tags', 'description'] as const;
export type TextField = (typeof textFields)[number];
export const textTests = ['has word', 'is', 'begins with'] as const;

/** Fields that rules can set. */
export const ruleFields = ['type', 'collections', 'tags'] as const;
export type RuleField = (typeof ruleFields)[number];

/** `if empty`: sets only empty fields. `always add`: also proposes more entries for filled collections and tags. */
export const ruleModes = ['if empty', 'always add'] as const;

const storable = z.string().trim().refine(isStorable, notStorableMessage);

const Words = storable
  .max(wordsCharsMax)
  .refine(
    (text) => splitIntoWords(text).length > 0,
    'Enter a word to look for. Short common words like “the” or “set” are ignored.',
  );

const Price = z.number().min(0).max(priceMax);

const TextCondition = z.strictObject({
  field: z.enum(textFields),
  is: z.enum(textTests),
  value: Words,
});

const PriceCondition = z
  .strictObject({ field: z.literal('price'), is: z.literal('between'), from: Price, to: Price })
  .refine(({ from, to }) => from <= to, 'The lower price must not be above the higher one.');

const Condition = z.union([TextCondition, PriceCondition]);
export type RuleCondition = z.infer<typeof Condition>;

/** An entry has no separators, because a cell separates its tags and collections with them. */
const ListEntry = storable
  .min(1)
  .max(valueCharsMax)
  .refine((text) => splitEntries(text).length === 1, 'A name with a comma, semicolon or bar can’t be set.');

const isDefaultCollection = (title: string) =>
  title.toLowerCase() === fieldDefaults.collections.toLowerCase();

const CollectionTitle = ListEntry.refine(
  (title) => !isDefaultCollection(title),
  `A rule can’t set the collection “${fieldDefaults.collections}”.`,
);

/** A rule that sets type, collections and tags of the products that meet all of its conditions. */
export const CategoryRule = z.strictObject({
  /** The client generates the id. */
  id: z.uuid(),
  name: storable.min(1).max(nameCharsMax),
  enabled: z.boolean(),
  if: z.strictObject({ all: z.array(Condition).min(1).max(ruleConditionsMax) }),
  set: z
    .strictObject({
      type: storable.min(1).max(valueCharsMax).optional(),
      collections: z.array(CollectionTitle).max(ruleCollectionsMax).optional(),
      tags: z.array(ListEntry).max(ruleTagsMax).optional(),
    })
    .refine(
      ({ type, collections = [], tags = [] }) =>
        type !== undefined || collections.length > 0 || tags.length > 0,
      'Set a type, a collection or a tag.',
    ),
  only: z.enum(ruleModes),
});
export type CategoryRule = z.infer<typeof CategoryRule>;

/** All rules, in order. The first matching rule with a type sets the type of a product. */
export const CategoryRules = z
  .array(CategoryRule)
  .max(rulesMax)
  .refine((rules) => new Set(rules.map(({ id }) => id)).size === rules.length, 'Two rules have the same id.');
