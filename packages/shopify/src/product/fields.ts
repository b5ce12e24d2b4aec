import type {
  DraftProduct,
  DraftVariant,
  SilentProductField,
  SilentVariantField,
} from '@draftshelf/domain/products/draft-product';
import type { UndoPart } from '@draftshelf/domain/push/push-undo';
import { z } from 'zod';
import { type Field, type InputValues, type IntendedValues, type LiveValues, toFieldList } from './field.ts';

const text = (value: string | null | undefined) => value ?? '';
const yesOrNo = (value: boolean | undefined) => (value === undefined ? '' : value ? 'yes' : 'no');

/** Returns an amount in the store's format: 9 and 9.5 become 9.00 and 9.50. */
function amount(value: string | null | undefined): string {
  const [, whole, cents = ''] = /^(\d+)(?:\.(\d*?)0*)?$/.exec(value ?? '') ?? [];
  return whole === undefined ? (value ?? '') : `${whole}.${cents.padEnd(2, '0')}`;
}

const statuses = { active: 'ACTIVE', archived: 'ARCHIVED', draft: 'DRAFT' } as const;

type ProductField<Live, Said> = Field<DraftProduct, SilentProductField, Live, Said> & {
  name: UndoPart;
  /** For products of others: 'fill' sends the field only if the product has no value. Absent: always sent. */
  takeOver?: 'fill';
  /** Whether the store sets its own value if we send none. */
  fills?: boolean;
  /** Whether the store may rewrite the values that we send. */
  rewrites?: boolean;
  /** Publishing is up to the merchant, so a changed value in the store raises no question. */
  isMerchants?: true;
};
const productField = <const One extends object, Said extends string>(
  field: One & Omit<ProductField<string, Said>, 'reply' | 'text'> & { reply?: z.ZodType<string> },
) => ({ reply: z.string(), text, ...field }) as One & { reply: z.ZodType<string>; text: typeof text };

/** A text that every product and draft has. */
const requiredText = <const Name extends UndoPart>(
  name: Name,
  draft: 'title' | 'body_html' | 'vendor' | 'product_type',
) =>
  productField({
    ...{ name, draft },
    said: (product) => product[draft],
    toDraft: (live) => ({ [draft]: live }),
  });

/** A text that a product in the store may lack, and that a draft has only if it is not empty. */
const optionalText = <
  const Name extends 'seo_title' | 'seo_description',
  const Place extends string,
  const Part extends UndoPart,
>(
  draft: Name,
  at: Place,
  name: Part,
) => ({
  ...{ name, at, draft, text, takeOver: 'fill' as const, isLater: true as const },
  reply: z.string().nullable(),
  said: (product: DraftProduct): string => product[draft] ?? '',
  toDraft: (live: string | null): Partial<DraftProduct> => (live ? { [draft]: live } : {}),
  again: (live: string | null): string => text(live),
});

type LiveCategory = { id: string; fullName: string };

/** The fields of a product with one value, by their names in the store. */
export const productFields = {
  title: requiredText('title', 'title'),
  descriptionHtml: { ...requiredText('description', 'body_html'), rewrites: true },
  vendor: { ...requiredText('vendor', 'vendor'), fills: true },
  productType: requiredText('type', 'product_type'),
  status: productField({
    name: 'status',
    said: ({ status }) => statuses[status],
    toDraft: (live) => {
      const status = live === 'ACTIVE' ? 'active' : live === 'ARCHIVED' ? 'archived' : 'draft';
      return { status, published: status === 'active' };
    },
    isMerchants: true,
  }),
  seoTitle: optionalText('seo_title', 'seo.title', 'search title'),
  seoDescription: optionalText('seo_description', 'seo.description', 'search description'),
  category: {
    name: 'category',
    isLater: true,
    ...{ draft: 'category', takeOver: 'fill' },
    select: 'id fullName',
    reply: z.object({ id: z.string(), fullName: z.string() }).nullable(),
    said: ({ category }: DraftProduct): LiveCategory | null =>
      category ? { id: category.id, fullName: category.name } : null,
    toDraft: (live: LiveCategory | null): Partial<DraftProduct> =>
      live ? { category: { id: live.id, name: live.fullName } } : {},
    input: (category: LiveCategory | null): string | null => category?.id ?? null,
    text: (category: LiveCategory | null | undefined) => category?.fullName ?? '',
    // Compared by id, because a file may lack the name and the store may use another name.
    identity: (category: LiveCategory | null | undefined) => category?.id ?? '',
  },
} as const;

/** Returns whether the store has our value, ignoring outer white space, or may set its own because we sent none. */
export const hasSentValue = (
  { key, text: textOf, identity = textOf, fills }: (typeof productFieldList)[number],
  live: LiveProductFields,
  sent: LiveProductFields,
): boolean => (fills && sent[key] === '') || identity(live[key]).trim() === identity(sent[key]).trim();

type VariantField<Live, Said> = Field<DraftVariant, SilentVariantField, Live, Said> & {
  /** For products of others: 'leave' never sends the field, 'fill' sends it to an empty field. Absent: always sent. */
  takeOver?: 'leave' | 'fill';
  /** The name of the field with which this field is compared as a unit. */
  isOneWith?: string;
};
const variantField =
  <Live, Said = Live>() =>
  <const One extends object>(field: One & VariantField<Live, Said>): One =>
    field;

