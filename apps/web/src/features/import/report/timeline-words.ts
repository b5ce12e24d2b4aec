import type { ImportReport } from '@draftshelf/contract/imports/report';
import type { TimelineKind } from '@draftshelf/domain/imports/import-timeline';
import { formatDuration, formatMoment } from '../../../lib/intl.ts';
import type { Span } from '../../../ui/charts/timeline.tsx';

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
