import type { GoneProductsPlan } from '@draftshelf/contract/push/gone';
import type { PushUndo } from '@draftshelf/contract/push/push-undo';
import { VisuallyHidden } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { importKey, refreshAfter } from '../../../api/stale-reads.ts';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { importPath, queuePath, undoPath } from '../../../lib/paths.ts';
import { reportDurationMs, type ToastRequest, toast } from '../../../ui/feedback/toast-state.ts';
import { type ShownCurrent, useCurrentAnywhere, useKnownCurrentImports } from '../dashboard-api.ts';
import { readImportOnce, type ShownImport } from '../imports-api.ts';
import { goneActionLabels, goneSentences } from '../list/gone-words.ts';
import { outcomeParts, partWords, someOf } from '../status/composition.tsx';
import {
  isRunUnderWay,
  type RunUnderWay,
  readStoreRun,
  runsUnderWay,
  type StoreRun,
} from '../store-runs.tsx';
import { findUndoState, resultWords, undoneRunWords } from './undo-words.ts';

/** Reports each end of a run once, on any screen and in the page's title. In the queue, the import's row reports it. */
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
      const run = findStoreRun(record);
      if (run === null) continue;
      running.add(record.id);
      runsUnderWay.set(record.id, { run, filename: record.filename });
    }
    const news = findNewPushEnds(known.current, imports, runsUnderWay);
    known.current = news.known;
    for (const [id, run] of runsUnderWay) if (!running.has(id)) void tellRun(id, run);
    const { ended, gone } = news;
    if (ended.length + gone.length === 0) return;
    const readings = gone.map((id) => readImportOnce(id).catch(() => null));
    void Promise.all(readings).then((read) => {
      const pushed = [...ended, ...read.filter((record) => record !== null).filter(isPushed)];
      if (pushed.length > 0) tellPushes(pushed);
    });
  }, [imports, dataUpdatedAt]);
  return null;
}

function useTell(pathname: string) {
  const client = useQueryClient();
  const show = ({ toast: notice, mark }: RunEnd, ids: readonly string[]) => {
    void refreshAfter(client, [{ name: 'syncInventory' }]);
    for (const id of ids) void client.invalidateQueries({ queryKey: importKey(id) });
    markTitle(mark);
    toast({ ...notice, durationMs: reportDurationMs, waits: true, isKeptOnly: pathname === queuePath });
  };
  return {
    pushes: (pushed: readonly Pushed[]) =>
      show(
        createPushEnd(pushed),
        pushed.map(({ id }) => id),
      ),
    run: async (id: string, run: RunUnderWay) => {
      // Removed before the end is read, so that the next poll does not report the run again.
      runsUnderWay.delete(id);
      const end = await readEnd(id, run).catch(() => undefined);
      if (end) show(end, [id]);
      else if (end === null) runsUnderWay.set(id, run);
    },
  };
}

/** Milliseconds for which the tab must be visible before the mark is removed. Notifications are shown for as long. */
const seenMs = 10_000;

let mark = '';
let observer: MutationObserver | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Puts a mark before the titles of all screens, until the tab has been visible for ten seconds. */
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

/** Announces the end of a run to screen readers, in the import's row of the queue. */
export function RunEndStatus({ record }: RowEndProps) {
  const { status, startedAt, isUndoing } = record;
  const [last, setLast] = useState({ status, startedAt, isUndoing, words: '' });
  // Compares the start too: a push that begins and ends between two polls leaves the status as it was.
  if (last.status !== status || last.startedAt !== startedAt || last.isUndoing !== isUndoing) {
    setLast({ status, startedAt, isUndoing, words: newWords(record, last) });
  }
  return <VisuallyHidden role="status">{last.words}</VisuallyHidden>;
}

function newWords(record: RowEndProps['record'], before: { status: string; isUndoing: boolean }): string {
  const { status, isUndoing, filename } = record;
  if (before.isUndoing || isUndoing) return isUndoing ? '' : `${filename}: the undo of its push has ended.`;
  const isEdited = before.status === 'uploading' && (status === 'queued' || status === 'processed');
  return isPushed(record) || isEdited ? pushEndWords(record) : '';
}

export function useRunningCount(): number {
  const imports = useKnownCurrentImports().data ?? [];
  return imports.filter(({ status }) => status === 'processing' || status === 'uploading').length;
}

export function RunningCount() {
  const count = useRunningCount();
  return count > 0 && <span className="numbers">{` (${formatCount(count)})`}</span>;
}

export type KnownPushes = { running: ReadonlySet<string>; ended: ReadonlySet<string> };

/** A push that has ended. If it failed, its status is 'error' in replies for the dashboard, else 'failed'. */
type Pushed = Pick<ShownImport, 'id' | 'filename' | 'status' | 'failedIn' | 'outcomes' | 'errorMessage'>;

const isPushed = ({ status, failedIn }: Pick<Pushed, 'status' | 'failedIn'>): boolean =>
  status === 'completed' || (isFailed(status) && failedIn === 'push');

const isFailed = (status: string) => status === 'failed' || status === 'error';

