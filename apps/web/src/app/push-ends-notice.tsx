import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useLocation } from 'react-router';
import {
  endNotice,
  importRead,
  isPushed,
  isUndoUnderWay,
  type KnownPushes,
  newEnds,
  type Pushed,
  readLight,
  type ShownCurrent,
  type ShownImport,
  titleMark,
  undosUnderWay,
  useCurrentAnywhere,
} from '../features/import/index.ts';
import { loadChunk } from '../lib/load-chunk.ts';
import { queuePath } from '../lib/paths.ts';
import { useToast } from '../ui/feedback/toast.tsx';
import { reportDurationMs, type ToastRequest } from '../ui/feedback/toast-state.ts';
import { markTitle } from './title-mark.ts';

/**
 * Tells the end of each push, and of each undo of one, once, on whichever screen is open and in the page's title, and
 * refreshes its import and the store's products. In the queue the import's row tells it.
 */
export function PushEndsNotice() {
  const { pathname } = useLocation();
  const { data: imports, dataUpdatedAt } = useCurrentAnywhere({ isOnDashboard: pathname === '/' });
  const tell = useTell(pathname);
  const tellUndo = useEffectEvent(tell.undo);
  const tellPushes = useEffectEvent(tell.pushes);
  const known = useRef<KnownPushes | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an undo may begin and end between two equal replies.
  useEffect(() => {
    if (imports === undefined) return;
    const undoing = imports.filter(isUndoUnderWay);
    for (const { id, filename } of undoing) undosUnderWay.set(id, filename);
    const news = newEnds(known.current, imports, undosUnderWay);
    known.current = news.known;
    for (const [id, filename] of undosUnderWay) {
      if (undoing.every((record) => record.id !== id)) void tellUndo(id, filename);
    }
    const { ended, gone } = news;
    if (ended.length + gone.length === 0) return;
    const readings = gone.map((id) => readLight(id).catch(() => null));
    void Promise.all(readings).then((read) => {
      const pushed = [...ended, ...read.filter(isThere).filter(isPushed)];
      if (pushed.length > 0) tellPushes(pushed);
    });
  }, [imports, dataUpdatedAt]);
  return null;
}

const isThere = <T extends ShownImport | ShownCurrent>(record: T | null): record is T => record !== null;

function useTell(pathname: string) {
  const toast = useToast();
  const client = useQueryClient();
  const show = (notice: ToastRequest, ids: readonly string[], mark: string) => {
    // A chunk that does not load reloads the page, or the store's page reads again when it is opened.
    refreshProducts(client).catch(() => {});
    for (const id of ids) void client.invalidateQueries({ queryKey: importRead(id).queryKey });
    markTitle(mark);
    toast({ ...notice, durationMs: reportDurationMs, waits: true, isKeptOnly: pathname === queuePath });
  };
  return {
    pushes: (pushed: readonly Pushed[]) => {
      const { link, ...notice } = endNotice(pushed);
      const ids = pushed.map(({ id }) => id);
      show({ ...notice, ...(link !== null && { link }) }, ids, titleMark(pushed));
    },
    undo: async (id: string, filename: string) => {
      // Told once, also if the next reply comes before the end is read.
      undosUnderWay.delete(id);
      const end = await readUndoEnd(id, filename).catch(() => undefined);
      if (end) show(end.toast, [id], end.mark);
      else if (end === null) undosUnderWay.set(id, filename);
    },
  };
}

/** Few sessions undo a push. */
async function readUndoEnd(id: string, filename: string) {
  const chunk = await loadChunk(() => import('../features/import/undo/tell-undo.ts'));
  return chunk.readUndoEnd(id, filename);
}

/** Every screen has this notice, and few sessions end a push: the calls of the store load then. */
async function refreshProducts(client: QueryClient): Promise<void> {
  const { readProductsAgain } = await loadChunk(() => import('../features/store/store-api.ts'));
  await readProductsAgain(client);
}
