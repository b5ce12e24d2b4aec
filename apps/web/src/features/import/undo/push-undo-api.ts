import type { PushUndo, UndoneProduct } from '@draftshelf/contract/push/push-undo';
import type { UndoChoice } from '@draftshelf/domain/push/push-undo';
import type { UndoAction } from '@draftshelf/domain/push/undo-actions';
import {
  type InfiniteData,
  type QueryClient,
  useInfiniteQuery,
  useMutationState,
  useQuery,
} from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/call.ts';
import { readKey, readOf } from '../../../api/read.ts';
import type { Change } from '../../../api/stale-reads.ts';
import { useCalls } from '../../../ui/feedback/use-call.ts';

/** Begins a new preview of the same push. The earlier one and its choices are gone then. */
export function useUndoPreview(importId: string, { run }: Pick<PushUndo, 'run'>) {
  const params = { id: importId };
  return useCalls(
    (whenUnsure: PushUndo['whenUnsure']) =>
      call('previewPushUndo', { params, body: { whenUnsure, ...(run !== null && { run }) } }),
    () => [{ name: 'previewPushUndo', params }],
  );
}

/** Products of a preview by what is done with them and why. `results`: by what was done. */
export type UndoFilter = { action: UndoAction; code: string | null; results: boolean };

const pagesKey = (importId: string) => readKey('listUndoneProducts', { id: importId });

type Page = { products: UndoneProduct[]; next: number | null };

/** After choices and another preview. */
const held = { held: ({ name }: Change) => name === 'chooseUndo' || name === 'previewPushUndo' };

/** Pages of the products of a preview. `madeAt`: another preview has other products. */
export function useUndoneProducts(importId: string, filter: UndoFilter, madeAt: string | null) {
  const { action, code, results } = filter;
  return useInfiniteQuery({
    queryKey: [...pagesKey(importId), filter, madeAt],
    queryFn: ({ pageParam, signal }): Promise<Page> => {
      const query = {
        action,
        ...(code !== null && { code }),
        ...(results && { results: 'true' as const }),
        ...(pageParam !== null && { after: pageParam }),
      };
      return call('listUndoneProducts', { params: { id: importId }, query, signal });
    },
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    // Lines stay in their places after a choice. Another filter begins with what is stored then.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    meta: held,
  });
}

/** A choice about one product, or about all that are kept for the same reason; null takes it back. */
export type MadeChoice = { choice: UndoChoice | null } & ({ product: number } | { code: string });

/**
 * Makes choices about the products of a preview, one after the other. The lines that are shown change, but none of them
 * moves. `failure`: of the last choice that was not saved.
 */
export function useUndoChoice(importId: string) {
  const mutationKey = ['undo-choice', importId];
  const [failure, setFailure] = useState<Error | null>(null);
  const { mutate } = useCalls(
    (body: MadeChoice) => call('chooseUndo', { params: { id: importId }, body }),
    () => [{ name: 'chooseUndo', params: { id: importId } }],
    {
      mutationKey,
      scope: { id: mutationKey.join(' ') },
      onSuccess: (_reply, made, client) => changeLines(client, importId, made),
      onError: setFailure,
    },
  );
  const pending = useMutationState({
    filters: { mutationKey, status: 'pending' },
    select: ({ state }) => state.variables as MadeChoice,
  });
  const choose = (made: MadeChoice) => {
    setFailure(null);
    mutate(made);
  };
  return { choose, pending, failure };
}

function changeLines(client: QueryClient, importId: string, made: MadeChoice): void {
  const changed = (line: UndoneProduct): UndoneProduct => {
    const { choice } = made;
    if (choice !== null && !line.choices.includes(choice)) return line;
    if ('product' in made) return line.product === made.product ? { ...line, choice } : line;
    return line.code === made.code ? { ...line, choice: null, choiceForAll: choice } : line;
  };
  client.setQueriesData<InfiniteData<Page>>({ queryKey: pagesKey(importId) }, (read) => {
    // Below the same key are the changes of single products.
    if (read?.pages === undefined) return read;
    const pages = read.pages.map((page) => ({
      ...page,
      products: page.products.map(changed),
    }));
    return { ...read, pages };
  });
}

/**
 * Who changed a product in the store, asked of the store once for each preview (`previewedAt`): in another one, the
 * line is of another product.
 */
export function useStoreChanges(importId: string, product: number, previewedAt: string | null) {
  const read = readOf('listStoreChanges', { params: { id: importId, product } });
  return useQuery({
    ...read,
    queryKey: [...read.queryKey, previewedAt],
    staleTime: Number.POSITIVE_INFINITY,
    meta: held,
  });
}
