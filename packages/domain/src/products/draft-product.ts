import type { RowValues } from '../base/canonical-fields.ts';
import { toCountryCode } from '../base/countries.ts';
import { choiceReaders, type ProductStatus, untrackedIfNew } from '../base/field-choices.ts';
import { barcodeOf } from '../base/gtin.ts';
import { readMetafieldValue } from '../base/metafield-values.ts';
import { fieldOfMetafield, type MappedMetafield } from '../base/metafields.ts';
import { parseMoney } from '../base/money.ts';
import { isAvailableWord, quantityToSend } from '../base/quantity.ts';
import { readSimpleValues, type SimpleValues } from '../base/simple-fields.ts';
import { splitEntries } from '../base/text-list.ts';
import { hasUnsentWeight, type WeightUnit, weightOf } from '../base/weight.ts';
import type { Category } from './categories.ts';
import { compareAtPriceOf, countCompareAtPieces } from './compare-at.ts';
import { mayBeTemplate } from './grouping.ts';
import { type Picture, picturesOf } from './images.ts';
import { type OptionFields, optionFieldsOf } from './option-values.ts';
import { findListedOption, hasOptionValue, type ProductOption, toVariantOptions } from './variant-options.ts';
import { listSentVariants, listVariantRows, moveParentFirst } from './variant-rows.ts';

/** Values that a variant may lack. */
type PartsOfVariant = OptionFields & SimpleValues<'variant'>;

export type DraftVariant = PartsOfVariant & {
  title: string;
  price: string;
  compare_at_price: string | null;
  cost: string | null;
  sku: string;
  barcode: string;
  inventory_quantity: number;
  /** In a sent draft: the file's quantity, which was not sent because the store's quantity no longer equaled `last`. */
  refused_quantity?: { quantity: number; last: number };
  inventory_management: 'shopify' | null;
  inventory_policy: 'deny' | 'continue';
  /** ISO code of two letters. */
  country_code_of_origin?: string;
  /** Both are set, or both are absent. */
  weight?: number;
  weight_unit?: WeightUnit;
};

/** Fields of a draft product that can be silent, because the file has no value for them. */
export type SilentProductField = Exclude<
  keyof DraftProduct,
  'status' | 'published' | 'published_scope' | 'variants' | 'metafields'
>;
export type SilentVariantField = Exclude<
  keyof DraftVariant,
  'title' | 'option1' | 'option2' | 'option3' | 'weight_unit' | 'refused_quantity'
>;

/**
 * The silent fields of a draft, for which neither the file nor the operator has a value. The draft's defaults for
 * these fields apply only to a new product. `variants`: by the index of the draft's variant. `metafields`: keys in our
 * namespace; other metafields without a value are silent unless they are in `emptied`. `status`: the status that a
 * person set. If `status` is null, a product in the store keeps its status.
 */
export type SilentFieldNames = {
  product: SilentProductField[];
  variants: SilentVariantField[][];
  metafields: string[];
  /** Names of the store's defined metafields that are to be emptied. */
  emptied: string[];
  status: ProductStatus | null;
};

/** `ofOurs`: for products that we wrote. `ofOthers`: for other products, which lose no values. */
export type SilentFields = { ofOurs: SilentFieldNames; ofOthers: SilentFieldNames };

/** Returns the refused quantity of a variant, to copy it to another draft of the variant. */
export const pickRefusedQuantity = ({
  refused_quantity,
}: Partial<DraftVariant> = {}): Pick<DraftVariant, 'refused_quantity'> =>
  refused_quantity === undefined ? {} : { refused_quantity };

/** The payload of a product for the store. */
export type DraftProduct = SimpleValues<'product'> & {
  title: string;
  body_html: string;
  vendor: string;
  product_type: string;
  status: ProductStatus;
  published: boolean;
  published_scope: 'web';
  variants: DraftVariant[];
  options?: ProductOption[];
  category?: Category;
  /** Joined with ', '. */
  tags: string;
  images: { src: string; alt?: string }[];
  metafields: { namespace: string; key: string; value: string; type: string }[];
  collections?: string[];
};

