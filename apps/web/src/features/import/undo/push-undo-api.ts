import type { PushUndo, UndoProduct } from '@draftshelf/contract/push/push-undo';
import type { UndoChoice } from '@draftshelf/domain/push/push-undo';
import type { UndoAction } from '@draftshelf/domain/push/undo-actions';
import { type InfiniteData, type QueryClient, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, pagedReadOf, readOf, toCacheKey } from '../../../api/call.ts';
import type { ChangeCall } from '../../../api/stale-reads.ts';
import { useCalls, usePending } from '../../../ui/feedback/use-call.ts';

/** Begins a preview of the undo, which replaces the earlier preview and the choices made there. */
export function useUndoPreview(importId: string, { run }: Pick<PushUndo, 'run'>) {
  const params = { id: importId };
  return useCalls(
    (whenUnsure: PushUndo['whenUnsure']) =>
      call('previewPushUndo', { params, body: { whenUnsure, ...(run !== null && { run }) } }),
    () => [{ name: 'previewPushUndo', params }],
  );
}

export type UndoFilter = { action: UndoAction; code: string | null; results: boolean };

type Page = { products: UndoProduct[]; next: number | null };

const held = { held: ({ name }: ChangeCall) => name === 'chooseUndo' || name === 'previewPushUndo' };

/** `madeAt`: the time of the preview or of the undo's end, because the list is different after either. */
export function useUndoneProducts(importId: string, filter: UndoFilter, madeAt: string | null) {
  const { action, code, results } = filter;
  const query = { action, ...(code !== null && { code }), ...(results && { results: 'true' as const }) };
  const read = pagedReadOf('listUndoneProducts', { id: importId }, query);
  return useInfiniteQuery({
    ...read,
    queryKey: [...read.queryKey, madeAt],
    // Not read again after a choice, so that lines stay in place. Each filter begins with the stored choices.
    staleTime: Number.POSITIVE_INFINITY,
    meta: held,
  });
}

/** A choice for a product, or for all products that are kept with the reason `code`. Null reverts a choice. */
export type MadeChoice = { choice: UndoChoice | null } & ({ product: number } | { code: string });

/** Saves one choice at a time, and keeps the lines in place. `failure`: why the last choice was not saved. */
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
  const pending = usePending<MadeChoice>(mutationKey);
  const choose = (made: MadeChoice) => {
    setFailure(null);
    mutate(made);
  };
  return { choose, pending, failure };
}

function changeLines(client: QueryClient, importId: string, made: MadeChoice): void {
  const changed = (line: UndoProduct): UndoProduct => {
    const { choice } = made;
    if (choice !== null && !line.choices.includes(choice)) return line;
    if ('product' in made) return line.product === made.product ? { ...line, choice } : line;
    return line.code === made.code ? { ...line, choice: null, choiceForAll: choice } : line;
  };
  client.setQueriesData<InfiniteData<Page>>(
    { queryKey: toCacheKey('listUndoneProducts', { id: importId }) },
    (read) => {
      // Skips reads of a single product, because they share this key prefix but have no pages.
      if (read?.pages === undefined) return read;
      const pages = read.pages.map((page) => ({ ...page, products: page.products.map(changed) }));
      return { ...read, pages };
    },
  );
}

/** Reads a product's changes once per preview, because the same number is another product in the next preview. */
export function useStoreChanges(importId: string, product: number, previewedAt: string | null) {
  const read = readOf('listStoreChanges', { params: { id: importId, product } });
  return useQuery({
    ...read,
    queryKey: [...read.queryKey, previewedAt],
    staleTime: Number.POSITIVE_INFINITY,
    meta: held,
  });
}
