import type { DryRunResult } from '@draftshelf/contract/push/store';
import { type CallRequest, call } from '../../../api/call.ts';

/** A product as the dry run takes it. */
export type PostedProduct = NonNullable<CallRequest<'dryRun'>['body']>['product'];

/** Checks a product without sending it to the store. */
export function callDryRun(product: PostedProduct): Promise<DryRunResult> {
  return call('dryRun', { body: { product } });
}
