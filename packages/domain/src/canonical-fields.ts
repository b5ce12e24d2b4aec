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
] as const;
export type CanonicalField = (typeof canonicalFields)[number];

/** The values of one row by canonical field; a field without a value is absent. */
export type RowValues = Partial<Record<CanonicalField, string>>;
