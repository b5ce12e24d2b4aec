import { productFields } from '@draftshelf/domain/canonical-fields';

/** The fields that can be edited in place. */
export const inlineFields = ['title', 'price', 'vendor', 'upc', 'quantity'] as const;
export type InlineField = (typeof inlineFields)[number];
export type RowDraft = Record<InlineField, string>;

/** The current values of a row for editing. Fields that a product has only once come from its first row. */
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

/** The initial draft of a row's edit. */
export function draftOf(values: Record<string, string>): RowDraft {
  return {
    title: values.title ?? '',
    price: values.price ?? '',
    vendor: values.vendor ?? '',
    upc: values.upc ?? '',
    quantity: values.quantity ?? '',
  };
}

/** The changed fields, trimmed. Only these are sent, so the other fields keep the file's values. */
export function changesOf(values: Record<string, string>, draft: RowDraft): Partial<RowDraft> {
  const before = draftOf(values);
  return Object.fromEntries(
    inlineFields
      .map((field) => [field, draft[field].trim()] as const)
      .filter(([field, value]) => value !== before[field]),
  );
}
