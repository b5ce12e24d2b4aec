import { sampledItemsMax } from '@draftshelf/contract/wire';
import type { RowValues } from '@draftshelf/domain/base/canonical-fields';
import { gtinIn } from '@draftshelf/domain/base/gtin';
import { hashLetters } from '@draftshelf/domain/suppliers/hash-text';
import { itemKeyOf } from '@draftshelf/domain/suppliers/item-key';
import type { CallRequest } from '../../../api/call.ts';

/** What identifies a row within its supplier's lists, and what tells that it is the same product there. */
export type SampledItem = NonNullable<CallRequest<'findSupplier'>['body']>['items'][number];

/** Collects what identifies the first rows of a file. */
export function supplierSample() {
  const items: SampledItem[] = [];
  let rows = 0;
  return {
    /** Whether no more rows are needed. */
    isFull: () => rows >= sampledItemsMax,
    add(values: RowValues): void {
      rows += 1;
      const key = itemKeyOf(values);
      if (key === null) return;
      const gtin = gtinIn(values.upc ?? '')?.gtin;
      items.push({
        key,
        gtin: gtin === undefined ? null : Number(gtin),
        letters: hashLetters(values.title ?? '').toString(16),
      });
    },
    /** Empty if nothing identifies half of the rows: then they are not compared with another list. */
    items: (): SampledItem[] => (2 * items.length < rows ? [] : items),
  };
}
