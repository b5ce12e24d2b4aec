import { type DryRunResult, dryRun } from '@draftshelf/contract/push/store';
import { route } from '@draftshelf/contract/route';
import type { PostedProduct } from '@draftshelf/domain/push/posted-product';
import type { z } from 'zod';
import { call } from './call.ts';

/** The payload is our addition to the specification's reply. */
const { reply } = dryRun;
const checkProduct = route({
  ...dryRun,
  reply: reply.extend({ payload: reply.shape.payload.default(null) }),
});

/** Checks a product without sending it to the store. */
export function callDryRun(product: z.input<typeof PostedProduct>): Promise<DryRunResult> {
  return call(checkProduct, { body: { product } });
}
