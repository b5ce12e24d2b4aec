import { nextBeforeHeader, totalCountHeader } from '@draftshelf/contract/imports/imports';
import { route } from '@draftshelf/contract/route';
import {
  checkBatch,
  createScanned,
  deleteScanned,
  getScanned,
  InStore,
  inStoreCode,
  listScanned,
  noBatch,
  type ScannedInput,
  ScannedProduct,
  syncScanned,
  updateScanned,
} from '@draftshelf/contract/scanner/scanner';
import type { MatchChoice } from '@draftshelf/domain/access/preferences';
import { dimensionsDefault, weightDefault } from '@draftshelf/domain/scanner/scanned-product';
import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryFilters,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { z } from 'zod';
import { CallError, call, callWithHeaders } from './call.ts';
import { freshMs, readKey, readOf } from './read.ts';

/** A product of the library as the screens read it. Fields that we add to the specification's have defaults. */
const shape = ScannedProduct.shape;
const ShownScanned = ScannedProduct.extend({
  id: z.string(),
  description: z
    .string()
    .nullish()
    .transform((text) => text ?? ''),
  price: z.union([z.string(), z.number().transform(String)]),
  upc: shape.upc.default(null),
  dimensions: shape.dimensions.default(dimensionsDefault),
  weight: shape.weight.default(weightDefault),
  photos: shape.photos.default([]),
  status: z.string().default('active'),
  version: z.number().nullable().default(null),
  createdAt: z.string().nullable().default(null),
  changedAt: z.string().nullable().default(null),
  syncedAt: z.string().nullable().default(null),
  storeUrl: shape.storeUrl.default(null),
  batches: shape.batches.default([]),
});
export type ShownScanned = z.infer<typeof ShownScanned>;

const readList = route({ ...listScanned, reply: z.array(ShownScanned) });
const readOne = route({ ...getScanned, reply: ShownScanned });
const create = route({ ...createScanned, reply: ShownScanned });
const update = route({ ...updateScanned, reply: ShownScanned });

/** Products of the library, newest first. `search`: the one that they were read for; `total`: the number that match. */
type LibraryPage = { search: string; products: ShownScanned[]; total: number; nextBefore: string | null };

const listKey = readKey(listScanned.path);

/** The library in all its searches, but no single product. */
const libraryPages: QueryFilters = {
  queryKey: listKey,
  predicate: ({ queryKey }) => typeof queryKey[listKey.length] === 'object',
};

/** The library, in pages of the server's size. `search` '' lists all. */
export const libraryRead = (search: string) =>
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
      const { reply, headers } = await callWithHeaders(readList, request);
      return {
        search,
        products: reply,
        total: Number(headers.get(totalCountHeader) ?? reply.length),
        nextBefore: headers.get(nextBeforeHeader),
      };
    },
    getNextPageParam: ({ nextBefore }) => nextBefore,
  });

export function useLibrary(search: string) {
  return useInfiniteQuery({ ...libraryRead(search), placeholderData: keepPreviousData });
}

/** One product, read now. */
export function useScanned(id: string | null) {
  return useQuery({
    ...readOf(readOne, { params: { id: id ?? '' } }),
    enabled: id !== null,
    staleTime: 0,
    gcTime: 0,
  });
}

/** Returns a function that reads the library again after a change. Its promise ends with the read. */
function useRefetch(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: listKey });
}

/** `id`: of a product that exists, with the version that was read; or made by the client for a new one. */
export type ScannedSave = { id: string; isNew: boolean; version: number | null; input: ScannedInput };

/** Saves a product. A repeated save of a new one gives the same product. */
export function useScannedSave() {
  const client = useQueryClient();
  const refetch = useRefetch();
  return useMutation({
    mutationFn: ({ id, isNew, version, input }: ScannedSave) =>
      isNew
        ? call(create, { body: { ...input, id } })
        : call(update, { params: { id }, body: { ...input, ...(version === null ? {} : { version }) } }),
    onSuccess: (saved) => {
      // The library shows it at once, and is read again behind that.
      client.setQueriesData<InfiniteData<LibraryPage>>(libraryPages, (library) => withSaved(library, saved));
      void refetch();
    },
    onError: (error) => {
      if (isWithoutAnswer(error)) void refetch();
    },
  });
}

/** Returns true if a failed save may be stored all the same: no answer came, or none of the server itself. */
export function isWithoutAnswer(error: Error): boolean {
  return !(error instanceof CallError) || (error.status >= 500 && error.serverMessage === null);
}

/** The library with a product that was saved: in its place, or first if it is new and nothing is searched for. */
export function withSaved(
  library: InfiniteData<LibraryPage> | undefined,
  saved: ShownScanned,
): InfiniteData<LibraryPage> | undefined {
  if (library === undefined) return undefined;
  const isSearched = library.pages.some(({ search }) => search !== '');
  const isListed = library.pages.some(({ products }) => products.some(({ id }) => id === saved.id));
  const pages = library.pages.map((page, at) => {
    if (isListed) {
      return { ...page, products: page.products.map((one) => (one.id === saved.id ? saved : one)) };
    }
    if (isSearched) return page;
    const added = at === 0 ? [saved] : [];
    return { ...page, products: [...added, ...page.products], total: page.total + 1 };
  });
  return { ...library, pages };
}

export function useScannedDelete() {
  const refetch = useRefetch();
  return useMutation({
    mutationFn: (id: string) => call(deleteScanned, { params: { id } }),
    onSuccess: refetch,
  });
}

const sync = route({ ...syncScanned, reply: z.object({ success: z.boolean() }) });

export type ScannedSync = { id: string; whenInStore?: MatchChoice };

/** Brings a product into the store. The card shows the new status when the library has been read again. */
export function useScannedSync() {
  const refetch = useRefetch();
  return useMutation({
    mutationFn: ({ id, whenInStore }: ScannedSync) =>
      call(sync, {
        params: { id },
        ...(whenInStore === undefined ? { emptyJson: true } : { body: { whenInStore } }),
      }),
    onSuccess: refetch,
  });
}

/** The product that the store already has under another id, if that is why a sync was refused; else null. */
export function inStoreOf(error: Error): InStore | null {
  if (!(error instanceof CallError) || error.status !== 409) return null;
  const body = z.object({ code: z.literal(inStoreCode), current: InStore }).safeParse(error.body);
  return body.success ? body.data.current : null;
}

/** The stored product, if a save was refused because somebody else has changed it meanwhile; else null. */
export function changedMeanwhile(error: Error): ShownScanned | null {
  if (!(error instanceof CallError) || error.status !== 409) return null;
  const current = ShownScanned.safeParse(error.current);
  return current.success ? current.data : null;
}

/** The field that a refused save is about, as the server names it: 'price', 'photos.0'. */
export function refusedField(error: Error): string | null {
  if (!(error instanceof CallError)) return null;
  const body = z.object({ field: z.string() }).safeParse(error.body);
  return body.success ? body.data.field : null;
}

/** Whether an import takes the product now, and another product's row that already has its SKU. */
export function useBatchCheck(batch: string, sku: string, product: string | undefined) {
  const query = { ...(sku !== '' && { sku }), ...(product !== undefined && { product }) };
  return useQuery({
    ...readOf(checkBatch, { params: { id: batch }, query }),
    enabled: batch !== noBatch,
    staleTime: 0,
  });
}
