import { importStatuses } from '@draftshelf/domain/imports/import-status';
import { expect, test } from 'vitest';
import { pushScopeWords, statusLook } from './status-look.tsx';

test('every status of the domain has its own look', () => {
  const unknown = statusLook('weird');
  for (const status of importStatuses) expect(statusLook(status)).not.toBe(unknown);
});

test('each status has its color', () => {
  expect(importStatuses.map((status) => [status, statusLook(status).color])).toEqual([
    ['processing', 'blue'],
    ['queued', 'yellow'],
    ['processed', 'green'],
    ['uploading', 'blue'],
    ['completed', 'green'],
    ['failed', 'red'],
    ['paused', 'gray'],
    ['cancelled', 'gray'],
  ]);
  expect(statusLook('processed').variant).toBe('outline');
});

test('a name of an object property is an unknown status', () => {
  expect(statusLook('constructor')).toBe(statusLook('weird'));
});

test.each([
  [{ sent: 34, of: 40 }, '34 of 40'],
  [{ sent: 53, of: 53 }, '53'],
  [{ sent: 0, of: 7 }, '0 of 7'],
  [{ sent: 12_000, of: 12_000, changed: 530 }, '530 changed'],
  [{ sent: 3, of: 20, changed: 4 }, '3 of 20'],
  [{ sent: 20, of: 20, changed: 20 }, '20'],
])('%o', (scope, words) => {
  expect(pushScopeWords(scope)).toBe(words);
});
