import { expect, it } from 'vitest';
import { taskWords } from './task-words.ts';

const task = {
  id: 1,
  label: 'Preparing search',
  state: 'running' as const,
  done: 4_000,
  total: 45_000,
  command: null,
  waitingFor: null,
  error: null,
};

it.each([
  [task, 'Preparing search: 4,000 of 45,000 rows'],
  [{ ...task, done: 0, total: 1 }, 'Preparing search: 0 of 1 row'],
  [{ ...task, total: null }, 'Preparing search: 4,000 so far'],
  [{ ...task, waitingFor: 'Waiting for a reason.' }, 'Preparing search: Waiting for a reason.'],
  [{ ...task, state: 'failed' as const, error: 'Full disk' }, 'Preparing search failed: Full disk'],
])('%o', (shown, words) => {
  expect(taskWords(shown)).toBe(words);
});
