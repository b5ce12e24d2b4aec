import { inject } from 'vitest';
import { testAccessKey } from '../support/api.ts';
import { type Stack, startStack } from '../support/stack.ts';

export const accessKey = testAccessKey;

/** The whole product: all processes, and the address of the page. */
export type Product = Stack & {
  /** Product writes that the store has received since it started. */
  productWrites(): Promise<number>;
};

/** Starts api, workers and store on free ports, on a database and a bucket of their own. */
export async function startProduct(): Promise<Product> {
  const stack = await startStack({
    names: ['store-simulator', 'api', 'parse-worker', 'enrich-worker', 'push-worker'],
    webDir: inject('webDir'),
  });
  return { ...stack, productWrites: async () => (await stack.store.stats()).requests.productSet ?? 0 };
}
