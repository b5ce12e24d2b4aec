import { expect, test } from 'vitest';
import { type TimedRun, toTimeline } from './import-timeline.ts';

const run = (stage: TimedRun['stage'], startedMs: number, endedMs: number | null, kind = 'full') =>
  ({ stage, kind, startedMs, endedMs }) as TimedRun;
const over = { stoppedMs: null, isOver: true };

test('an import without runs has no timeline', () => {
  expect(toTimeline([], over)).toEqual([]);
});

test('reading, waiting for a person, pushing and a retry follow each other', () => {
  const runs = [
    run('parse', 0, 2000),
    run('enrich', 2000, 5000),
    run('push', 65_000, 90_000),
    run('push', 90_500, 99_000, 'retry'),
  ];
  expect(toTimeline(runs, over)).toEqual([
    { kind: 'read', startedMs: 0, endedMs: 5000 },
    { kind: 'waited', startedMs: 5000, endedMs: 65_000 },
    { kind: 'pushed', startedMs: 65_000, endedMs: 90_000 },
    // Half a second is no wait.
    { kind: 'retried', startedMs: 90_500, endedMs: 99_000 },
  ]);
});

test('what goes on has no end', () => {
  const open = { stoppedMs: null, isOver: false };
  expect(toTimeline([run('parse', 0, null)], open)).toEqual([{ kind: 'read', startedMs: 0, endedMs: null }]);
  expect(toTimeline([run('parse', 0, 3000)], open).at(-1)).toEqual({
    kind: 'waited',
    startedMs: 3000,
    endedMs: null,
  });
});

test('a run that was stopped ends with its import, or with the next run', () => {
  expect(toTimeline([run('push', 1000, null)], { stoppedMs: 4000, isOver: true })).toEqual([
    { kind: 'pushed', startedMs: 1000, endedMs: 4000 },
  ]);
  expect(toTimeline([run('parse', 0, null), run('parse', 7000, 8000, 'reread')], over)).toEqual([
    { kind: 'read', startedMs: 0, endedMs: 7000 },
    { kind: 'reread', startedMs: 7000, endedMs: 8000 },
  ]);
});
