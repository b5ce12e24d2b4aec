import { getPlannedProduct, listPlannedProducts } from '@draftshelf/contract/plan';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type CallRequest, call } from './call.ts';
import { planKey } from './imports.ts';
import { readOf } from './read.ts';

/** Which products of a plan are listed. */
export type PlanFilter = Omit<NonNullable<CallRequest<typeof listPlannedProducts>['query']>, 'after'>;

/** Pages of the products of a plan that match a filter. `plan`: when it was begun, so that another one begins anew. */
export function usePlannedProducts(importId: string, filter: PlanFilter, plan: string | null) {
  return useInfiniteQuery({
    queryKey: [...planKey(importId), 'products', plan, filter],
    queryFn: ({ pageParam, signal }) =>
      call(listPlannedProducts, { params: { id: importId }, query: { ...filter, after: pageParam }, signal }),
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
    ...readOf(getPlannedProduct, { params: { id: importId, product } }),
    staleTime: 0,
    gcTime: 0,
  });
}
