import { coreFieldNames, type FieldNames, otherFieldNames } from './field-names.ts';

/**
 * The fields a column can be mapped to. The first eight are the specification's canonical fields, as shown in
 * the preview; the others are what its row keys, the store payload and grouping need besides.
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

/** The specification's eight canonical fields; they are served first when columns are given to fields. */
export const coreFields = canonicalFields.slice(0, 8);

/**
 * Fields that a product has once, whatever number of rows it has: they are the first row's, and an edit of one
 * belongs there (decision P16).
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
  /** The specification's CSV row keys (S225), in the order in which they are drawn on. */
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

/** What is known of every field: shown by GET /api/csv/fields and used by header mapping. */
export const fieldSpecs = Object.fromEntries(
  canonicalFields.map((field) => [field, fieldSpec(field)]),
) as Record<CanonicalField, FieldSpec>;
