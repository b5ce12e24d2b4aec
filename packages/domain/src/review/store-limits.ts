import {
  type CanonicalField,
  decapitalize,
  optionValueFields,
  type RowValues,
} from '../base/canonical-fields.ts';
import { barcodeOf } from '../base/gtin.ts';
import { splitEntries } from '../base/text-list.ts';
import type { DraftProduct } from '../products/draft-product.ts';
import { type IssueCode, issueField } from './issues.ts';

/**
 * Longest text that Shopify accepts, in characters. We count UTF-16 units, of which a character has one or two, so an
 * accepted text is never too long.
 */
export const storeTextCharsMax = 255;

export const isTooLong = (text: string | undefined): boolean =>
  text !== undefined && text.length > storeTextCharsMax;

const tooLongOption = (values: RowValues) => optionValueFields.find((field) => isTooLong(values[field]));

type TextLimit = {
  fields: readonly CanonicalField[];
  /** The beginning of a sentence about a row. */
  subject: string;
  /** The name of the text in sentences about a product. Absent if it is the same as `subject`. */
  name?: string;
  /** `title`: the title of the row or its product. Without `isOver`, a row is over the limit if one of `fields` is. */
  isOver?: (values: RowValues, title: string | undefined) => boolean;
  textsOf: (draft: DraftProduct) => readonly string[];
};

/**
 * Texts that the store limits. A push skips a product with a longer text, because we never truncate. The store
 * simulator has its own copy of these limits, and a test compares both.
 */
const textLimits = {
  'title-too-long': {
    fields: ['title'],
    subject: 'Title',
    isOver: (_values, title) => isTooLong(title),
    textsOf: ({ title }) => [title],
  },
  'brand-too-long': {
    fields: ['vendor'],
    subject: 'Brand',
    textsOf: ({ vendor }) => [vendor],
  },
  'type-too-long': {
    fields: ['type'],
    subject: 'Type',
    textsOf: ({ product_type }) => [product_type],
  },
  'tag-too-long': {
    fields: ['tags'],
    subject: 'A tag',
    name: 'tags',
    isOver: ({ tags }) => isTooLong(tags) && splitEntries(tags).some(isTooLong),
    textsOf: ({ tags }) => tags.split(', '),
  },
  'sku-too-long': {
    fields: ['sku', 'itemNumber'],
    subject: 'SKU',
    isOver: ({ sku, itemNumber }) => isTooLong(sku || itemNumber),
    textsOf: ({ variants }) => variants.map(({ sku }) => sku),
  },
  'upc-too-long': {
    fields: ['upc'],
    subject: 'UPC',
    isOver: ({ upc }) => isTooLong(upc) && isTooLong(barcodeOf(upc)),
    textsOf: ({ variants }) => variants.map(({ barcode }) => barcode),
  },
  'option-too-long': {
    fields: optionValueFields,
    subject: 'An option value',
    name: 'options',
    textsOf: ({ options = [] }) => options.flatMap(({ values }) => values),
  },
} as const satisfies Record<string, TextLimit>;

type TextLimitCode = keyof typeof textLimits;
type LimitCode = TextLimitCode | 'too-many-tags';

const limits = Object.entries<TextLimit>(textLimits) as [TextLimitCode, TextLimit][];

const isOver = ({ fields, isOver: is }: TextLimit, values: RowValues, title: string | undefined): boolean =>
  is ? is(values, title) : fields.some((field) => isTooLong(values[field]));

/** Largest description that Shopify accepts, in bytes of UTF-8. A cell may be twice as large. */
const descriptionBytesMax = 512 * 1024;

/** Returns whether a description is over the limit. Encodes only long texts: a UTF-16 unit has at most three bytes. */
function isTooLarge(description: string): boolean {
  if (description.length * 3 <= descriptionBytesMax) return false;
  return new TextEncoder().encode(description).length > descriptionBytesMax;
}

export const tagsMax = 250;

export const tagLimitName = `Shopify’s limit of ${tagsMax} tags`;

/** Issues of rows whose product the store would refuse although it has a title and a price. */
export const storeRefusals: readonly LimitCode[] = [...limits.map(([code]) => code), 'too-many-tags'];

export const limitedFields = limits.flatMap(([, { fields }]) => fields);

export const textLimitName = `Shopify’s ${storeTextCharsMax}-character limit`;

/** Sentences about rows with a text over its limit, by issue. */
export const tooLongTexts = Object.fromEntries(
  limits.map(([code, { subject }]) => [code, `${subject} is longer than ${textLimitName}.`]),
) as Record<TextLimitCode, string>;

/** Returns the field of a row's issue. If options are too long, returns the first of these options. */
export const issueFieldInRow = (code: IssueCode, values: RowValues): CanonicalField | null =>
  (code === 'option-too-long' ? tooLongOption(values) : undefined) ?? issueField(code);

const none: readonly LimitCode[] = [];

/** Returns the limits that a row is over. `title`: the title of the row or its product. */
export function findExceededLimits(values: RowValues, title: string | undefined): readonly LimitCode[] {
  if (!isTooLong(title) && !hasLongValue(values)) return none;
  const texts: LimitCode[] = limits.filter(([, one]) => isOver(one, values, title)).map(([code]) => code);
  // A row with more than `tagsMax` tags has a long text, so the check above does not skip the row.
  return splitEntries(values.tags).length > tagsMax ? [...texts, 'too-many-tags'] : texts;
}

/** Returns whether a value may be over a limit. Runs for every row: checking each limit takes four times as long. */
function hasLongValue(values: RowValues): boolean {
  for (const field in values) if (isTooLong(values[field as CanonicalField])) return true;
  return false;
}

/** Returns a sentence without its full stop if the store would refuse a product, else null. */
export function refusalOf(draft: DraftProduct): string | null {
  const tooLong = tooLongInDraft(draft);
  const reasons = [
    ...(tooLong.length > 0 ? [`Over ${textLimitName}: ${tooLong.join(', ')}`] : []),
    ...(isTooLarge(draft.body_html) ? ['Over Shopify’s limit of 512 KB: description'] : []),
    ...(draft.tags.split(', ').length > tagsMax ? [`Over ${tagLimitName}`] : []),
  ];
  return reasons.length > 0 ? reasons.join('. ') : null;
}

const tooLongInDraft = (draft: DraftProduct): string[] =>
  limits
    .filter(([, { textsOf }]) => textsOf(draft).some(isTooLong))
    .map(([, { subject, name = decapitalize(subject) }]) => name);

/** Returns whether the store accepts an image address. The store downloads only http and https. */
export const isImageAddress = (src: string): boolean => /^https?:\/\//i.test(src);
