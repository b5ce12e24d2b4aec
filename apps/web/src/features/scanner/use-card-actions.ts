import type { MatchChoice } from '@draftshelf/domain/access/preferences';
import { useEffect, useMemo, useRef, useState } from 'react';
import { CallError, messageOf } from '../../api/call.ts';
import { useToast } from '../../ui/feedback/toast.tsx';
import { inStoreOf, type ShownScanned, useScannedDelete, useScannedSync } from './scanner-api.ts';

/** Why a sync was refused: the store has the product under another id, or another reason. */
export type SyncRefusal = { message: string; inStore: { title: string; storeUrl: string } | null };

export type CardActions = ReturnType<typeof useCardActions>;

/** Sync and deletion of the library's products. They go on when the form is opened meanwhile. */
export function useCardActions() {
  const toast = useToast();
  const syncing = useScannedSync();
  const deleting = useScannedDelete();
  const [pending, setPending] = useState<ReadonlySet<string>>(new Set());
  /** By id, with the version that was refused. */
  const [refusals, setRefusals] = useState<
    Readonly<Record<string, SyncRefusal & { version: number | null }>>
  >({});
  const [asked, setAsked] = useState<ShownScanned | null>(null);
  const forget = (id: string) => setRefusals(({ [id]: _gone, ...others }) => others);
  const during = async (key: string, act: () => Promise<void>) => {
    if (pending.has(key)) return;
    setPending((now) => new Set(now).add(key));
    await act();
    setPending((now) => new Set([...now].filter((one) => one !== key)));
  };
  return {
    isSyncing: ({ id }: ShownScanned) => pending.has(`sync ${id}`),
    isDeleting: ({ id }: ShownScanned) => pending.has(`delete ${id}`),
    /** Why this version of the product was not synced; null: it was not refused. */
    refusalOf({ id, version }: ShownScanned): SyncRefusal | null {
      const refusal = refusals[id];
      return refusal?.version === version ? refusal : null;
    },
    sync: ({ id, version }: ShownScanned, whenInStore?: MatchChoice) =>
      during(`sync ${id}`, async () => {
        forget(id);
        try {
          await syncing.mutateAsync({ id, ...(whenInStore === undefined ? {} : { whenInStore }) });
          toast({ title: 'Synced to Shopify', text: 'Product has been synced to Shopify successfully' });
        } catch (cause) {
          const error = cause as Error;
          const message = messageOf(error, 'Failed to sync to Shopify');
          const inStore = inStoreOf(error);
          const text = inStore === null ? message : 'Choose on its card what to do.';
          toast({ title: 'Sync Failed', text, tone: 'failure' });
          const sentence = (error instanceof CallError && error.serverMessage) || message;
          setRefusals((now) => ({ ...now, [id]: { version, message: sentence, inStore } }));
        }
      }),
    /** The product whose deletion the operator is asked about. */
    asked,
    ask: setAsked,
    remove: ({ id }: ShownScanned) =>
      during(`delete ${id}`, async () => {
        try {
          await deleting.mutateAsync(id);
          toast({ title: 'Product Deleted', text: 'Product has been deleted successfully' });
        } catch (error) {
          const text = messageOf(error as Error, 'Failed to delete product');
          toast({ title: 'Delete Failed', text, tone: 'failure' });
        }
      }),
  };
}

/** What the buttons of a card do. */
export type CardCommands = {
  onOpen: (product: ShownScanned) => void;
  onSync: (product: ShownScanned, whenInStore?: MatchChoice) => void;
  onDelete: (product: ShownScanned) => void;
};

/** Commands that stay the same object, so that only the cards with a change are drawn again. */
export function useCommands(commands: CardCommands): CardCommands {
  const latest = useRef(commands);
  useEffect(() => {
    latest.current = commands;
  });
  return useMemo(
    () => ({
      onOpen: (product) => latest.current.onOpen(product),
      onSync: (product, whenInStore) => latest.current.onSync(product, whenInStore),
      onDelete: (product) => latest.current.onDelete(product),
    }),
    [],
  );
}
