import { importStatuses } from '@draftshelf/domain/imports/import-status';
import { expect, test } from 'vitest';
import { statusLook } from './status-look.ts';

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
