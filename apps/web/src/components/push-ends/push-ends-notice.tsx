import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { type ShownCurrent, useCurrentAnywhere } from '../../api/dashboard.ts';
import { importRead, readLight, type ShownImport } from '../../api/imports.ts';
import { loadChunk } from '../../lib/load-chunk.ts';
import { queuePath } from '../../lib/paths.ts';
import { useToast } from '../feedback/toast.tsx';
import { reportDurationMs } from '../feedback/toast-state.ts';
import { endNotice, isPushed, type KnownPushes, newEnds, type Pushed, titleMark } from './push-ends.ts';
import { markTitle } from './title-mark.ts';

/**
 * Tells the end of each push once, on whichever screen is open and in the page's title, and refreshes its import and
 * the store's products. In the queue the import's row tells it.
 */
export function PushEndsNotice() {
  const { pathname } = useLocation();
  const imports = useCurrentAnywhere({ isOnDashboard: pathname === '/' }).data;
  const tell = useTell(pathname);
  const known = useRef<KnownPushes | null>(null);
  const latest = useRef(tell);
  useEffect(() => {
    latest.current = tell;
  });
  useEffect(() => {
    if (imports === undefined) return;
    const news = newEnds(known.current, imports);
    known.current = news.known;
    const { ended, gone } = news;
    if (ended.length + gone.length === 0) return;
    const readings = gone.map((id) => readLight(id).catch(() => null));
    void Promise.all(readings).then((read) => {
      const pushed = [...ended, ...read.filter(isThere).filter(isPushed)];
      if (pushed.length > 0) latest.current(pushed);
    });
  }, [imports]);
  return null;
}

const isThere = <T extends ShownImport | ShownCurrent>(record: T | null): record is T => record !== null;

function useTell(pathname: string): (pushed: readonly Pushed[]) => void {
  const toast = useToast();
  const client = useQueryClient();
  return (pushed) => {
    // A chunk that does not load reloads the page, or the store's page reads again when it is opened.
    refreshProducts(client).catch(() => {});
    for (const { id } of pushed) void client.invalidateQueries({ queryKey: importRead(id).queryKey });
    const { link, ...notice } = endNotice(pushed);
    markTitle(titleMark(pushed));
    toast({
      ...{ ...notice, ...(link === null ? {} : { link }), durationMs: reportDurationMs, waits: true },
      isKeptOnly: pathname === queuePath,
    });
  };
}

/** Every screen has this notice, and few sessions end a push: the calls of the store load then. */
async function refreshProducts(client: QueryClient): Promise<void> {
  const { readProductsAgain } = await loadChunk(() => import('../../api/store.ts'));
  await readProductsAgain(client);
}
