import { describe, expect, test } from 'vitest';
import { migrations } from './migrate.ts';
import { hashMigration, readReleased } from './migrations-released.ts';
import { ownMigrations, schemaProblem } from './schema-gate.ts';

test('every migration in the folder is run, in the order of its number', () => {
  expect(ownMigrations()).toEqual(Object.keys(migrations));
});

test('a released migration is never edited: a correction is a migration of its own', () => {
  const released = readReleased();
  const now = Object.keys(released).map((name) => [name, hashMigration(name)]);
  expect(Object.fromEntries(now)).toEqual(released);
});

describe('what a version waits for', () => {
  const own = ['0001-start', '0002-more'];
  test('nothing, when all of its migrations are applied, and newer ones only add', () => {
    expect(schemaProblem(own, own)).toBeUndefined();
    expect(schemaProblem(own, [...own, '0003-added'])).toBeUndefined();
  });
  test('a migration that is missing', () => {
    expect(schemaProblem(own, ['0001-start'])).toBe('Waits until the schema is migrated: 0002-more.');
    expect(schemaProblem(own, [])).toContain('0001-start, 0002-more');
  });
  test('never, when a newer one has removed something', () => {
    expect(schemaProblem(own, [...own, '0003-contract-names'])).toMatch(
      /^A newer version has removed .*0003-contract/,
    );
  });
});
