/** A key that writes a character, with the time of its event. */
export type Key = { char: string; timeMs: number };

/** Keys in quick succession, as a hand-held scanner types them. Keys from `heldFrom` on are kept from the page. */
export type Burst = { keys: readonly Key[]; heldFrom: number };

export const noBurst: Burst = { keys: [], heldFrom: 0 };

/**
 * The usual gap between two keys of a scanner is 5 to 50 ms; a person types with 100 ms and more. The median decides,
 * because a wireless scanner pauses now and then within a code.
 */
const medianGapMsMax = 60;
/** After this time without a key a code has ended. */
export const silenceMs = 100;
/** Shorter codes would be confused with typing. */
const charsMin = 6;

/** An end of keys: a code, or characters that go back to the page. `passed`: characters that the page already has. */
export type BurstEnd = { scan: string; passed: number } | { scan: null; released: readonly string[] };

type AddedKey = {
  burst: Burst;
  /** Whether the page may have the key. */
  isHeld: boolean;
  /** Earlier characters that turned out to be typed by a person: they go back to the page before the key. */
  released: readonly string[];
};

/**
 * Adds a key. `holdsFirst`: whether even the first key is held, which a field could not have back in the right order
 * but a page can.
 */
export function addKey(burst: Burst, key: Key, holdsFirst: boolean): AddedKey {
  const last = burst.keys.at(-1);
  if (last === undefined || key.timeMs - last.timeMs > silenceMs) {
    const started: Burst = { keys: [key], heldFrom: holdsFirst ? 0 : 1 };
    return { burst: started, isHeld: holdsFirst, released: heldChars(burst) };
  }
  const keys = [...burst.keys, key];
  if (isQuick(keys)) return { burst: { ...burst, keys }, isHeld: true, released: [] };
  return { burst: { keys, heldFrom: keys.length }, isHeld: false, released: heldChars(burst) };
}

/** Ends the keys, by Enter, Tab or silence. */
export function endBurst(burst: Burst): BurstEnd {
  const { keys, heldFrom } = burst;
  const isScan = keys.length >= charsMin && heldFrom < keys.length && isQuick(keys);
  if (!isScan) return { scan: null, released: heldChars(burst) };
  return { scan: keys.map(({ char }) => char).join(''), passed: heldFrom };
}

const heldChars = ({ keys, heldFrom }: Burst) => keys.slice(heldFrom).map(({ char }) => char);

function isQuick(keys: readonly Key[]): boolean {
  const gaps = keys.slice(1).map(({ timeMs }, at) => timeMs - (keys[at]?.timeMs ?? timeMs));
  const median = gaps.toSorted((a, b) => a - b)[(gaps.length - 1) >> 1] ?? 0;
  return median <= medianGapMsMax;
}

type PressedKey = Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>;

const groupSeparator = '\u001d';

/**
 * The character that a scanner means by a key; null: the key writes none. Scanners press the keys of an American
 * keyboard, so that another layout would turn their digits into '&' or 'é'.
 */
export function charOf({ key, code, shiftKey, ctrlKey, metaKey, altKey }: PressedKey): string | null {
  // Scanners transmit FNC1 as Ctrl+].
  if (ctrlKey && code === 'BracketRight') return groupSeparator;
  if (ctrlKey || metaKey || altKey) return null;
  if (/^\d$/.test(key)) return key;
  const digit = /^Numpad(\d)$/.exec(code)?.[1] ?? (shiftKey ? undefined : /^Digit(\d)$/.exec(code)?.[1]);
  if (digit !== undefined) return digit;
  return [...key].length === 1 ? key : null;
}

/** A phone's keyboard writes a scan into a field without naming keys: this many characters … */
const writtenCharsMin = 8;
/** … in this time for each. */
const writtenMsPerChar = 20;

/** Whether a text that was written into a field within `ms` comes from a scanner. A suggested word has no digit. */
export function isWrittenScan(text: string, ms: number): boolean {
  return text.length >= writtenCharsMin && /^\S*\d\S*$/.test(text) && ms <= text.length * writtenMsPerChar;
}
