import { expect, test } from 'vitest';
import { goGapMsMax, navigation, readShortcut } from './key-list.tsx';

const rest = { goSinceMs: null };

test('g and a letter opens a screen, and every screen has its own letter', () => {
  expect(new Set(navigation.map((item) => item.key)).size).toBe(navigation.length);
  for (const item of navigation) {
    const waiting = readShortcut(rest, 'g', 0);
    expect(waiting.command).toBeNull();
    expect(readShortcut(waiting.state, item.key, 100)).toEqual({
      state: rest,
      command: { kind: 'go', path: item.path },
    });
  }
});

test('a letter without g, or too long after g, does nothing', () => {
  expect(readShortcut(rest, 'q', 0).command).toBeNull();
  expect(readShortcut({ goSinceMs: 0 }, 'q', goGapMsMax + 1).command).toBeNull();
});

test('a letter without a screen ends the sequence', () => {
  expect(readShortcut({ goSinceMs: 0 }, 'x', 10)).toEqual({ state: rest, command: null });
});

test('search and the list of shortcuts', () => {
  expect(readShortcut(rest, '/', 0).command).toEqual({ kind: 'search' });
  expect(readShortcut(rest, '?', 0).command).toEqual({ kind: 'list' });
});
