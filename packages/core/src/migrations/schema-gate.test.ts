import { expect, test } from 'vitest';
import { migrations } from './migrate.ts';
import { hashMigration, readReleased } from './migrations-released.ts';
import { partsOfStart } from './parts-of-start.ts';
import { isTooOld, ownMigrations, schemaProblem } from './schema-gate.ts';

test('every migration in the folder is run, in the order of its number', () => {
  expect(ownMigrations()).toEqual([...Object.keys(migrations), ...partsOfStart].toSorted());
  expect(Object.keys(migrations)).toEqual(Object.keys(migrations).toSorted());
});

test('a released migration is never edited: a correction is a migration of its own', () => {
  const released = readReleased();
  const now = Object.keys(released).map((name) => [name, hashMigration(name)]);
  expect(Object.fromEntries(now)).toEqual(released);
});

const own = ownMigrations();
const oldest = ['0001-start', ...partsOfStart];

test.each([
  ['with its own migrations', own, undefined],
  ['before the first one', [], /^Waits until the schema is migrated: 0001-start, 0080-/],
  [
    'of the oldest version that it takes',
    oldest,
    /^Waits until the schema is migrated: 0080-overlapping-choice, /,
  ],
  [
    'of a version before that',
    oldest.slice(0, -1),
    /^This database is of a version before 0\.11, .* Start version 0\.11 /,
  ],
  ['of a newer version', [...own, '9999-more'], /^A newer version has migrated this database \(9999-more\)/],
])('what a version says about a schema %s', (_, applied, sentence) => {
  const found = schemaProblem(applied);
  if (sentence === undefined) expect(found).toBeUndefined();
  else expect(found?.sentence).toMatch(sentence);
});

test('only a database that has a part of the oldest schema is too old', () => {
  expect([isTooOld([]), isTooOld(oldest), isTooOld(own), isTooOld(['0001-start'])]).toEqual([
    false,
    false,
    false,
    true,
  ]);
});
