import {
  type InfiniteData,
  keepPreviousData,
  useInfiniteQuery,
  useIsMutating,
  useQuery,
} from '@tanstack/react-query';
import {
  type CallRequest,
  call,
  pagedReadOf,
  pollMs,
  type Reply,
  readOf,
  toCacheKey,
} from '../../../api/call.ts';
import type { ChangeCall } from '../../../api/stale-reads.ts';
import { useCall, useCalls } from '../../../ui/feedback/use-call.ts';
import { useAddressParam } from '../../../ui/hooks.ts';

const planRead = (importId: string) => readOf('getPlan', { params: { id: importId } });

/** Not cached, because another tab or a colleague may change rows while the plan is made. */
export const usePlan = (importId: string) =>
  useQuery({
    ...planRead(importId),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? pollMs.plan : false),
    refetchOnWindowFocus: true,
  });

/** Begins a plan. With the query `unasked`, the server begins it only if planning is cheap and no plan is current. */
export function useBeginPlan(importId: string, failed?: string) {
  const begin = useCall('beginPlan', { params: { id: importId }, mutationKey: beginKey(importId), failed });
  return { ...begin, begin: () => begin.mutate({ query: {} }) };
}

const beginKey = (importId: string) => ['begin-plan', importId];

/** True while a call that begins a plan awaits its reply, including plans that begin automatically. */
export const useIsBeginningPlan = (importId: string): boolean =>
  useIsMutating({ mutationKey: beginKey(importId) }) > 0;

export type PlanFilter = Omit<NonNullable<CallRequest<'listPlannedProducts'>['query']>, 'after'>;

/** After a decision about one product, the list is not read again, so that the product's line does not move. */
const afterChoice = {
  held: ({ name, body, error }: ChangeCall) =>
    name === 'makeChoices' && !error && (body as Choice | undefined)?.product !== undefined,
};

/** `plan`: the time when the plan ended or, while it runs, began. Another time means another list. */
export function usePlannedProducts(importId: string, filter: PlanFilter, plan: string | null) {
  const read = pagedReadOf('listPlannedProducts', { id: importId }, filter);
  return useInfiniteQuery({
    ...read,
    queryKey: [...read.queryKey, plan],
    placeholderData: keepPreviousData,
    meta: afterChoice,
  });
}

export const usePlannedProduct = (importId: string, product: number) =>
  useQuery({
    ...readOf('getPlannedProduct', { params: { id: importId, product } }),
    staleTime: 0,
    gcTime: 0,
    meta: afterChoice,
  });

type Pages = InfiniteData<Reply<'listPlannedProducts'>>;

const withChoice = (pages: Pages, product: number, choice: Choice['choice']): Pages => ({
  ...pages,
  pages: pages.pages.map((page) => ({
    ...page,
    products: page.products.map((entry) => (entry.product === product ? { ...entry, choice } : entry)),
  })),
});

/** Maximum number of calls for a decision about many products. One call decides about a few thousand. */
const choiceCallsMax = 1000;

type Choice = NonNullable<CallRequest<'makeChoices'>['body']>;

/** Saves a decision about one product, or about many. `pending`: the choice being saved, 'none' during a revert. */
export function usePlanDecision(importId: string) {
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
        // Skips reads of a single product, because they share this key prefix but have no pages.
        client.setQueriesData<Pages>(
          { queryKey: toCacheKey('listPlannedProducts', { id: importId }) },
          (read) => (read?.pages === undefined ? read : withChoice(read, product, choice)),
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

/** The view of the plan in the address, such as 'skipped' in `?plan=skipped`, or null. */
export const usePlanView = () => useAddressParam('plan');
