import { expect, test } from 'vitest';
import { createCallError } from '../../api/call.ts';
import { buildBatchEndedToast, buildBatchFailedToast } from './batch-tab.tsx';

test.each([
  [[true, true], '2 jobs pushed successfully, 0 failed', undefined],
  [[true, false, true], '2 jobs pushed successfully, 1 failed', 'failure'],
  [[false], '0 jobs pushed successfully, 1 failed', 'failure'],
])('%j is "%s"', (successes, text, tone) => {
  const ended = buildBatchEndedToast(successes.map((success) => ({ success })));
  expect(ended).toMatchObject({ title: 'Batch Push Completed', text });
  expect(ended.tone).toBe(tone);
});

test('a failed batch has its message, or says that there is none', () => {
  const failed = (error: Error) => {
    const { title, text, tone } = buildBatchFailedToast(error);
    return [title, text, tone];
  };
  const refused = createCallError(409, 'Conflict', '{"message":"The store is locked."}');
  expect(failed(refused)).toEqual(['Batch Push Failed', '409: The store is locked.', 'failure']);
  // HTTP/2 has no status text.
  expect(failed(createCallError(500, '', ''))).toEqual([
    'Batch Push Failed',
    'Unknown error occurred',
    'failure',
  ]);
  expect(failed(new Error())[1]).toBe('Unknown error occurred');
});
