import type { Gone } from '@draftshelf/contract/push/gone';
import { importPath } from '../../../lib/paths.ts';
import { goneActionLabels, sumsWords } from '../list/gone-words.ts';
import { readGone } from '../list/list-api.ts';
import type { RunEnd } from './tell-undo.ts';

/** Reads how a change of products that are no longer listed has ended; null if it has not. */
export async function readGoneEnd(id: string, filename: string): Promise<RunEnd | null> {
  const gone = await readGone(id);
  return gone.state === 'undoing' || gone.state === 'paused' ? null : goneEnd(gone, { id, filename });
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
    mark: `${isFailed ? '✗' : '✓'} ${filename}`,
  };
}
