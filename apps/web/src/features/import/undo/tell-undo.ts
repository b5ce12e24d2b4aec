import type { PushUndo } from '@draftshelf/contract/push/push-undo';
import { undoPath } from '../../../lib/paths.ts';
import type { ToastRequest } from '../../../ui/feedback/toast-state.ts';
import { readPushUndo } from './push-undo-api.ts';
import { resultWords, undoStanding } from './sum-lines.ts';
import { undoneRun } from './undo-words.ts';

/** The notification of a run that has ended, and its mark for the page's title. */
export type RunEnd = { toast: ToastRequest; mark: string };

/** Reads how an undo has ended; null if it has not. */
export async function readUndoEnd(id: string, filename: string): Promise<RunEnd | null> {
  const undo = await readPushUndo(id);
  return undo.state === 'undoing' || undo.state === 'paused' ? null : undoEnd(undo, { id, filename });
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
    mark: `${isFailed ? '✗' : '✓'} ${filename}`,
  };
}
