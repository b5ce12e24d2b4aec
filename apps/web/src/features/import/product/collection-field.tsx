import { fieldDefaults } from '@draftshelf/domain/base/field-choices';
import { Loader, Select, Text } from '@mantine/core';
import { useCollections } from '../../store/index.ts';
import { DialogFieldFrame } from './dialog-field.tsx';
import type { ProductForm } from './use-product-form.ts';

/** One of the store's collections. 'All Products' and the current one are offered even without the store. */
export function CollectionField({ form }: { form: ProductForm }) {
  const { data, error, isPending } = useCollections();
  const current = form.shown('collections');
  const titles = (data ?? []).map(({ title }) => title);
  const choices = [...new Set([fieldDefaults.collections, current, ...titles])].filter((one) => one !== '');
  return (
    <DialogFieldFrame form={form} field="collections">
      {(input) => (
        <>
          <Select
            {...input}
            data={choices}
            searchable
            limit={200}
            nothingFoundMessage="No collection has this name."
            rightSection={isPending ? <Loader size="xs" /> : undefined}
            onChange={(value) => value !== null && form.set('collections', value)}
          />
          {error !== null && (
            <Text size="xs" c="var(--text-warning)" role="alert" title={error.message}>
              Failed to fetch collections
            </Text>
          )}
        </>
      )}
    </DialogFieldFrame>
  );
}
