import { coreFieldNames, type FieldNames, otherFieldNames } from './mapping/field-names.ts';

/**
 * The fields that a column can be mapped to. The first eight are the specification's canonical fields, which the
 * preview shows; its row keys, the store payload and grouping need the others.
 */
export const canonicalFields = [
  'title',
  'price',
  'sku',
  'upc',
  'description',
  'vendor',
  'quantity',
  'type',
  'compareAtPrice',
  'cost',
  'image',
  'tags',
  'collections',
  'status',
  'itemNumber',
  'tcin',
  'origin',
  'pointOfSale',
  'trackQuantity',
  'continueSelling',
  'currency',
  'weight',
  'weightUnit',
  'handle',
  'parentSku',
  'option1Name',
  'option1Value',
  'option2Name',
  'option2Value',
  'option3Name',
  'option3Value',
  'moreImages',
] as const;
export type CanonicalField = (typeof canonicalFields)[number];

/** The specification's eight canonical fields. Header mapping assigns columns to them first. */
export const coreFields = canonicalFields.slice(0, 8);

/**
 * Fields that a product has once, however many rows it has. Their values come from the product's first row, so an edit
 * of one is stored with that row.
 */
export const productFields: ReadonlySet<CanonicalField> = new Set([
  'title',
  'description',
  'vendor',
  'type',
  'tags',
  'collections',
  'status',
]);

/** The values of one row by canonical field; a field without a value is absent. */
export type RowValues = Partial<Record<CanonicalField, string>>;

export type FieldSpec = {
  label: string;
  required: boolean;
  /** Header names that mean this field, best first. */
  aliases: readonly string[];
  /** The specification's CSV row keys of the field; the first with a value is used. */
  rowKeys: readonly string[];
};

const names: Record<CanonicalField, FieldNames> = { ...coreFieldNames, ...otherFieldNames };

function fieldSpec(field: CanonicalField): FieldSpec {
  const { label, names: strong, standIns, rowKeys } = names[field];
  return {
    label,
    required: field === 'title' || field === 'price',
    aliases: [...new Set([...strong, ...(standIns ?? [])])],
    rowKeys: rowKeys ?? [],
  };
}

/** Label, names and row keys of every field: used by header mapping and returned by GET /api/csv/fields. */
export const fieldSpecs = Object.fromEntries(
  canonicalFields.map((field) => [field, fieldSpec(field)]),
) as Record<CanonicalField, FieldSpec>;

/** A field's label within a sentence: 'the compare-at price', 'the SKU'. */
export function labelInSentence(field: CanonicalField): string {
  const { label } = fieldSpecs[field];
  return /^[A-Z]{2}/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1);
}
