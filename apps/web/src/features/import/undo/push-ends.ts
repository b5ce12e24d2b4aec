import { countOf } from '../../../lib/intl.ts';
import type { ToastLink } from '../../../ui/feedback/toast-state.ts';
import type { ShownCurrent } from '../dashboard-api.ts';
import type { ShownImport } from '../imports-api.ts';
import type { CarryingOut } from '../runs-under-way.ts';
import { outcomeParts, partWords, someOf } from '../status/composition.ts';

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

/** The run under way that carries a preview out; null: none. One that has failed has ended. */
export function carryingOut(record: ShownCurrent): CarryingOut | null {
  const { filename, isUndoing, changesGone: isAboutGone, status } = record;
  return (isUndoing || isAboutGone) && !isFailed(status) ? { filename, isAboutGone } : null;
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

/** '✓ push-900.csv' for the page's title, '✗ push-900.csv' after a failure, '✓ 3 pushes' after several. */
export function titleMark(ended: readonly Pushed[]): string {
  const sign = ended.some(({ status }) => isFailed(status)) ? '✗' : '✓';
  return `${sign} ${ended.length === 1 ? ended[0]?.filename : countOf(ended.length, 'push', 'pushes')}`;
}

/** The notification of pushes that have ended. */
export function endNotice(ended: readonly Pushed[]): {
  title: string;
  text: string[];
  tone: 'plain' | 'failure';
  link: ToastLink | null;
} {
  const [first] = ended;
  const hasFailed = ended.some(({ status }) => isFailed(status));
  const title = hasFailed ? 'Push Failed' : 'Push Completed';
  return {
    title: ended.length === 1 ? title : `${ended.length} pushes ended`,
    text: ended.map(endWords),
    tone: hasFailed ? 'failure' : 'plain',
    link: ended.length === 1 && first ? { report: first.id, words: 'View Report' } : null,
  };
}
