import { expect, test } from 'vitest';
import { columnProfiles, hasColumnShape } from './column-profile.ts';

const rows = 60;
const profileOf = (cellOf: (row: number) => string) =>
  columnProfiles(
    Array.from({ length: rows }, (_, row) => [cellOf(row)]),
    1,
  )?.[0];

test('a shape never ends in the middle of a character, wherever an emoji is', () => {
  for (let before = 0; before <= 45; before += 1) {
    const cell = `${'x'.repeat(before)}🏺${'y'.repeat(20)}`;
    const profile = profileOf(() => cell);
    expect(profile?.shapes).toHaveLength(1);
    expect(JSON.stringify(profile), `${before} before`).not.toContain('\\u');
    expect(hasColumnShape(cell, profile ?? { kind: null, blank: 0 })).toBe(true);
  }
});

test('a shape has no control characters and no halves of characters', () => {
  const cell = `A-1\0\u0007\u0085\ud83d`;
  expect(profileOf(() => cell)?.shapes).toEqual(['A-0    ']);
});