/** Returns the run of an import. Null if there is none or if the run has failed. */
export function findStoreRun({ isUndoing, changesGone, status }: ShownCurrent): StoreRun | null {
  if (isFailed(status)) return null;
  return changesGone ? 'getGone' : isUndoing ? 'getPushUndo' : null;
}

/**
 * Returns pushes that ended since `known`, none for the first reply. `gone`: ids of pushes that are no longer listed,
 * as happens a minute after their end. `others`: imports with another run, whose end looks like the end of a push.
 */
export function findNewPushEnds(
  known: KnownPushes | null,
  listed: readonly ShownCurrent[],
  others: ReadonlyMap<string, unknown>,
): { known: KnownPushes; ended: ShownCurrent[]; gone: string[] } {
  const imports = listed.filter(({ id }) => !others.has(id));
  const running = new Set(imports.flatMap(({ id, status }) => (status === 'uploading' ? [id] : [])));
  // Contains the start, because the same import may be pushed again.
  const keyOf = ({ id, startedAt }: ShownCurrent) => `${id} ${startedAt}`;
  const pushed = imports.filter(isPushed);
  // Includes imports with another run, so that their earlier pushes do not seem new when that run ends.
  const next = { running, ended: new Set(listed.filter(isPushed).map(keyOf)) };
  if (known === null) return { known: next, ended: [], gone: [] };
  const edited = imports.filter(
    ({ id, status }) => known.running.has(id) && (status === 'queued' || status === 'processed'),
  );
  return {
    known: next,
    ended: [...pushed.filter((record) => !known.ended.has(keyOf(record))), ...edited],
    gone: [...known.running].filter((id) => listed.every((record) => record.id !== id)),
  };
}

/** Example: 'push-900.csv: 900 created, 3 skipped.' After a failure, its reason. */
export function pushEndWords({ filename, status, outcomes, errorMessage }: Pushed): string {
  const parts = someOf(outcomeParts(outcomes)).map(partWords).join(', ');
  const result = parts === '' ? 'nothing was pushed.' : `${parts}.`;
  return `${filename}: ${(isFailed(status) && errorMessage) || result}`;
}

type RunEnd = { toast: ToastRequest; mark: string };

/** Returns the report of pushes. Its mark is '✓ push-900.csv', '✗ push-900.csv' if failed, or '✓ 3 pushes'. */
export function createPushEnd(ended: readonly Pushed[]): RunEnd {
  const [first, ...others] = ended;
  const isOne = first !== undefined && others.length === 0;
  const hasFailed = ended.some(({ status }) => isFailed(status));
  const title = hasFailed ? 'Push Failed' : 'Push Completed';
  return endOf(hasFailed, isOne ? first.filename : countOf(ended.length, 'push', 'pushes'), {
    title: isOne ? title : `${ended.length} pushes ended`,
    text: ended.map(pushEndWords),
    ...(isOne && { link: { report: first.id, words: 'View Report' } }),
  });
}

const endOf = (hasFailed: boolean, words: string, toast: Omit<ToastRequest, 'tone'>): RunEnd => ({
  toast: { ...toast, tone: hasFailed ? 'failure' : 'plain' },
  mark: `${hasFailed ? '✗' : '✓'} ${words}`,
});

/** Returns the report of a run, or null if the run has not ended. */
async function readEnd(id: string, { run, filename }: RunUnderWay): Promise<RunEnd | null> {
  if (run === 'getGone') {
    const gone = await readStoreRun(run, id);
    return isRunUnderWay(gone) ? null : createGoneRunEnd(gone, { id, filename });
  }
  const undo = await readStoreRun(run, id);
  return isRunUnderWay(undo) ? null : createUndoEnd(undo, { id, filename });
}

export function createGoneRunEnd(
  { state, action, results, message }: Pick<GoneProductsPlan, 'state' | 'action' | 'results' | 'message'>,
  { id, filename }: { id: string; filename: string },
): RunEnd {
  const isFailed = state === 'failed';
  const label = action === null ? 'No longer listed' : goneActionLabels[action];
  const did = goneSentences(results, action, true).join(' ') || 'Nothing was changed.';
  return endOf(isFailed, filename, {
    title: isFailed ? `${label}: failed` : state === 'stopped' ? `${label}: stopped` : label,
    text: `${filename}: ${did}${isFailed && message !== null ? ` ${message}` : ''}`,
    link: { to: `${importPath(id)}?details=list-since`, words: 'Show List' },
  });
}

const titles: Partial<Record<ReturnType<typeof findUndoState>, string>> = {
  kept: 'Nothing was undone',
  stopped: 'Undo stopped',
};

function titleOf(undo: PushUndo): string {
  const standing = findUndoState(undo);
  if (standing !== 'undone') return titles[standing] ?? 'Undo failed';
  return `${undo.gone === null ? 'Push' : undoneRunWords(undo)} undone`;
}

export function createUndoEnd(undo: PushUndo, { id, filename }: { id: string; filename: string }): RunEnd {
  const isFailed = undo.state === 'failed';
  const why = isFailed && undo.message !== null ? ` ${undo.message}` : '';
  return endOf(isFailed, filename, {
    title: titleOf(undo),
    text: `${filename}: ${resultWords(undo.results)}.${why}`,
    link: { to: undoPath(id), words: 'Show Products' },
  });
}
