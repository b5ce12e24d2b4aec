import { isMetafieldField, type MetafieldField } from './metafields.ts';
import { listSimpleFields, simpleFields } from './simple-fields.ts';

/** `rowKeys`: the field's names in API rows and in headers of files. The first name with a value in a row is used. */
type CatalogEntry = { label: string; rowKeys?: readonly string[] };

/**
 * The fields that a column can be mapped to, in the order of `canonicalFields`. The first eight are the core fields,
 * which the preview shows. The other fields are sent to the store, group rows or appear in API rows.
 */
const catalog = {
  title: { label: 'Title', rowKeys: ['Shopify Title', 'Item Description'] },
  price: { label: 'Price', rowKeys: ['Shopify Price', 'SCD Sale Price', 'Unit Retail'] },
  sku: { label: 'SKU' },
  upc: { label: 'UPC', rowKeys: ['Shopify UPC', 'UPC'] },
  description: { label: 'Description', rowKeys: ['Enhanced Description', 'Description'] },
  vendor: { label: 'Brand', rowKeys: ['Shopify Brand', 'UPC Brand', 'Brand', 'Vendor'] },
  quantity: { label: 'Quantity', rowKeys: ['Qty'] },
  type: { label: 'Type', rowKeys: ['Category', 'Subcategory', 'Product Class'] },
  compareAtPrice: {
    label: 'Compare-at price',
    rowKeys: ['Shopify Compare Price', 'Compare Price', 'Compared Price', 'Ext. Retail'],
  },
  cost: { label: 'Cost', rowKeys: ['Shopify Cost', 'Cost', 'Cost Per Landed', 'Landed Cost'] },
  image: { label: 'Image', rowKeys: ['Product Image'] },
  tags: { label: 'Tags', rowKeys: ['Tags'] },
  collections: { label: 'Collections', rowKeys: ['Collections'] },
  status: { label: 'Status', rowKeys: ['Product Status', 'Status'] },
  itemNumber: { label: 'Item number', rowKeys: ['Item #'] },
  tcin: { label: 'TCIN', rowKeys: ['TCIN'] },
  origin: { label: 'Origin', rowKeys: ['Origin'] },
  pointOfSale: { label: 'Point of sale', rowKeys: ['Point of Sale'] },
  trackQuantity: { label: 'Track quantity', rowKeys: ['Track Quantity'] },
  continueSelling: { label: 'Continue selling', rowKeys: ['Continue Selling'] },
  currency: { label: 'Currency' },
  weight: { label: 'Weight' },
  weightUnit: { label: 'Weight unit' },
  handle: { label: 'Handle' },
  parentSku: { label: 'Parent SKU' },
  option1Name: { label: 'Option 1 name' },
  option1Value: { label: 'Option 1 value' },
  option2Name: { label: 'Option 2 name' },
  option2Value: { label: 'Option 2 value' },
  option3Name: { label: 'Option 3 name' },
  option3Value: { label: 'Option 3 value' },
  moreImages: { label: 'Further images' },
  dimensions: { label: 'Dimensions' },
  category: { label: 'Category' },
  ...simpleFields,
} as const satisfies Record<string, CatalogEntry>;
export type CanonicalField = keyof typeof catalog;
/** A canonical field or a metafield of the store. A column can be mapped to either. */
export type RowField = CanonicalField | MetafieldField;

export const canonicalFields = Object.keys(catalog) as [CanonicalField, ...CanonicalField[]];

/** The eight core fields. Header mapping assigns columns to them first. */
export const coreFields = canonicalFields.slice(0, 8);

/**
 * Fields with one value per product. The value comes from the product's first row, so an edit is stored with that row.
 */
export const productFields: ReadonlySet<CanonicalField> = new Set([
  'title',
  'description',
  'vendor',
  'type',
  'tags',
  'collections',
  'status',
  'category',
  ...listSimpleFields(({ of }) => of === 'product'),
]);

/** Whether a field has one value per product. True for every metafield. */
export const isProductField = (field: string): boolean =>
  field.startsWith('m:') || (productFields as ReadonlySet<string>).has(field);

/** Fields with amounts of money. */
export const moneyFields = ['price', 'compareAtPrice', 'cost'] as const satisfies readonly CanonicalField[];

/** Fields of a product's options. Shopify allows at most three options. */
export const optionFields = [
  { name: 'option1Name', value: 'option1Value' },
  { name: 'option2Name', value: 'option2Value' },
  { name: 'option3Name', value: 'option3Value' },
] as const satisfies readonly { name: CanonicalField; value: CanonicalField }[];
export const optionValueFields = optionFields.map(({ value }) => value);

/**
 * The values of one row by field. A field without a value is absent. `compareAtPieces`: number of pieces that the
 * compare-at price is for, stored if an edit of price or quantity would make this number unknown.
 */
export type RowValues = Partial<Record<CanonicalField | 'compareAtPieces', string>> &
  Record<MetafieldField, string>;

/** Values by canonical field and by metafield. A field without a value is absent. */
export type ValuesByField<Value> = Partial<Record<CanonicalField, Value>> & Record<MetafieldField, Value>;

type FieldSpec = Required<CatalogEntry> & { required: boolean };

/** Label and row keys of every field. Header names are in mapping/field-names.ts, because screens do not need them. */
export const fieldSpecs = Object.fromEntries(
  canonicalFields.map((field): [CanonicalField, FieldSpec] => {
    const { label, rowKeys = [] }: CatalogEntry = catalog[field];
    return [field, { label, required: field === 'title' || field === 'price', rowKeys }];
  }),
) as Record<CanonicalField, FieldSpec>;

/** Whether a text names a canonical field or a metafield. */
export const isRowField = (text: unknown): text is RowField =>
  typeof text === 'string' && (Object.hasOwn(catalog, text) || isMetafieldField(text));

/** Whether a product needs a field. Metafields are never required. */
export const isRequired = (field: RowField): boolean =>
  (fieldSpecs as Partial<Record<string, FieldSpec>>)[field]?.required === true;

/** Returns the label of a field. The label of a metafield is its key in words: 'Care instructions'. */
export function labelOf(field: RowField): string {
  if (!isMetafieldField(field)) return fieldSpecs[field].label;
  const words = field.slice(field.indexOf('.') + 1).replace(/[_-]+/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns a label as it is written within a sentence: 'compare-at price', 'SKU'. */
export const decapitalize = (label: string): string =>
  /^[A-Z]{2}/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1);

/** Returns a field's label as it is written within a sentence. */
export const labelInSentence = (field: RowField): string => decapitalize(labelOf(field));
