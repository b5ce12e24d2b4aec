import { listOf } from '@draftshelf/domain/base/text-list';
import { TagsInput } from '@mantine/core';
import { DialogFieldFrame } from './dialog-field.tsx';
import type { ProductForm } from './use-product-form.ts';

/** The characters between tags in a cell. */
const separators = [',', ';', '|', '\n'];

export function TagsField({ form }: { form: ProductForm }) {
  return (
    <DialogFieldFrame form={form} field="tags">
      {({ value, ...input }) => (
        <TagsInput
          {...input}
          value={listOf(value)}
          splitChars={separators}
          acceptValueOnBlur
          onChange={(tags) => form.set('tags', tags.join(', '))}
        />
      )}
    </DialogFieldFrame>
  );
}