export type DraftOptions = {
  /** If true, the status is always draft, whatever the row's status is. */
  draftMode: boolean;
  importSource: string;
  /** The store's currency. Amounts are sent as they are in the file, without conversion. */
  currency: string;
  /** Product type for rows without one. Absent: 'Home Goods'. Empty: 'General'. */
  productType?: string;
  /** Whether the rows are from a list of prices and stock, which only updates products that the store already has. */
  isPartial?: boolean;
  /** The store's definitions of the metafields that the rows have values for. */
  metafields?: readonly MappedMetafield[];
};

/** Number of rows that are left out of the push, and addresses of pictures that only these rows have. */
export type LeftOutRows = { rows: number; images: string[] };

/**
 * `leftOut`: set only if rows are left out. `silent`: absent if the draft has all fields. `isPartial`: the product may
 * lack a title and prices, and updates variants that the store has.
 */
export type DraftResult =
  | { ok: true; product: DraftProduct; leftOut?: LeftOutRows; silent?: SilentFields; isPartial?: true }
  | {
      ok: false;
      reason: 'Missing required fields' | 'Left out of the push' | 'Unknown product';
      missing: string[];
    };

/**
 * Returns the product to create in the store from the rows of one group, in file order. Dry run and push both use it.
 * Product-level values are from the first row. Values are never truncated. If the title is missing, or a variant has
 * no numeric price, the result names the missing fields instead. In a list of prices and stock, only a price that is
 * not numeric counts as missing. `leftOut`: indexes of rows that are left out of the push. If all variants are left
 * out, `ok` is false.
 */
export function buildDraftProduct(
  rows: readonly RowValues[],
  options: DraftOptions,
  leftOut: readonly number[] = [],
): DraftResult {
  const product = buildUncheckedDraft(rows, options, leftOut);
  if (product.variants.length === 0) return { ok: false, reason: 'Left out of the push', missing: [] };
  const { isPartial = false } = options;
  const hasPrices = isPartial
    ? listSentVariants(rows, leftOut).every(({ price }) => !price || parseMoney(price) !== null)
    : product.variants.every(({ price }) => price !== '');
  const missing = [...(product.title === '' && !isPartial ? ['title'] : []), ...(hasPrices ? [] : ['price'])];
  if (missing.length > 0) return { ok: false, reason: 'Missing required fields', missing };
  const built = { ok: true, product, ...(isPartial ? { isPartial } : {}) } as const;
  if (leftOut.length === 0) return built;
  const sent = new Set(product.images.map(({ src }) => src));
  const images = imagesOf(rows, product.title).flatMap(({ src }) => (sent.has(src) ? [] : [src]));
  return { ...built, leftOut: { rows: leftOut.length, images } };
}

/** Whether the product of these rows can be sent: it has all required fields, and a variant that is not left out. */
export function isSendable(rows: readonly RowValues[], leftOut: readonly number[] = []): boolean {
  return buildDraftProduct(rows, { draftMode: true, importSource: '', currency: '' }, leftOut).ok;
}

/**
 * Returns the product even without required fields, which are then empty. Left-out rows still contribute options and
 * values, so that these stay the same if the operator includes such a row again.
 */
