import {
  type InfiniteData,
  keepPreviousData,
  useInfiniteQuery,
  useIsMutating,
  useQuery,
} from '@tanstack/react-query';
import { type CallRequest, call, type Reply, urlOfEndpoint } from '../../../api/call.ts';
import { pollMs } from '../../../api/polls.ts';
import { readOf } from '../../../api/read.ts';
import type { Change } from '../../../api/stale-reads.ts';
import { useCall, useCalls } from '../../../ui/feedback/use-call.ts';
import { useAddressParam } from '../../../ui/hooks/use-address-param.ts';

const planRead = (importId: string) => readOf('getPlan', { params: { id: importId } });

/** The plan of an import's push, followed while it is made. Another tab or a colleague may change rows meanwhile. */
export function usePlan(importId: string) {
  return useQuery({
    ...planRead(importId),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? pollMs.plan : false),
    refetchOnWindowFocus: true,
  });
}

/**
 * Begins to plan the push of an import, in place of the earlier plan. `unasked`: only if there is none and it takes
 * little, as the server decides.
 */
export function usePlanBegin(importId: string, failed?: string) {
  const begin = useCall('beginPlan', { params: { id: importId }, mutationKey: beginKey(importId), failed });
  return { ...begin, begin: () => begin.mutate({ query: {} }) };
}

const beginKey = (importId: string) => ['begin-plan', importId];

/** Whether a plan of an import's push is being begun, also without a request. */
export const useIsPlanBegun = (importId: string): boolean =>
  useIsMutating({ mutationKey: beginKey(importId) }) > 0;

/** Download of a plan. */
export function planUrl(importId: string): string {
  return urlOfEndpoint('getPlanCsv', { id: importId });
}

/** Which products of a plan are listed. */
export type PlanFilter = Omit<NonNullable<CallRequest<'listPlannedProducts'>['query']>, 'after'>;

/** The key of all pages of the products of a plan. */
const productsKey = (importId: string) => [...planRead(importId).queryKey, 'pages'];

/**
 * A decision about one product changes no differences, and its line stays in its place, also in a list of those that
 * wait.
 */
const afterChoice = {
  held: ({ name, body, error }: Change) =>
    name === 'makeChoices' && !error && (body as Choice | undefined)?.product !== undefined,
};

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
    meta: afterChoice,
  });
}

/** A product of a plan with its differences between the store and the push. */
export function usePlannedProduct(importId: string, product: number) {
  return useQuery({
    ...readOf('getPlannedProduct', { params: { id: importId, product } }),
    staleTime: 0,
    gcTime: 0,
    meta: afterChoice,
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

/**
 * Decides about one product of a plan or, without a product, about all that wait for the same decision. `pending`: the
 * choice that is being saved, 'none' while a decision is taken back.
 */
export function useDecide(importId: string) {
  const params = { id: importId };
  const { mutate, isPending, variables } = useCalls(
    async (body: Choice) => {
      for (let calls = 0; calls < choiceCallsMax; calls += 1) {
        const { more } = await call('makeChoices', { params, body });
        if (!more) return;
      }
    },
    (body) => [{ name: 'makeChoices', params, body }],
    {
      failed: 'Couldn’t save the decision',
      onSuccess: (_none, { product, choice }, client) => {
        if (product === undefined) return;
        client.setQueriesData<Pages>({ queryKey: productsKey(importId) }, (pages) =>
          pages === undefined ? pages : withChoice(pages, product, choice),
        );
      },
    },
  );
  return {
    decide: (choice: Choice) => mutate(choice),
    pending: isPending ? (variables.choice ?? 'none') : null,
    reason: isPending ? 'Saving…' : null,
  };
}

/** The list of the plan that the address opens (`?plan=skipped`), and how to open another one; null: none is open. */
export const usePlanView = () => useAddressParam('plan');