const weightUnits = { lb: 'POUNDS', kg: 'KILOGRAMS', oz: 'OUNCES', g: 'GRAMS' } as const;
const draftUnits: Record<string, DraftVariant['weight_unit']> = Object.fromEntries(
  Object.entries(weightUnits).map(([unit, inStore]) => [inStore, unit as keyof typeof weightUnits]),
);
type Weight = { value: number; unit: (typeof weightUnits)[keyof typeof weightUnits] };
type LiveWeight = { value: number; unit: string };

/** A code that a draft has only if it is not empty. */
const optionalCode = <
  const Name extends 'harmonized_system_code' | 'country_code_of_origin',
  const Place extends string,
>(
  draft: Name,
  name: string,
  at: Place,
) =>
  variantField<string | null>()({
    ...{ name, at, draft, text, takeOver: 'fill' as const, isLater: true as const },
    reply: z.string().nullable(),
    said: (variant: DraftVariant): string | null => variant[draft] ?? null,
    toDraft: (live: string | null): Partial<DraftVariant> => (live ? { [draft]: live } : {}),
  });

/** The fields of a variant with one value, except its quantity, by their names in the store. */
export const variantFields = {
  price: variantField<string>()({
    name: 'price',
    reply: z.string(),
    draft: 'price',
    said: ({ price }) => price,
    toDraft: (price) => ({ price }),
    text: amount,
    proves: true,
  }),
  compareAtPrice: variantField<string | null>()({
    name: 'compare-at price',
    reply: z.string().nullable(),
    draft: 'compare_at_price',
    said: ({ compare_at_price }) => compare_at_price || null,
    toDraft: (compare_at_price) => ({ compare_at_price }),
    text: amount,
    proves: true,
    isOneWith: 'price',
  }),
  cost: variantField<string | null>()({
    name: 'cost',
    at: 'inventoryItem.cost',
    readAt: 'inventoryItem.unitCost.amount',
    reply: z.string().nullable(),
    draft: 'cost',
    said: ({ cost }) => cost || null,
    toDraft: (cost) => ({ cost }),
    text: amount,
  }),
  sku: variantField<string | null, string>()({
    name: 'SKU',
    reply: z.string().nullable(),
    draft: 'sku',
    said: ({ sku }) => sku,
    toDraft: (sku) => ({ sku: sku ?? '' }),
    again: text,
    text,
    proves: true,
    takeOver: 'fill',
  }),
  barcode: variantField<string | null>()({
    name: 'UPC',
    reply: z.string().nullable(),
    draft: 'barcode',
    said: ({ barcode }) => barcode || null,
    toDraft: (barcode) => ({ barcode: barcode ?? '' }),
    again: (barcode) => barcode || null,
    text,
    proves: true,
    takeOver: 'fill',
  }),
  inventoryPolicy: variantField<string, 'CONTINUE' | 'DENY'>()({
    name: 'sell when out of stock',
    reply: z.string(),
    draft: 'inventory_policy',
    said: ({ inventory_policy }) => (inventory_policy === 'continue' ? 'CONTINUE' : 'DENY'),
    toDraft: (policy) => ({ inventory_policy: policy === 'CONTINUE' ? 'continue' : 'deny' }),
    again: (policy) => (policy === 'CONTINUE' ? policy : 'DENY'),
    text: (policy) => yesOrNo(policy === undefined ? policy : policy === 'CONTINUE'),
    takeOver: 'leave',
  }),
  tracked: variantField<boolean>()({
    name: 'tracked',
    at: 'inventoryItem.tracked',
    reply: z.boolean(),
    draft: 'inventory_management',
    said: ({ inventory_management }) => inventory_management === 'shopify',
    toDraft: (tracked) => ({ inventory_management: tracked ? 'shopify' : null }),
    text: yesOrNo,
    takeOver: 'leave',
  }),
  harmonizedSystemCode: optionalCode(
    'harmonized_system_code',
    'HS code',
    'inventoryItem.harmonizedSystemCode',
  ),
  countryCodeOfOrigin: optionalCode(
    'country_code_of_origin',
    'country of origin',
    'inventoryItem.countryCodeOfOrigin',
  ),
  weight: variantField<LiveWeight | null, Weight | null>()({
    name: 'weight',
    at: 'inventoryItem.measurement.weight',
    select: 'value unit',
    reply: z.object({ value: z.number(), unit: z.string() }).nullable(),
    isLater: true,
    draft: 'weight',
    said: ({ weight, weight_unit: unit }) =>
      weight === undefined || unit === undefined ? null : { value: weight, unit: weightUnits[unit] },
    toDraft: (weight) => {
      const unit = weight && draftUnits[weight.unit];
      return unit ? { weight: weight.value, weight_unit: unit } : {};
    },
    again: (weight) => weight as Weight | null,
    // The store uses 0 for an unknown weight.
    input: (weight, before) => weight ?? (before ? { ...before, value: 0 } : undefined),
    text: (weight) => (weight?.value ? `${weight.value} ${weight.unit.toLowerCase()}` : ''),
  }),
};

export type LiveProductFields = LiveValues<typeof productFields>;
export type LiveVariantFields = LiveValues<typeof variantFields>;
export type IntendedProductFields = IntendedValues<typeof productFields>;
export type IntendedVariantFields = IntendedValues<typeof variantFields>;

export type ProductInputFields = InputValues<typeof productFields>;
export type VariantInputFields = InputValues<typeof variantFields>;

export const productFieldList = toFieldList<ProductField<unknown, unknown>, keyof typeof productFields>(
  productFields,
);
export const variantFieldList = toFieldList<VariantField<unknown, unknown>, keyof typeof variantFields>(
  variantFields,
);
