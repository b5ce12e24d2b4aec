import { type CanonicalField, canonicalFields, labelOf } from './canonical-fields.ts';
import type { MetafieldField } from './metafields.ts';

type FieldLook = {
  /** The heading of the field's column, if it is shorter than the field's label. */
  head?: string;
  keyboard?: 'decimal' | 'numeric';
  /** The values are numbers, which are aligned right. */
  isNumber?: true;
  /** The values have several lines. Such a field is edited in the product's dialog, and rows cannot be sorted by it. */
  isLong?: true;
  /** Column width in rem that fits most files. Absent: the usual width. Null: the remaining width. */
  rem?: number | null;
  /** Rank of a column that is shown by default: lower ranks get room first. Absent for other columns. */
  use?: number;
};

/** Display settings of fields, in the table's order. Fields that are shown by default come first. */
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

/** Canonical fields that may be columns of the table of rows. The image is left out, because it is not text. */
export type CanonicalInlineField = Exclude<CanonicalField, 'image'>;
/** Fields that may be columns of the table of rows. Most are edited in place. */
export type InlineField = CanonicalInlineField | MetafieldField;

/** Returns the display settings of a field: an empty object for plain text. */
export const displayOf = (field: string): FieldLook =>
  Object.hasOwn(looks, field) ? looks[field as keyof typeof looks] : {};

/** All canonical fields that can be columns, in the table's usual order. */
export const inlineFields = [
  ...new Set([...(Object.keys(looks) as (keyof typeof looks)[]), ...canonicalFields]),
].filter((field): field is CanonicalInlineField => field !== 'image');

/** Fields that are shown by default. */
export const fieldsShownByDefault = inlineFields.filter((field) => displayOf(field).use !== undefined);

/** Fields that rows can be sorted by. */
export const sortFields = inlineFields.filter((field) => !displayOf(field).isLong);
export const isSortField = (field: string): field is CanonicalInlineField =>
  (sortFields as readonly string[]).includes(field);

/** Returns a field's name in the head of a table. */
export const columnHeading = (field: InlineField): string => displayOf(field).head ?? labelOf(field);
