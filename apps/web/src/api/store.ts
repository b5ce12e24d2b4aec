import { createProduct, listCollections, testStore } from '@draftshelf/contract/store';
import type { DraftProduct } from '@draftshelf/domain/draft-product';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call } from './call.ts';
import { readOf } from './read.ts';

/** The job page's connection test. It replies with an error message, not an HTTP error, if the store is down. */
export function useStoreTest() {
  return useMutation({ mutationFn: () => call(testStore) });
}

/** The store's collections. A failed read is repeated when a component that needs them is shown again. */
export function useCollections() {
  return useQuery(readOf(listCollections));
}

/** Creates the product of an import's row in the store, as a test. The server adds where it comes from. */
export function useProductTest(importId: string) {
  return useMutation({
    mutationFn: ({ product, row }: { product: DraftProduct; row: number }) => {
      const metafields = product.metafields.filter(({ key }) => key !== 'import_source');
      return call(createProduct, { body: { product: { ...product, metafields }, importId, row } });
    },
  });
}
