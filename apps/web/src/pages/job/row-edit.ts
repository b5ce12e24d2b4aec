/** The fields that can be edited within the table. */
export const inlineFields = ['title', 'price', 'vendor', 'upc', 'quantity'] as const;
export type InlineField = (typeof inlineFields)[number];
export type RowDraft = Record<InlineField, string>;

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
