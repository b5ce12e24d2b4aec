import { type CanonicalField, fieldSpecs } from './canonical-fields.ts';

type FieldLook = {
  /** Its name in the head of a table, where that is shorter than its label. */
  head?: string;
  /** Its name in the product's dialog, where the specification has another than the label. */
  dialog?: string;
  /** A value and several on a button, as in 'Clear 12 Prices'. Other fields are counted as values. */
  nouns?: readonly [one: string, many: string];
  /** The keyboard of a phone; a text's if absent. */
  keyboard?: 'decimal' | 'numeric';
  /** Its values are numbers, which stand at the right. */
  isNumber?: true;
  /**
   * Its column in the table of rows, where it can be edited in place. `rem`: the width, by the longest values of most
   * files; null takes what the others leave. `use`: columns with a smaller one get room first.
   */
  column?: { rem: number | null; use: number };
};

/** How fields look on screens; those with a column come first, in the order of the table. */
const looks = {
  title: { nouns: ['Title', 'Titles'], column: { rem: null, use: 0 } },
  price: {
    nouns: ['Price', 'Prices'],
    keyboard: 'decimal',
    isNumber: true,
    column: { rem: 7, use: 0 },
  },
  compareAtPrice: {
    head: 'Compare-at',
    nouns: ['Compare-at Price', 'Compare-at Prices'],
    keyboard: 'decimal',
    isNumber: true,
    column: { rem: 7, use: 7 },
  },
  cost: { nouns: ['Cost', 'Costs'], keyboard: 'decimal', isNumber: true, column: { rem: 7, use: 9 } },
  vendor: { nouns: ['Brand', 'Brands'], column: { rem: 8.25, use: 5 } },
  type: { nouns: ['Type', 'Types'], column: { rem: 8.25, use: 8 } },
  sku: { nouns: ['SKU', 'SKUs'], column: { rem: 8.25, use: 6 } },
  upc: { nouns: ['UPC', 'UPCs'], keyboard: 'numeric', column: { rem: 8.25, use: 3 } },
  quantity: {
    head: 'Qty',
    nouns: ['Quantity', 'Quantities'],
    keyboard: 'numeric',
    isNumber: true,
    column: { rem: 5.25, use: 2 },
  },
  weight: { nouns: ['Weight', 'Weights'] },
  description: { nouns: ['Description', 'Descriptions'] },
  status: { dialog: 'Product status', nouns: ['Status', 'Statuses'] },
  image: { dialog: 'Product image' },
  itemNumber: { dialog: 'Item #' },
  collections: { dialog: 'Collection' },
} as const satisfies Partial<Record<CanonicalField, FieldLook>>;

/** The fields that are edited in place, which are columns of the table of rows. */
export type InlineField = {
  [F in keyof typeof looks]: (typeof looks)[F] extends { column: object } ? F : never;
}[keyof typeof looks];

/** How a field looks; empty where nothing differs from a plain text. */
export const lookOf = (field: string): FieldLook =>
  Object.hasOwn(looks, field) ? looks[field as keyof typeof looks] : {};

/** The fields that are edited in place, in the order of the table's columns. */
export const inlineFields = Object.keys(looks).filter(
  (field): field is InlineField => lookOf(field).column !== undefined,
);

/** A field's name in the head of a table. */
export const headName = (field: CanonicalField): string => lookOf(field).head ?? fieldSpecs[field].label;

/** A field's name in the product's dialog. */
export const dialogName = (field: CanonicalField): string => lookOf(field).dialog ?? fieldSpecs[field].label;
