import type { MatchChoice } from '@draftshelf/domain/access/preferences';
import { useCallback, useState } from 'react';
import { CallError, messageOf } from '../../api/call.ts';
import { useToast } from '../../ui/feedback/toast.tsx';
import { inStoreOf, type ShownScanned, useScannedDelete, useScannedSync } from './scanner-api.ts';

export type SyncRefusal = { message: string; inStore: { title: string; storeUrl: string } | null };

export type CardActions = ReturnType<typeof useCardActions>;

/** `sync` and `ask` stay the same functions: only cards with a change are drawn again. */
export function useCardActions() {
  const syncs = useSyncs();
  const deletions = useDeletions();
  const [toDelete, setToDelete] = useState<ShownScanned | null>(null);
  return { ...syncs, ...deletions, toDelete, ask: setToDelete };
}

function useSyncs() {
  const toast = useToast();
  const { mutateAsync } = useScannedSync();
  const running = useRunning();
  const { during } = running;
  /** By id. `version` is the refused one. */
  const [refusals, setRefusals] = useState<
    Readonly<Record<string, SyncRefusal & { version: number | null }>>
  >({});
  const sync = useCallback(
    ({ id, version }: ShownScanned, whenInStore?: MatchChoice) =>
      during(id, async () => {
        setRefusals(({ [id]: _before, ...others }) => others);
        try {
          await mutateAsync({ id, ...(whenInStore === undefined ? {} : { whenInStore }) });
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
    [toast, mutateAsync, during],
  );
  return {
    sync,
    isSyncing: ({ id }: ShownScanned) => running.has(id),
    /** Null: this version was not refused. */
    refusalOf({ id, version }: ShownScanned): SyncRefusal | null {
      const refusal = refusals[id];
      return refusal?.version === version ? refusal : null;
    },
  };
}

function useDeletions() {
  const toast = useToast();
  const { mutateAsync } = useScannedDelete();
  const running = useRunning();
  return {
    isDeleting: ({ id }: ShownScanned) => running.has(id),
    remove: ({ id }: ShownScanned) =>
      running.during(id, async () => {
        try {
          await mutateAsync({ params: { id } });
          toast({ title: 'Product Deleted', text: 'Product has been deleted successfully' });
        } catch (error) {
          const text = messageOf(error as Error, 'Failed to delete product');
          toast({ title: 'Delete Failed', text, tone: 'failure' });
        }
      }),
  };
}

function useRunning() {
  const [ids, setIds] = useState<readonly string[]>([]);
  const during = useCallback(async (id: string, act: () => Promise<void>) => {
    setIds((now) => [...now, id]);
    await act();
    setIds((now) => now.filter((running) => running !== id));
  }, []);
  return { has: (id: string) => ids.includes(id), during };
}
