import { inject } from 'vitest';
import { testAccessKey } from '../support/api-client.ts';
import { type Stack, startStack } from '../support/stack.ts';

export const accessKey = testAccessKey;

/** The whole product: all processes, and the address of the page. */
export type Product = Stack & {
  /** Product writes that the store has received since the test file began. */
  productWrites(): Promise<number>;
};

/** Starts api, workers and store on a database and a bucket of their own, with the role of `npm start`. */
export async function startProduct(env: Record<string, string> = {}): Promise<Stack> {
  return startStack({
    names: ['store-simulator', 'api', 'parse-worker', 'enrich-worker', 'push-worker'],
    webDir: inject('webDir'),
    asAppRole: true,
    env,
  });
}

/** A product at the beginning of a test file. */
export async function productFrom(stack: Stack): Promise<Product> {
  const writes = async () => (await stack.store.stats()).requests.productSet ?? 0;
  const before = await writes();
  return { ...stack, productWrites: async () => (await writes()) - before };
}
