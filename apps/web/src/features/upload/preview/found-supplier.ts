import { newSupplier } from '@draftshelf/contract/wire';
import { isPartialList } from '@draftshelf/domain/suppliers/is-partial-list';
import { queryOptions } from '@tanstack/react-query';
import { call, type Reply } from '../../../api/call.ts';
import { readKey } from '../../../api/read.ts';
import type { Preview } from './preview.ts';

export type FoundSupplier = Reply<'findSupplier'>;

/** Asked once for each way to read the file. `preview` must cover the whole file, so that it has its items. */
export function supplierRead(filename: string, preview: Preview | null, sha256: string | null) {
  const { headers = [], items = [], dialect, mapping } = preview ?? {};
  return queryOptions<FoundSupplier>({
    queryKey: readKey('findSupplier', {}, { filename, sha256, dialect, sources: mapping?.sources }),
    queryFn: ({ signal }) => call('findSupplier', { body: { filename, headers, items }, signal }),
    enabled: sha256 !== null && items.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** A list of prices and stock has no titles, and its supplier is known or chosen. */
export const isPartialOf = (
  { mapping }: Preview,
  found: FoundSupplier | undefined,
  chosen: string | null,
): boolean =>
  isPartialList(mapping) && (found?.is === 'certain' || (chosen !== null && chosen !== newSupplier));
