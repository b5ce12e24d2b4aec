import type { Stage } from './stages.ts';

/** Kinds of time spans of an import: reading, waiting for a person, pushing and undoing. */
export const timelineKinds = ['read', 'reread', 'waited', 'pushed', 'retried', 'undone'] as const;
export type TimelineKind = (typeof timelineKinds)[number];

/** A run of a stage. Times are milliseconds since 1970. `endedMs` is null if the run has not ended or was stopped. */
export type TimedRun = {
  stage: Stage;
  kind: 'full' | 'reread' | 'retry' | 'undo' | 'gone';
  startedMs: number;
  endedMs: number | null;
};

/** `endedMs` is null while the span lasts. */
export type TimelineSpan = { kind: TimelineKind; startedMs: number; endedMs: number | null };

/** Minimum pause between two runs that counts as waiting. */
const waitMsMin = 1000;

/** Returns an import's spans from its runs in order. If `isOver`, a last run without an end ends at `stoppedMs`. */
export function toTimeline(
  runs: readonly TimedRun[],
  { stoppedMs, isOver }: { stoppedMs: number | null; isOver: boolean },
): TimelineSpan[] {
  const spans: TimelineSpan[] = [];
  for (const [at, run] of runs.entries()) {
    const next = runs[at + 1];
    const endedMs = run.endedMs ?? next?.startedMs ?? (isOver ? (stoppedMs ?? run.startedMs) : null);
    const last = spans.at(-1);
    // The enrich stage counts as reading, so it extends the span before it.
    if (run.stage === 'enrich' && last !== undefined) {
      last.endedMs = endedMs;
      continue;
    }
    if (last?.endedMs != null && run.startedMs - last.endedMs >= waitMsMin) {
      spans.push({ kind: 'waited', startedMs: last.endedMs, endedMs: run.startedMs });
    }
    spans.push({ kind: kindOf(run), startedMs: run.startedMs, endedMs });
  }
  const end = spans.at(-1)?.endedMs ?? null;
  if (!isOver && end !== null) spans.push({ kind: 'waited', startedMs: end, endedMs: null });
  return spans;
}

function kindOf({ stage, kind }: TimedRun): TimelineKind {
  if (kind === 'undo') return 'undone';
  if (stage === 'push') return kind === 'retry' ? 'retried' : 'pushed';
  return kind === 'reread' ? 'reread' : 'read';
}
