import { importActions, importStatuses } from '@draftshelf/domain/import-status';
import { expect, test } from 'vitest';
import { rereadBlock } from './reread-block.ts';

test('re-read follows the table of actions, and every refusal has its own reason', () => {
  const allowed: readonly string[] = importActions.reread;
  const reasons = importStatuses.map((status) => [status, rereadBlock({ status, failedIn: null })] as const);
  for (const [status, reason] of reasons) expect(reason === null, status).toBe(allowed.includes(status));
  const given = reasons.flatMap(([, reason]) => (reason === null ? [] : [reason]));
  expect(new Set(given).size).toBe(given.length);
  expect(rereadBlock({ status: 'of a newer server', failedIn: null })).toBe(
    'The file can’t be re-read right now.',
  );
});

test('only a failed import that failed in processing can be re-read', () => {
  expect(rereadBlock({ status: 'failed', failedIn: 'parse' })).toBeNull();
  expect(rereadBlock({ status: 'failed', failedIn: 'enrich' })).toBeNull();
  expect(rereadBlock({ status: 'failed', failedIn: 'push' })).toContain('Retry it before');
});
