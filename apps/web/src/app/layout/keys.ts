import { navigation } from './navigation.ts';

/** A screen's letter must follow `g` within this time. */
export const goWithinMs = 1500;

export type KeyState = { goSinceMs: number | null };
export type KeyCommand = { kind: 'search' } | { kind: 'list' } | { kind: 'go'; path: string } | null;

/** Maps a key to a command: `/` searches, `?` lists the shortcuts, `g` and a letter goes to a screen. */
export function readShortcut(
  state: KeyState,
  key: string,
  timeMs: number,
): { state: KeyState; command: KeyCommand } {
  const rest: KeyState = { goSinceMs: null };
  if (state.goSinceMs !== null && timeMs - state.goSinceMs <= goWithinMs) {
    const item = navigation.find((entry) => entry.key === key);
    return { state: rest, command: item === undefined ? null : { kind: 'go', path: item.path } };
  }
  if (key === 'g') return { state: { goSinceMs: timeMs }, command: null };
  if (key === '/') return { state: rest, command: { kind: 'search' } };
  if (key === '?') return { state: rest, command: { kind: 'list' } };
  return { state: rest, command: null };
}

/** Whether a key opens the palette: K with Ctrl, or with Command on a Mac. */
export function opensPalette(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>,
) {
  return (
    event.key.toLowerCase() === 'k' && event.ctrlKey !== event.metaKey && !event.altKey && !event.shiftKey
  );
}
