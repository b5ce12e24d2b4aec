import { queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { pollMs } from '../../api/polls.ts';
import { freshMs, readKey, readOf } from '../../api/read.ts';

export const summariesRead = () => queryOptions({ ...readOf('summarizeSuppliers'), staleTime: freshMs });

export const useSummaries = () =>
  useQuery({
    ...summariesRead(),
    refetchInterval: ({ state }) => state.data?.some(({ leaving }) => leaving !== null) && pollMs.suppliers,
  });

export const useSupplierNames = () => useQuery({ ...readOf('listSuppliers'), staleTime: freshMs });

export const supplierRead = (id: string) =>
  queryOptions({ ...readOf('getSupplier', { params: { id } }), staleTime: freshMs });

export const useSupplier = (id: string) =>
  useQuery({
    ...supplierRead(id),
    refetchInterval: ({ state }) => state.data?.busy != null && pollMs.suppliers,
  });

export const useOwnValues = (id: number, filter: { search: string; field: string | null }) =>
  useInfiniteQuery({
    queryKey: readKey('listOwnValues', { id }, filter),
    queryFn: ({ pageParam, signal }) => {
      const { search, field } = filter;
      const query = {
        search,
        ...(field !== null && { field }),
        ...(pageParam !== null && { after: pageParam }),
      };
      return call('listOwnValues', { params: { id }, query, signal });
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    staleTime: freshMs,
  });

export const useRecipes = (id: number) =>
  useQuery({ ...readOf('listSupplierRecipes', { params: { id } }), staleTime: freshMs });

const namesFreshMs = 30_000;
const none: never[] = [];

const useSuppliers = () => useQuery({ ...readOf('listSuppliers'), staleTime: namesFreshMs }).data ?? none;

/** Named, or with a second list. */
export const useHasNamedSupplier = (): boolean => useSuppliers().some(({ isNamed }) => isNamed);

/** None until screens name two suppliers. */
export function useNamedSuppliers() {
  const data = useSuppliers();
  return data.filter(({ isNamed }) => isNamed).length < 2 ? none : data;
}