export function buildUncheckedDraft(
  given: readonly RowValues[],
  options: DraftOptions,
  leftOut: readonly number[] = [],
): DraftProduct {
  const left = new Set(leftOut.map((at) => given[at]));
  const rows = moveParentFirst(given);
  const first = rows[0] ?? {};
  const all = listVariantRows(rows);
  const variants = all.filter((row) => !left.has(row));
  const title = titleOf(rows);
  const ofAll = toVariantOptions(all, rows);
  const values = ofAll.values.filter((_, at) => !left.has(all[at]));
  const productOptions = ofAll.options.map(({ name }, option) => ({
    name,
    values: [...new Set(values.map((ofVariant) => ofVariant[option] ?? 'Default'))],
  }));
  const status = options.draftMode ? 'draft' : choiceReaders.status(first.status);
  const collections = splitEntries(first.collections);
  const upc = variants.map(({ upc }) => barcodeOf(upc)).find((barcode) => barcode !== '');
  return {
    title,
    body_html: asHtml(first.description ?? ''),
    vendor: first.vendor ?? '',
    product_type: productTypeOf(first.type, options),
    status,
    published: status === 'active',
    published_scope: 'web',
    variants: variants.map((row, at) => draftVariant(row, values[at] ?? [], findTemplatePrice(rows))),
    ...(productOptions.length > 0 ? { options: productOptions } : {}),
    tags: normalizeTags(first.tags),
    images: imagesOf(
      rows.filter((row, at) => at === 0 || !left.has(row)),
      title,
    ),
    ...readSimpleValues('product', first),
    metafields: [
      ...buildOwnMetafields(options, upc),
      ...furtherMetafields(first),
      ...storeMetafields(first, options.metafields),
    ],
    ...(collections.length > 0 ? { collections } : {}),
  };
}

/** Returns the title of a product: the first title in its rows, or ''. */
export const titleOf = (rows: readonly RowValues[]): string =>
  rows.find((row) => row.title?.trim())?.title?.trim() ?? '';

/** Returns the name of a row for screens: its title, else a key, else null. */
export const nameOfRow = ({ title, sku, upc, handle }: RowValues): string | null =>
  title || sku || upc || handle || null;

/** Returns each picture once. A photo of our own gets the title as its alternative text. */
function imagesOf(rows: readonly RowValues[], title: string): DraftProduct['images'] {
  const pictures = new Map(
    rows.flatMap(picturesOf).map((picture): [string, Picture] => [picture.src, picture]),
  );
  return [...pictures.values()].map(({ kind, src }) =>
    kind === 'own' && title !== '' ? { src, alt: title } : { src },
  );
}

/** Returns a product's own type, or the default type if it has none. */
export function productTypeOf(type: string | undefined, options: Pick<DraftOptions, 'productType'>): string {
  return type || (options.productType ?? 'Home Goods').trim() || 'General';
}

/** Returns the tags of a cell in the form of the payload: each tag once, joined with ', '. */
export function normalizeTags(text: string | undefined): string {
  return splitEntries(text).join(', ');
}

/** Returns the metafields that every draft has: the import's source, and the UPC if there is one. */
export function buildOwnMetafields(
  { importSource }: Pick<DraftOptions, 'importSource'>,
  upc: string | undefined,
): DraftProduct['metafields'] {
  return [metafield('import_source', importSource), ...(upc ? [metafield('upc', upc)] : [])];
}

/** Returns the template's price, which variants without a price get, or undefined if there is no template. */
export const findTemplatePrice = ([first = {}, ...others]: readonly RowValues[]): string | undefined =>
  mayBeTemplate(first) && others.some(hasOptionValue) ? first.price : undefined;

function draftVariant(
  row: RowValues,
  values: readonly string[],
  ofTemplate: string | undefined,
): DraftVariant {
  const price = parseMoney(row.price ?? ofTemplate ?? '')?.amount ?? '';
  const quantity = quantityToSend(row.quantity);
  const weight = weightOf(row);
  const country = toCountryCode(row.origin);
  return {
    title: values.length > 0 ? values.join(' / ') : 'Default Title',
    price,
    compare_at_price: compareAtPriceOf(row, price),
    cost: parseMoney(row.cost ?? '')?.amount ?? null,
    sku: findListedOption(row) === null ? row.sku || row.itemNumber || '' : '',
    barcode: barcodeOf(row.upc),
    inventory_quantity: quantity,
    inventory_management: isQuantityTracked(row) ? 'shopify' : null,
    inventory_policy: choiceReaders.continueSelling(row.continueSelling),
    ...optionFieldsOf(values),
    ...readSimpleValues('variant', row),
    ...(country !== null && { country_code_of_origin: country }),
    ...(weight ? { weight: weight.value, weight_unit: weight.unit } : {}),
  };
}

