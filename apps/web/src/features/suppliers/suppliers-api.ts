import { queryOptions, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type CallRequest, call } from '../../api/call.ts';
import { freshMs, readKey, readOf } from '../../api/read.ts';

/** All suppliers, each with its newest list. */
export const summariesRead = () => queryOptions({ ...readOf('summarizeSuppliers'), staleTime: freshMs });

/** How often is read again what is being changed in the background. */
const pollMs = 2_000;

export const useSummaries = () =>
  useQuery({
    ...summariesRead(),
    refetchInterval: ({ state }) => state.data?.some(({ leaving }) => leaving !== null) && pollMs,
  });

/** All suppliers by name. */
export const useSupplierNames = () => useQuery({ ...readOf('listSuppliers'), staleTime: freshMs });

/** A supplier with its lists. */
export const supplierRead = (id: string) =>
  queryOptions({ ...readOf('getSupplier', { params: { id } }), staleTime: freshMs });

export const useSupplier = (id: string) =>
  useQuery({ ...supplierRead(id), refetchInterval: ({ state }) => state.data?.busy != null && pollMs });

/** Pages of the operator's values of a supplier. */
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

/** What was done to lists of a supplier. */
export const useRecipes = (id: number) =>
  useQuery({ ...readOf('listSupplierRecipes', { params: { id } }), staleTime: freshMs });

/** A change of suppliers, after which all that is read about them is read again. */
function useChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => client.invalidateQueries({ queryKey: readKey('listSuppliers') }),
  });
}

type Body<
  N extends
    | 'forgetOwnValues'
    | 'changeRecipe'
    | 'forgetSign'
    | 'forgetSettled'
    | 'answerList'
    | 'renameSupplier'
    | 'mergeSupplier'
    | 'answerSupplier',
> = NonNullable<CallRequest<N>['body']>;

/** Forgets values of the operator: one, those of a field, or all. */
export const useForgetting = (id: number) =>
  useChange((body: Body<'forgetOwnValues'>) => call('forgetOwnValues', { params: { id }, body }));

/** Forgets something by which lists are recognized. */
export const useSignForgetting = (id: number) =>
  useChange((body: Body<'forgetSign'>) => call('forgetSign', { params: { id }, body }));

/** Ends what pushes have settled for the next lists. */
export const useSettledEnd = (id: number) =>
  useChange((body: Body<'forgetSettled'>) => call('forgetSettled', { params: { id }, body }));

/** Changes whether a recipe is done, or its place. */
export const useRecipeChange = (id: number) =>
  useChange(({ id: recipe, ...body }: { id: string } & Body<'changeRecipe'>) =>
    call('changeRecipe', { params: { id, recipe }, body }),
  );

export const useRecipeRemoval = (id: number) =>
  useChange((recipe: string) => call('removeRecipe', { params: { id, recipe } }));

/** Says that a list counts or not. */
export const useListAnswer = () =>
  useChange(({ importId, ...body }: { importId: string } & Body<'answerList'>) =>
    call('answerList', { params: { id: importId }, body }),
  );

/** Begins to merge a supplier into another one. */
export const useMerge = (id: number) =>
  useChange((body: Body<'mergeSupplier'>) => call('mergeSupplier', { params: { id }, body }));

/** Begins to delete a supplier. */
export const useDeletion = (id: number) => useChange(() => call('deleteSupplier', { params: { id } }));

/** Answers about a supplier's lists. */
export const useAnswers = (id: number) =>
  useChange((body: Body<'answerSupplier'>) => call('answerSupplier', { params: { id }, body }));

/** Gives a supplier another name. */
export const useRename = (id: number) =>
  useChange((body: Body<'renameSupplier'>) => call('renameSupplier', { params: { id }, body }));
