import type { ProductInStore, ScannedInput, ScannedProduct } from '@draftshelf/contract/scanner/scanner';
import { inStoreCode, nextBeforeHeader, totalCountHeader } from '@draftshelf/contract/wire';
import type { MatchChoice } from '@draftshelf/domain/access/preferences';
import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryFilters,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { showChange } from '../../api/assume.ts';
import { fillScannedProduct, type ShownScanned } from '../../api/bare-replies.ts';
import {
  CallError,
  call,
  callWithHeaders,
  freshMs,
  messageOf,
  type Reply,
  readOf,
  toCacheKey,
} from '../../api/call.ts';
import { hasShape, isText } from '../../lib/storage.ts';
import { useCall, useCalls } from '../../ui/feedback/use-call.ts';
import type { ScannedCode } from './scan/reader-options.ts';

export type { ShownScanned };

/** `total`: number of products that match `search`. */
type LibraryPage = { search: string; products: ShownScanned[]; total: number; nextBefore: string | null };

const listKey = toCacheKey('listScanned');

/** Matches all cached pages of the library, for each search, but no single product. */
const libraryPages: QueryFilters = {
  queryKey: listKey,
  predicate: ({ queryKey }) => typeof queryKey[listKey.length] === 'object',
};

/** Returns the options of the library's paged read. An empty search lists all products. */
export const libraryQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: [...listKey, { q: search }],
    staleTime: freshMs,
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }): Promise<LibraryPage> => {
      const query = {
        ...(search === '' ? {} : { q: search }),
        ...(pageParam === null ? {} : { before: pageParam }),
      };
      const request = Object.keys(query).length === 0 ? { signal } : { query, signal };
      const { reply, headers } = await callWithHeaders('listScanned', request);
      return {
        search,
        products: reply.map(fillScannedProduct),
        total: Number(headers.get(totalCountHeader) ?? reply.length),
        nextBefore: headers.get(nextBeforeHeader),
      };
    },
    getNextPageParam: ({ nextBefore }) => nextBefore,
  });

export const useLibrary = (search: string) =>
  useInfiniteQuery({ ...libraryQuery(search), placeholderData: keepPreviousData });

export const useScannedProduct = (id: string | null) =>
  useQuery({
    ...readOf('getScanned', { params: { id: id ?? '' } }),
    select: fillScannedProduct,
    enabled: id !== null,
    staleTime: 0,
    gcTime: 0,
  });

/** The client creates the id of a new product. */
type ScannedSave = { id: string; isNew: boolean; version: number | null; input: ScannedInput };

/** Saves a product. A repeated save of a new product changes the same product. */
export const useSaveProduct = () =>
  useCalls(
    async ({ id, isNew, version, input }: ScannedSave) =>
      fillScannedProduct(
        isNew
          ? await call('createScanned', { body: { ...input, id } })
          : await call('updateScanned', {
              params: { id },
              body: { ...input, ...(version === null ? {} : { version }) },
            }),
      ),
    () => [{ name: 'updateScanned' }],
    {
      // The saved product is shown at once, and read again in the background.
      onSuccess: (saved, _input, client) =>
        client.setQueriesData<InfiniteData<LibraryPage>>(libraryPages, (library) =>
          addSavedProduct(library, saved),
        ),
    },
  );

/** Whether a failed save may still have been stored, because the reply did not come from the server itself. */
export const mayHaveBeenSaved = (error: Error): boolean =>
  !(error instanceof CallError) || (error.status >= 500 && error.serverMessage === null);

/** Returns the list with a saved product at its position, or at the top if it is new and there is no search. */
export function addSavedProduct(
  library: InfiniteData<LibraryPage> | undefined,
  saved: ShownScanned,
): InfiniteData<LibraryPage> | undefined {
  if (library === undefined) return undefined;
  const isSearched = library.pages.some(({ search }) => search !== '');
  const isListed = library.pages.some(({ products }) => products.some(({ id }) => id === saved.id));
  const pages = library.pages.map((page, at) => {
    if (isListed) {
      return {
        ...page,
        products: page.products.map((product) => (product.id === saved.id ? saved : product)),
      };
    }
    if (isSearched) return page;
    const added = at === 0 ? [saved] : [];
    return { ...page, products: [...added, ...page.products], total: page.total + 1 };
  });
  return { ...library, pages };
}

export const deletionKey = ['deleteScanned'];

