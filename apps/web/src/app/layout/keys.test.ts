import { expect, test } from 'vitest';
import { goWithinMs, readShortcut } from './keys.ts';
import { navigation } from './navigation.ts';

const rest = { goSinceMs: null };

test('g and then a letter goes to each screen, and every screen has its own letter', () => {
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

test('a letter without g, or too long after it, does nothing', () => {
  expect(readShortcut(rest, 'q', 0).command).toBeNull();
  expect(readShortcut({ goSinceMs: 0 }, 'q', goWithinMs + 1).command).toBeNull();
});

test('a letter that is no screen ends the waiting', () => {
  expect(readShortcut({ goSinceMs: 0 }, 'x', 10)).toEqual({ state: rest, command: null });
});

test('search and the list of keys', () => {
  expect(readShortcut(rest, '/', 0).command).toEqual({ kind: 'search' });
  expect(readShortcut(rest, '?', 0).command).toEqual({ kind: 'list' });
});
