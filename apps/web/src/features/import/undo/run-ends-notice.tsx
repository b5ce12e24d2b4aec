import { VisuallyHidden } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { recordKey, refreshAfter } from '../../../api/stale-reads.ts';
import { formatCount } from '../../../lib/intl.ts';
import { queuePath } from '../../../lib/paths.ts';
import { useToast } from '../../../ui/feedback/toast.tsx';
import { reportDurationMs } from '../../../ui/feedback/toast-state.ts';
import { type ShownCurrent, useCurrentAnywhere, useKnownCurrent } from '../dashboard-api.ts';
import { readLight, type ShownImport } from '../imports-api.ts';
import { runsUnderWay, type UnderWay } from '../store-runs.ts';
import {
  carriedOutBy,
  endWords,
  isPushed,
  type KnownPushes,
  newEnds,
  type Pushed,
  pushEnd,
  type RunEnd,
  readEnd,
} from './run-ends.ts';

/**
 * Tells the end of each push, and of each other run in the store, once, on whichever screen is open and in the page's
 * title, and refreshes its import and the store's products. In the queue the import's row tells it.
 */
export function RunEndsNotice() {
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
      const run = carriedOutBy(record);
      if (run === null) continue;
      running.add(record.id);
      runsUnderWay.set(record.id, { run, filename: record.filename });
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
  const show = ({ toast: notice, mark }: RunEnd, ids: readonly string[]) => {
    void refreshAfter(client, [{ name: 'syncInventory' }]);
    for (const id of ids) void client.invalidateQueries({ queryKey: recordKey(id) });
    markTitle(mark);
    toast({ ...notice, durationMs: reportDurationMs, waits: true, isKeptOnly: pathname === queuePath });
  };
  return {
    pushes: (pushed: readonly Pushed[]) =>
      show(
        pushEnd(pushed),
        pushed.map(({ id }) => id),
      ),
    run: async (id: string, run: UnderWay) => {
      // Told once, also if the next reply comes before the end is read.
      runsUnderWay.delete(id);
      const end = await readEnd(id, run).catch(() => undefined);
      if (end) show(end, [id]);
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

type RowEndProps = { record: Pushed & Pick<ShownImport, 'startedAt' | 'isUndoing'> };

/** Tells screen readers the end of an import's push or undo, in its row of the queue. */
export function RowEnd({ record }: RowEndProps) {
  const { status, startedAt, isUndoing } = record;
  const [last, setLast] = useState({ status, startedAt, isUndoing, words: '' });
  // A push that begins and ends between two polls leaves the status, but not the start, as it was.
  if (last.status !== status || last.startedAt !== startedAt || last.isUndoing !== isUndoing) {
    setLast({ status, startedAt, isUndoing, words: newWords(record, last) });
  }
  return <VisuallyHidden role="status">{last.words}</VisuallyHidden>;
}

function newWords(record: RowEndProps['record'], before: { status: string; isUndoing: boolean }): string {
  const { status, isUndoing, filename } = record;
  if (before.isUndoing || isUndoing) {
    return isUndoing ? '' : `${filename}: the undo of its push has ended.`;
  }
  const isEdited = before.status === 'uploading' && (status === 'queued' || status === 'processed');
  return isPushed(record) || isEdited ? endWords(record) : '';
}

/** Number of imports that are being read, looked up or pushed. */
export function useRunningCount(): number {
  const imports = useKnownCurrent().data ?? [];
  return imports.filter(({ status }) => status === 'processing' || status === 'uploading').length;
}

/** ' (2)' beside the queue's entry of the navigation while imports are under way. */
export function RunningCount() {
  const count = useRunningCount();
  return count > 0 && <span className="numbers">{` (${formatCount(count)})`}</span>;
}
