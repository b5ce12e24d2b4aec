import { type CanonicalField, canonicalFields, labelOf } from './canonical-fields.ts';
import type { MetafieldField } from './metafields.ts';

type FieldLook = {
  /** Its name in the head of a table, where that is shorter than its label. */
  head?: string;
  keyboard?: 'decimal' | 'numeric';
  /** Its values are numbers, which stand at the right. */
  isNumber?: true;
  /** Its values have several lines: they are edited in the product's dialog, and nothing is sorted by them. */
  isLong?: true;
  /** The width of its column where it is not the usual one, by the longest values of most files; null: what is left. */
  rem?: number | null;
  /** Rank of a column shown by default: lower numbers get room first. */
  use?: number;
};

/** Looks of fields on screens. Fields that are shown without being chosen come first, in the order of the table. */
const looks = {
  title: { rem: null, use: 0 },
  price: { keyboard: 'decimal', isNumber: true, use: 0 },
  compareAtPrice: { head: 'Compare-at', keyboard: 'decimal', isNumber: true, use: 7 },
  cost: { keyboard: 'decimal', isNumber: true, use: 9 },
  vendor: { use: 5 },
  type: { use: 8 },
  sku: { use: 6 },
  upc: { keyboard: 'numeric', use: 3 },
  quantity: { head: 'Qty', keyboard: 'numeric', isNumber: true, rem: 5.25, use: 2 },
  description: { isLong: true, rem: 18 },
  moreImages: { isLong: true },
} as const satisfies Partial<Record<CanonicalField, FieldLook>>;

/** The fields of ours that may be columns of the table of rows. A picture is not a text. */
export type OwnInlineField = Exclude<CanonicalField, 'image'>;
/** The fields that may be columns of the table of rows, where most are edited in place. */
export type InlineField = OwnInlineField | MetafieldField;

/** The look of a field; empty if it is a plain text. */
export const lookOf = (field: string): FieldLook =>
  Object.hasOwn(looks, field) ? looks[field as keyof typeof looks] : {};

/** All fields of ours that can be columns, in the table's usual order. */
export const inlineFields = [
  ...new Set([...(Object.keys(looks) as (keyof typeof looks)[]), ...canonicalFields]),
].filter((field): field is OwnInlineField => field !== 'image');

/** The fields that are shown without being chosen. */
export const usualFields = inlineFields.filter((field) => lookOf(field).use !== undefined);

/** The fields that rows are sorted by. */
export const sortFields = inlineFields.filter((field) => !lookOf(field).isLong);
export const isSortField = (field: string): field is OwnInlineField =>
  (sortFields as readonly string[]).includes(field);

/** A field's name in the head of a table. */
export const headName = (field: InlineField): string => lookOf(field).head ?? labelOf(field);
