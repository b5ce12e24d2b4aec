import {
  type InfiniteData,
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { type CallRequest, call, type Reply } from '../../../api/call.ts';
import { readOf } from '../../../api/read.ts';
import { planKey, refreshImport } from '../imports-api.ts';

/** Which products of a plan are listed. */
export type PlanFilter = Omit<NonNullable<CallRequest<'listPlannedProducts'>['query']>, 'after'>;

/** The key of all pages of the products of a plan. */
const productsKey = (importId: string) => [...planKey(importId), 'pages'];

/** Pages of the products of a plan that match a filter. `plan`: when it ended or began, since its list changes then. */
export function usePlannedProducts(importId: string, filter: PlanFilter, plan: string | null) {
  return useInfiniteQuery({
    queryKey: [...productsKey(importId), plan, filter],
    queryFn: ({ pageParam, signal }) =>
      call('listPlannedProducts', {
        params: { id: importId },
        query: { ...filter, after: pageParam },
        signal,
      }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
    // A visit later begins with the values of then.
    staleTime: 0,
    gcTime: 0,
  });
}

/** A product of a plan with its differences between the store and the push. */
export function usePlannedProduct(importId: string, product: number) {
  return useQuery({
    ...readOf('getPlannedProduct', { params: { id: importId, product } }),
    staleTime: 0,
    gcTime: 0,
  });
}

type Pages = InfiniteData<Reply<'listPlannedProducts'>>;

/** The pages with the choice about a product. */
const withChoice = (pages: Pages, product: number, choice: Choice['choice']): Pages => ({
  ...pages,
  pages: pages.pages.map((page) => ({
    ...page,
    products: page.products.map((entry) => (entry.product === product ? { ...entry, choice } : entry)),
  })),
});

/** Each call decides about some thousand products. */
const choiceCallsMax = 1000;

type Choice = NonNullable<CallRequest<'makeChoices'>['body']>;

/** Decides about one product of a plan or, without a product, about all that wait for the same decision. */
export function useChoice(importId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: Choice) => {
      for (let calls = 0; calls < choiceCallsMax; calls += 1) {
        const { more } = await call('makeChoices', { params: { id: importId }, body });
        if (!more) return;
      }
    },
    onSettled: (_reply, error, { product, choice }) => {
      // The facts before its push count what waits for a decision.
      const refreshRecord = () => refreshImport(client, importId, { rows: false });
      // A line that was decided stays in its place, also in a list of those that wait.
      if (product === undefined || error !== null) {
        return Promise.all([client.invalidateQueries({ queryKey: planKey(importId) }), refreshRecord()]);
      }
      client.setQueriesData<Pages>({ queryKey: productsKey(importId) }, (pages) =>
        pages === undefined ? pages : withChoice(pages, product, choice),
      );
      return Promise.all([
        client.invalidateQueries({ queryKey: planKey(importId), exact: true }),
        refreshRecord(),
      ]);
    },
  });
}