/** Deletes a product. The library hides the product at once, and shows it again if the server refuses. */
export const useDeleteProduct = () =>
  useCall('deleteScanned', {
    mutationKey: deletionKey,
    failed: (error) => ({ title: 'Delete Failed', text: messageOf(error, 'Failed to delete product') }),
    done: () => ({ title: 'Product Deleted', text: 'Product has been deleted successfully' }),
    assume: (client, { params }) =>
      showChange<InfiniteData<LibraryPage>>(client, libraryPages, (library) =>
        withoutProduct(library, String(params?.id)),
      ),
  });

function withoutProduct(library: InfiniteData<LibraryPage>, id: string): InfiniteData<LibraryPage> {
  if (!library.pages.some(({ products }) => products.some((product) => product.id === id))) return library;
  const pages = library.pages.map((page) => ({
    ...page,
    products: page.products.filter((product) => product.id !== id),
    total: page.total - 1,
  }));
  return { ...library, pages };
}

export type SyncRequest = { id: string; whenInStore?: MatchChoice };

export const syncKey = ['syncScanned'];

export const describeSyncFailure = (error: Error): string => messageOf(error, 'Failed to sync to Shopify');

/** Syncs a product. Its card has the new status once the library has been read again. */
export const useSyncProduct = () =>
  useCalls(
    ({ id, whenInStore }: SyncRequest) =>
      call('syncScanned', {
        params: { id },
        ...(whenInStore === undefined ? { emptyJson: true } : { body: { whenInStore } }),
      }),
    () => [{ name: 'syncScanned' }],
    {
      mutationKey: syncKey,
      failed: (error) => ({
        title: 'Sync Failed',
        text: readStoreState(error) === null ? describeSyncFailure(error) : 'Choose on its card what to do.',
      }),
      done: () => ({ title: 'Synced to Shopify', text: 'Product has been synced to Shopify successfully' }),
    },
  );

/** Returns the state of the product in the store, if that state made the sync fail; else null. */
export function readStoreState(error: Error): ProductInStore | null {
  const isInStore = error instanceof CallError && error.status === 409 && error.code === inStoreCode;
  return isInStore ? ((error.body as { current?: ProductInStore }).current ?? null) : null;
}

/** Returns the stored product if another operator has changed it; null if the save failed for another reason. */
export function readConflictingProduct(error: Error): ShownScanned | null {
  if (!(error instanceof CallError) || error.status !== 409) return null;
  const { current } = error;
  return hasShape<{ name: string; sku: string }>({ name: isText, sku: isText })(current)
    ? fillScannedProduct(current as unknown as ScannedProduct)
    : null;
}

/** Returns the field that an error names, for example 'price' or 'photos.0'. */
export const readRefusedField = (error: Error): string | null =>
  error instanceof CallError ? error.field : null;

export type CodeReply = Reply<'lookUpCode'>;

/** Looks up a code. Without `ask`, the reply comes at once. With `ask`, the server asks sources for up to 8 seconds. */
export function lookUpScannedCode(
  { text, format }: ScannedCode,
  options: { ask: boolean; signal?: AbortSignal },
): Promise<CodeReply> {
  const { ask, signal } = options;
  const body = { code: text, ask, ...(format === null ? {} : { format }) };
  return call('lookUpCode', { body, ...(signal ? { signal } : {}) });
}

/** Saves a new product. The client creates its id, so that the call can be repeated. */
export async function saveNewProduct(id: string, input: ScannedInput): Promise<void> {
  await call('createScanned', { body: { ...input, id } });
}

export type LibraryFilters = { search: string; status: string };

export const statusChoices = [
  { value: '', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'synced', label: 'Synced' },
] as const;

export const readLibraryFilters = (address: URLSearchParams): LibraryFilters => ({
  search: address.get('q') ?? '',
  status: address.get('status') ?? '',
});

export type OpenForm = { kind: 'new' } | { kind: 'product'; id: string };

const newName = 'new';
const productName = 'product';

export function readOpenForm(address: URLSearchParams): OpenForm | null {
  const id = address.get(productName);
  if (id !== null && id !== '') return { kind: 'product', id };
  return address.has(newName) ? { kind: 'new' } : null;
}

export function toLibraryParams(
  { search, status }: LibraryFilters,
  opened: OpenForm | null = null,
): URLSearchParams {
  const address = new URLSearchParams();
  if (search !== '') address.set('q', search);
  if (status !== '') address.set('status', status);
  if (opened?.kind === 'new') address.set(newName, '');
  if (opened?.kind === 'product') address.set(productName, opened.id);
  return address;
}
