import { expect, test } from 'vitest';
import { spansOf } from './timeline-words.ts';

const at = (minute: number) => new Date(2026, 2, 10, 14, minute).toISOString();

test('spans say what it was, when, and how long it took', () => {
  const spans = spansOf(
    [
      { kind: 'read', startedAt: at(0), endedAt: at(1) },
      { kind: 'waited', startedAt: at(1), endedAt: null },
    ],
    Date.parse(at(5)),
  );
  expect(spans).toEqual([
    { kind: 'read', name: 'Read', when: '2:00 PM', took: '1m 0s', lengthMs: 60_000 },
    { kind: 'idle', name: 'Waited for you', when: '2:01 PM', took: '4m 0s so far', lengthMs: 240_000 },
  ]);
  expect(spansOf([], 0)).toEqual([]);
});
