import type { ImportReport } from '@draftshelf/contract/imports/report';
import type { TimelineKind } from '@draftshelf/domain/imports/import-timeline';
import { countOf, formatCount, formatDuration, formatMoment } from '../../../lib/intl.ts';
import type { Span } from '../../../ui/charts/timeline.tsx';

/** '3 of 5 products are already in the store.': a push left them alone, because they have another id there. */
export function inStoreWords(inStore: number, total: number): string {
  if (inStore === total) {
    return total === 1
      ? 'The product is already in the store.'
      : `All ${formatCount(total)} are already in the store.`;
  }
  return `${formatCount(inStore)} of ${countOf(total, 'product')} ${inStore === 1 ? 'is' : 'are'} already in the store.`;
}

const names: Record<TimelineKind, string> = {
  read: 'Read',
  reread: 'Read again',
  waited: 'Waited for you',
  pushed: 'Pushed',
  retried: 'Retried',
  undone: 'Undone',
};

/** Kinds of kinds.css. */
const kinds: Record<TimelineKind, string> = {
  read: 'read',
  reread: 'read',
  waited: 'idle',
  pushed: 'pushed',
  retried: 'pushed',
  undone: 'pushed',
};

/** The spans of an import's life as its timeline shows them. */
export function spansOf(timeline: ImportReport['timeline'], nowMs: number): Span[] {
  return timeline.map(({ kind, startedAt, endedAt }) => {
    const lengthMs = Math.max(0, (endedAt === null ? nowMs : Date.parse(endedAt)) - Date.parse(startedAt));
    const took = formatDuration(lengthMs);
    return {
      kind: kinds[kind],
      name: names[kind],
      when: formatMoment(startedAt, nowMs),
      took: endedAt === null ? `${took} so far` : took,
      lengthMs,
    };
  });
}
