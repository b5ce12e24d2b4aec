import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useLocation } from 'react-router';
import { recordKey, refreshAfter } from '../api/stale-reads.ts';
import {
  type CarryingOut,
  carryingOut,
  endNotice,
  isPushed,
  type KnownPushes,
  newEnds,
  type Pushed,
  readGoneEnd,
  readLight,
  readUndoEnd,
  runsUnderWay,
  type ShownCurrent,
  type ShownImport,
  titleMark,
  useCurrentAnywhere,
} from '../features/import/index.ts';
import { queuePath } from '../lib/paths.ts';
import { useToast } from '../ui/feedback/toast.tsx';
import { reportDurationMs, type ToastRequest } from '../ui/feedback/toast-state.ts';

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
    void refreshAfter(client, [{ name: 'syncInventory' }]);
    for (const id of ids) void client.invalidateQueries({ queryKey: recordKey(id) });
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
      const readEnd = run.isAboutGone ? readGoneEnd : readUndoEnd;
      const end = await readEnd(id, run.filename).catch(() => undefined);
      if (end) show(end.toast, [id], end.mark);
      else if (end === null) runsUnderWay.set(id, run);
    },
  };
}

/** The mark stays for so long while the tab is looked at, as the notification does. */
const seenMs = 10_000;

let mark = '';
let observer: MutationObserver | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Puts words before the title of the page, on whichever screen, until the operator has looked at the tab for ten
 * seconds. Titles of screens that are opened meanwhile get them as well.
 */
function markTitle(words: string): void {
  unmark();
  mark = `${words} · `;
  writeMark();
  observer = new MutationObserver(writeMark);
  observer.observe(document.head, { childList: true, subtree: true, characterData: true });
  document.addEventListener('visibilitychange', leaveWhenSeen);
  leaveWhenSeen();
}

function writeMark(): void {
  if (!document.title.startsWith(mark)) document.title = mark + document.title;
}

function leaveWhenSeen(): void {
  clearTimeout(timer);
  if (document.visibilityState === 'visible') timer = setTimeout(unmark, seenMs);
}

function unmark(): void {
  clearTimeout(timer);
  observer?.disconnect();
  document.removeEventListener('visibilitychange', leaveWhenSeen);
  if (mark !== '' && document.title.startsWith(mark)) document.title = document.title.slice(mark.length);
  mark = '';
}
