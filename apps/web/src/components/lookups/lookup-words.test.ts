import { expect, it } from 'vitest';
import { coverageWords, sourceWaitingWords, waitingWords } from './lookup-words.ts';

it('coverage is the share before and after', () => {
  expect(coverageWords({ field: 'image', products: 100, filled: 12, found: 71 })).toBe('12 % → 83 %');
  expect(coverageWords({ field: 'image', products: 3, filled: 2, found: 0 })).toBe('66 %');
  expect(coverageWords({ field: 'image', products: 0, filled: 0, found: 0 })).toBe('0 %');
});

it('waiting says for what and until when', () => {
  const until = new Date(2026, 4, 1, 14, 5).toISOString();
  const nowMs = new Date(2026, 4, 1, 13, 0).getTime();
  expect(waitingWords({ until, because: 'quota' }, nowMs)).toMatch(
    /^Image lookup waits for quota until 2:05.PM$/,
  );
  expect(waitingWords({ until: null, because: null }, nowMs)).toBe('Image lookup is running');
  const waiting = { source: 'UPCitemdb', products: 1, until, because: 'retry' };
  expect(sourceWaitingWords(waiting, nowMs)).toMatch(
    /^Image lookup tries again at 2:05.PM \(UPCitemdb, 1 product\)\.$/,
  );
});