/** Whether the quantity is tracked. 'in stock' without a number is not tracked: a tracked 0 would be sold out. */
export const isQuantityTracked = ({ trackQuantity, quantity }: RowValues): boolean =>
  choiceReaders.trackQuantity(trackQuantity) !== 'none' &&
  trackQuantity !== untrackedIfNew &&
  (trackQuantity !== undefined || !isAvailableWord(quantity));

const noUnit =
  'Not sent: it needs a number and a unit, as in “1.5 kg”. To set the weight unit of many rows, use Change Rows.';

/** Returns sentences about a row's amounts that are not sent, by field. */
export function explainUnsentAmounts(row: RowValues): {
  compareAtPrice?: string;
  cost?: string;
  weight?: string;
} {
  const noAmount = 'Not sent: this isn’t an amount.';
  const compareAt = parseMoney(row.compareAtPrice ?? '')?.amount;
  const pieces = compareAt
    ? countCompareAtPieces(row, compareAt, parseMoney(row.price ?? '')?.amount ?? '')
    : 1;
  const unsent: ReturnType<typeof explainUnsentAmounts> = {};
  if (row.compareAtPrice && !compareAt) unsent.compareAtPrice = noAmount;
  else if (compareAt && Number(compareAt) === 0) unsent.compareAtPrice = 'Not sent: 0 means no value.';
  else if (pieces > 1) unsent.compareAtPrice = `Not sent: this is the price of all ${pieces} pieces.`;
  if (row.cost && !parseMoney(row.cost)) unsent.cost = noAmount;
  if (hasUnsentWeight(row)) unsent.weight = noUnit;
  return unsent;
}

/**
 * Returns a description as HTML. Text with a tag is returned unchanged. Text with an entity ('Salt &amp; pepper') is
 * already encoded: encoding it again would show '&amp;', so its characters are kept. Other text is plain, and is
 * escaped. In text without a tag, line breaks become <br>.
 */
function asHtml(text: string): string {
  if (hasTag(text)) return text;
  const encoded = entity.test(text) ? text : escapeHtml(text);
  return encoded.replace(/\r\n?|\n/g, '<br>\n');
}

/** A named entity of at least two letters (so 'R&D;' is not one) or a numeric entity. */
const entity = /&(?:[a-z][a-z0-9]{1,31}|#\d{1,7}|#x[0-9a-f]{1,6});/i;

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Whether a text has a tag. If so, a '>' follows the first '<' that has a letter after it, so one search is enough. */
function hasTag(text: string): boolean {
  const opens = text.search(/<[a-z!/]/i);
  return opens >= 0 && text.includes('>', opens + 2);
}

/** Returns metafields for a row's values that Shopify has no field for. */
function furtherMetafields(first: RowValues): DraftProduct['metafields'] {
  const { tcin, origin, pointOfSale, dimensions } = first;
  const values = { tcin, origin, point_of_sale: pointOfSale, dimensions };
  return Object.entries(values).flatMap(([key, value]) => {
    // The metafield's type allows only a single line.
    const line = (value ?? '').replace(/\s+/g, ' ').trim();
    return line === '' ? [] : [metafield(key, line)];
  });
}

/** Returns the metafields whose values fit the types of their definitions. */
const storeMetafields = (
  first: RowValues,
  definitions: readonly MappedMetafield[] = [],
): DraftProduct['metafields'] =>
  definitions.flatMap((definition) => {
    const { namespace, key, type } = definition;
    const text = first[fieldOfMetafield(definition)];
    const read = text ? readMetafieldValue(text, definition) : null;
    return read && 'value' in read ? [{ namespace, key, value: read.value, type }] : [];
  });

function metafield(key: string, value: string): DraftProduct['metafields'][number] {
  return { namespace: 'scd', key, value, type: 'single_line_text_field' };
}
