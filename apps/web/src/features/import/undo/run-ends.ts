import type { Gone } from '@draftshelf/contract/push/gone';
import type { PushUndo } from '@draftshelf/contract/push/push-undo';
import { countOf } from '../../../lib/intl.ts';
import { importPath, undoPath } from '../../../lib/paths.ts';
import type { ToastRequest } from '../../../ui/feedback/toast-state.ts';
import type { ShownCurrent } from '../dashboard-api.ts';
import type { ShownImport } from '../imports-api.ts';
import { goneActionLabels, sumsWords } from '../list/gone-words.ts';
import { outcomeParts, partWords, someOf } from '../status/composition.ts';
import { isCarriedOut, readStoreRun, type StoreRun, type UnderWay } from '../store-runs.ts';
import { resultWords, undoneRun, undoStanding } from './undo-words.ts';

/** The imports whose push runs, and the pushes that had ended, in the last reply. */
export type KnownPushes = { running: ReadonlySet<string>; ended: ReadonlySet<string> };

/** An import right after its push. After a failure its status is 'error' or 'failed', depending on the list. */
export type Pushed = Pick<
  ShownImport,
  'id' | 'filename' | 'status' | 'failedIn' | 'outcomes' | 'errorMessage'
>;

/** Whether the last thing that happened to an import is the end of a push. */
export function isPushed({ status, failedIn }: Pick<Pushed, 'status' | 'failedIn'>): boolean {
  return status === 'completed' || (isFailed(status) && failedIn === 'push');
}

const isFailed = (status: string) => status === 'failed' || status === 'error';

/** The run that carries a preview out; null: none. One that has failed has ended. */
export function carriedOutBy({ isUndoing, changesGone, status }: ShownCurrent): StoreRun | null {
  if (isFailed(status)) return null;
  return changesGone ? 'getGone' : isUndoing ? 'getPushUndo' : null;
}

/**
 * Finds pushes that ended since the last reply. The list has an import that ended for a minute; one that is no longer
 * listed is in `gone`. Pushes that had ended by the first reply are not reported. `others`: imports with
 * another run, which looks like the end of a push.
 */
export function newEnds(
  known: KnownPushes | null,
  listed: readonly ShownCurrent[],
  others: ReadonlyMap<string, unknown>,
): { known: KnownPushes; ended: ShownCurrent[]; gone: string[] } {
  const imports = listed.filter(({ id }) => !others.has(id));
  const running = new Set(imports.flatMap(({ id, status }) => (status === 'uploading' ? [id] : [])));
  // An import can be pushed again: then it was started again.
  const keyOf = ({ id, startedAt }: ShownCurrent) => `${id} ${startedAt}`;
  const pushed = imports.filter(isPushed);
  // The end of another run leaves the start of the push as it was.
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

/** 'push-900.csv: 900 created, 3 skipped.', or why the push failed. */
export function endWords({ filename, status, outcomes, errorMessage }: Pushed): string {
  const parts = someOf(outcomeParts(outcomes)).map(partWords).join(', ');
  const result = parts === '' ? 'nothing was pushed.' : `${parts}.`;
  return `${filename}: ${(isFailed(status) && errorMessage) || result}`;
}

/** The notification of a run that has ended, and its mark for the page's title. */
export type RunEnd = { toast: ToastRequest; mark: string };

/** How pushes have ended. The mark: '✓ push-900.csv', '✗ push-900.csv' after a failure, '✓ 3 pushes' after several. */
export function pushEnd(ended: readonly Pushed[]): RunEnd {
  const [first, ...others] = ended;
  const isOne = first !== undefined && others.length === 0;
  const hasFailed = ended.some(({ status }) => isFailed(status));
  const title = hasFailed ? 'Push Failed' : 'Push Completed';
  return {
    toast: {
      title: isOne ? title : `${ended.length} pushes ended`,
      text: ended.map(endWords),
      tone: hasFailed ? 'failure' : 'plain',
      ...(isOne && { link: { report: first.id, words: 'View Report' } }),
    },
    mark: markOf(hasFailed, isOne ? first.filename : countOf(ended.length, 'push', 'pushes')),
  };
}

const markOf = (hasFailed: boolean, words: string) => `${hasFailed ? '✗' : '✓'} ${words}`;

/** Reads how a run has ended; null if it has not. */
export async function readEnd(id: string, { run, filename }: UnderWay): Promise<RunEnd | null> {
  if (run === 'getGone') {
    const gone = await readStoreRun(run, id);
    return isCarriedOut(gone) ? null : goneEnd(gone, { id, filename });
  }
  const undo = await readStoreRun(run, id);
  return isCarriedOut(undo) ? null : undoEnd(undo, { id, filename });
}

/** How a change of products that are no longer listed has ended, in words. */
export function goneEnd(
  { state, action, results, message }: Pick<Gone, 'state' | 'action' | 'results' | 'message'>,
  { id, filename }: { id: string; filename: string },
): RunEnd {
  const isFailed = state === 'failed';
  const label = action === null ? 'No longer listed' : goneActionLabels[action];
  const did = sumsWords(results, action, true).join(' ') || 'Nothing was changed.';
  return {
    toast: {
      title: isFailed ? `${label}: failed` : state === 'stopped' ? `${label}: stopped` : label,
      text: `${filename}: ${did}${isFailed && message !== null ? ` ${message}` : ''}`,
      tone: isFailed ? 'failure' : 'plain',
      link: { to: `${importPath(id)}?details=list-since`, words: 'Show List' },
    },
    mark: markOf(isFailed, filename),
  };
}

const titles: Partial<Record<ReturnType<typeof undoStanding>, string>> = {
  kept: 'Nothing was undone',
  stopped: 'Undo stopped',
};

function titleOf(undo: PushUndo): string {
  const standing = undoStanding(undo);
  if (standing !== 'undone') return titles[standing] ?? 'Undo failed';
  return `${undo.gone === null ? 'Push' : undoneRun(undo)} undone`;
}

/** How an undo has ended, in words. */
export function undoEnd(undo: PushUndo, { id, filename }: { id: string; filename: string }): RunEnd {
  const isFailed = undo.state === 'failed';
  const why = isFailed && undo.message !== null ? ` ${undo.message}` : '';
  return {
    toast: {
      title: titleOf(undo),
      text: `${filename}: ${resultWords(undo.results)}.${why}`,
      tone: isFailed ? 'failure' : 'plain',
      link: { to: undoPath(id), words: 'Show Products' },
    },
    mark: markOf(isFailed, filename),
  };
}
