import { expect, test } from 'vitest';
import { canRetryTask, explainDeadChunk, findLossIfGivenUp } from './dead-work.ts';

test('an undo can only be retried, and a task of another version can be given up', () => {
  expect(findLossIfGivenUp('undo-command')).toBeNull();
  expect(findLossIfGivenUp('a-newer-task')).toBe('Its result stays missing.');
  expect([canRetryTask('find-in-imports'), canRetryTask('ask-ai')]).toEqual([true, false]);
});

test('a cause is a sentence; the error of an attempt is technical', () => {
  expect(explainDeadChunk({ error: 'column "x" does not exist', attempts: 5 }, 5)).toEqual({
    sentence: 'It failed 5 times because of an internal error.',
    technical: 'column "x" does not exist',
  });
  expect(explainDeadChunk({ error: 'The process was killed each time', attempts: 0 }, 5)).toEqual({
    sentence: 'The process was killed each time.',
    technical: null,
  });
  expect(explainDeadChunk({ error: null, attempts: 0 }, 5).sentence).toBe('The cause isn’t known.');
});
