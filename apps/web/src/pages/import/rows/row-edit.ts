import { productFields } from '@draftshelf/domain/canonical-fields';

/** The fields that can be edited within the table. */
export const inlineFields = ['title', 'price', 'vendor', 'upc', 'quantity'] as const;
export type InlineField = (typeof inlineFields)[number];
export type RowDraft = Record<InlineField, string>;

/** The values that an edit of a row begins with: of what a product has once, those of its first row (decision P16). */
export function editedValues(
  values: Record<string, string>,
  firstOfProduct: Record<string, string>,
): Record<string, string> {
  const edited = { ...values };
  for (const field of productFields) {
    const value = firstOfProduct[field];
    if (value !== undefined) edited[field] = value;
  }
  return edited;
}

/** What an edit of a row begins with. */
export function draftOf(values: Record<string, string>): RowDraft {
  return {
    title: values.title ?? '',
    price: values.price ?? '',
    vendor: values.vendor ?? '',
    upc: values.upc ?? '',
    quantity: values.quantity ?? '',
  };
}

/** What an edit changed, trimmed; only that is sent, so that other fields keep following the file. */
export function changesOf(values: Record<string, string>, draft: RowDraft): Partial<RowDraft> {
  const before = draftOf(values);
  return Object.fromEntries(
    inlineFields
      .map((field) => [field, draft[field].trim()] as const)
      .filter(([field, value]) => value !== before[field]),
  );
}
