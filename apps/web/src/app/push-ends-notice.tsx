import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useLocation } from 'react-router';
import {
  type CarryingOut,
  carryingOut,
  endNotice,
  importRead,
  isPushed,
  type KnownPushes,
  newEnds,
  type Pushed,
  readLight,
  runsUnderWay,
  type ShownCurrent,
  type ShownImport,
  titleMark,
  useCurrentAnywhere,
} from '../features/import/index.ts';
import { loadChunk } from '../lib/load-chunk.ts';
import { queuePath } from '../lib/paths.ts';
import { useToast } from '../ui/feedback/toast.tsx';
import { reportDurationMs, type ToastRequest } from '../ui/feedback/toast-state.ts';
import { markTitle } from './title-mark.ts';

/**
 * Tells the end of each push, and of each other run in the store, once, on whichever screen is open and in the page's
 * title, and refreshes its import and the store's products. In the queue the import's row tells it.
 */
export function PushEndsNotice() {
  const { pathname } = useLocation();
  const { data: imports, dataUpdatedAt } = useCurrentAnywhere({ isOnDashboard: pathname === '/' });
  const tell = useTell(pathname);
  const tellRun = useEffectEvent(tell.run);
  const tellPushes = useEffectEvent(tell.pushes);
  const known = useRef<KnownPushes | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a run may begin and end between two equal replies.
  useEffect(() => {
    if (imports === undefined) return;
    const running = new Set<string>();
    for (const record of imports) {
      const run = carryingOut(record);
      if (run === null) continue;
      running.add(record.id);
      runsUnderWay.set(record.id, run);
    }
    const news = newEnds(known.current, imports, runsUnderWay);
    known.current = news.known;
    for (const [id, run] of runsUnderWay) if (!running.has(id)) void tellRun(id, run);
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
    run: async (id: string, run: CarryingOut) => {
      // Told once, also if the next reply comes before the end is read.
      runsUnderWay.delete(id);
      const end = await readRunEnd(id, run).catch(() => undefined);
      if (end) show(end.toast, [id], end.mark);
      else if (end === null) runsUnderWay.set(id, run);
    },
  };
}

/** Few sessions undo a push, or change products that are no longer listed. */
async function readRunEnd(id: string, { filename, isAboutGone }: CarryingOut) {
  if (isAboutGone) {
    const chunk = await loadChunk(() => import('../features/import/undo/tell-gone.ts'));
    return chunk.readGoneEnd(id, filename);
  }
  const chunk = await loadChunk(() => import('../features/import/undo/tell-undo.ts'));
  return chunk.readUndoEnd(id, filename);
}

/** Every screen has this notice, and few sessions end a push: the calls of the store load then. */
async function refreshProducts(client: QueryClient): Promise<void> {
  const { readProductsAgain } = await loadChunk(() => import('../features/store/store-api.ts'));
  await readProductsAgain(client);
}
