import { useEffect, useEffectEvent } from 'react';

/** Maximum time from the silence that ends a code to an Enter or Tab that still belongs to the code. */
const suffixMsMax = 300;

type Report = (text: string, field: HTMLElement | null) => void;

/**
 * Listens in the capture phase, before fields and shortcuts. Only the first key of a scan reaches the page, and its
 * character is removed from the field again. A person's typing is not disturbed. Returns a function that stops.
 */
function listenForScanner(report: Report): () => void {
  const stops = [listenForKeys(report), listenForWriting(report)];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Key events that this module itself dispatches. */
const replayed = new WeakSet<Event>();

function listenForKeys(report: Report): () => void {
  let burst: Burst = noBurst;
  let before: FieldText | null = null;
  let target: EventTarget | null = null;
  let scannedAtMs = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const end = (): boolean => {
    clearTimeout(timer);
    const burstEnd = endBurst(burst);
    burst = noBurst;
    if (burstEnd.scan === null) {
      release(burstEnd.released, target);
      return false;
    }
    if (before !== null) restoreText(before);
    report(burstEnd.scan, before?.field ?? null);
    return true;
  };
  const endAfterSilence = (lastMs: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (performance.now() - lastMs < silenceMs) return endAfterSilence(lastMs);
      if (end()) scannedAtMs = performance.now();
    }, silenceMs);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (replayed.has(event) || event.isComposing || isModifier(event.key)) return;
    if (event.key === 'Enter' || event.key === 'Tab') {
      const isSuffix = end() || event.timeStamp - scannedAtMs < suffixMsMax;
      scannedAtMs = Number.NEGATIVE_INFINITY;
      if (isSuffix) swallow(event);
      return;
    }
    const char = event.repeat ? null : toScannerChar(event);
    if (char === null) return void end();
    const field = textFieldOf(event.target);
    const isFirst = burst.keys.length === 0 || event.timeStamp - (burst.keys.at(-1)?.timeMs ?? 0) > silenceMs;
    const holdsFirst = field === null && isPageKey(event);
    const result = addKey(burst, { char, timeMs: event.timeStamp }, holdsFirst);
    release(result.released, target);
    if (isFirst) before = field && noteText(field);
    burst = result.burst;
    target = event.target;
    if (result.isHeld) swallow(event);
    endAfterSilence(event.timeStamp);
  };
  window.addEventListener('keydown', onKeyDown, { capture: true });
  return () => {
    window.removeEventListener('keydown', onKeyDown, { capture: true });
    clearTimeout(timer);
  };
}

const isModifier = (key: string) =>
  ['Shift', 'CapsLock', 'NumLock', 'Control', 'Alt', 'AltGraph'].includes(key);

/** Whether a key can be withheld and dispatched later, because it has no default action in its element. */
const isPageKey = ({ key, target }: KeyboardEvent): boolean =>
  key !== ' ' && !(target instanceof Element && target.closest('select, iframe, [contenteditable]'));

function swallow(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** Gives withheld characters back: writes them into the field, or sends them as keys to the focused element. */
function release(chars: readonly string[], target: EventTarget | null): void {
  const field = textFieldOf(target);
  if (chars.length === 0) return;
  if (field !== null) writeText(field, chars.join(''));
  else sendKeys(chars, target);
}

function sendKeys(chars: readonly string[], target: EventTarget | null): void {
  for (const key of chars) {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
    replayed.add(event);
    target?.dispatchEvent(event);
  }
}

/** Listens on phones whose key events name no key. Reads a scan from the field, and removes the complete scan. */
function listenForWriting(report: Report): () => void {
  let before: FieldText | null = null;
  let firstMs = 0;
  let lastMs = 0;
  let isUnnamed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const end = (): boolean => {
    clearTimeout(timer);
    const textBefore = before;
    before = null;
    if (textBefore === null) return false;
    const text = writtenSince(textBefore);
    if (!isPhoneScan(text, lastMs - firstMs)) return false;
    restoreText(textBefore);
    report(text, textBefore.field);
    return true;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    isUnnamed = event.key === 'Unidentified' || event.key === 'Process';
    if ((event.key === 'Enter' || event.key === 'Tab') && end()) swallow(event);
  };
  const onBeforeInput = (event: InputEvent) => {
    const field = textFieldOf(event.target);
    if (field === null || !isUnnamed || !/^insert(?:Composition)?Text$/.test(event.inputType)) return;
    if (before === null) firstMs = event.timeStamp;
    before ??= noteText(field);
    lastMs = event.timeStamp;
    clearTimeout(timer);
    timer = setTimeout(end, silenceMs);
  };
  window.addEventListener('keydown', onKeyDown, { capture: true });
  window.addEventListener('beforeinput', onBeforeInput, { capture: true });
  return () => {
    window.removeEventListener('keydown', onKeyDown, { capture: true });
    window.removeEventListener('beforeinput', onBeforeInput, { capture: true });
    clearTimeout(timer);
  };
}

/** Number fields have no selection, so `start` and `end` are null. */
type FieldText = { field: TextField; value: string; start: number | null; end: number | null };
type TextField = HTMLInputElement | HTMLTextAreaElement;

const otherInputs = ['button', 'checkbox', 'color', 'file', 'image', 'radio', 'range', 'reset', 'submit'];

function textFieldOf(target: EventTarget | null): TextField | null {
  if (target instanceof HTMLTextAreaElement) return target;
  return target instanceof HTMLInputElement && !otherInputs.includes(target.type) ? target : null;
}

const noteText = (field: TextField): FieldText => ({
  field,
  value: field.value,
  start: field.selectionStart,
  end: field.selectionEnd,
});

/** Restores a field's text as if a person had typed it, so that a form notices the change. */
function restoreText({ field, value, start, end }: FieldText): void {
  if (field.value !== value) {
    const kind = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
    // Uses the prototype's setter, because React ignores changes made through the setter that it puts on the element.
    Object.getOwnPropertyDescriptor(kind.prototype, 'value')?.set?.call(field, value);
    field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'deleteContentBackward' }));
  }
  if (start !== null && field.selectionStart !== null) field.setSelectionRange(start, end);
}

/** Writes text as if it were typed at the text cursor. */
function writeText(field: TextField, text: string): void {
  if (document.activeElement !== field) field.focus();
  // This deprecated call is the only one that works in number fields, too, and can be undone by Ctrl+Z.
  document.execCommand('insertText', false, text);
}

function writtenSince({ field, value, start, end }: FieldText): string {
  const from = start ?? value.length;
  const behind = value.length - (end ?? value.length);
  return field.value.slice(from, field.value.length - behind);
}

/** Listens while mounted. `onScan` gets the transmitted code and the focused field, whose content is unchanged. */
export function useKeyboardScanner(
  onScan: (text: string, field: HTMLElement | null) => void,
  enabled = true,
): void {
  const report = useEffectEvent(onScan);
  useEffect(() => (enabled ? listenForScanner((text, field) => report(text, field)) : undefined), [enabled]);
}

type Key = { char: string; timeMs: number };

/** Keys pressed in quick succession. Keys from index `heldFrom` on are withheld from the page. */
export type Burst = { keys: readonly Key[]; heldFrom: number };

export const noBurst: Burst = { keys: [], heldFrom: 0 };

/**
 * Scanners press a key every 5 to 50 ms, a person every 100 ms or more. The median interval is compared, because
 * wireless scanners sometimes pause within a code.
 */
const medianGapMsMax = 60;
/** A code ends after a silence of this length. */
const silenceMs = 100;
/** Minimum number of characters of a code. Shorter texts count as typing. */
const charsMin = 6;

/** `passed`: number of characters that reached the page. `released`: withheld characters to give back to the page. */
export type BurstEnd = { scan: string; passed: number } | { scan: null; released: readonly string[] };

type AddedKey = {
  burst: Burst;
  /** Whether the key is withheld from the page. */
  isHeld: boolean;
  /** Withheld characters that a person has typed. They go to the page before the key. */
  released: readonly string[];
};

/** Adds a key. `holdsFirst`: withholds the first key, too. Set outside of fields, where no key can be undone. */
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

/** Returns a key's character on an American keyboard, as scanners use it. Other layouts turn digits into '&' or 'é'. */
export function toScannerChar({ key, code, shiftKey, ctrlKey, metaKey, altKey }: PressedKey): string | null {
  // Scanners transmit FNC1 as Ctrl+].
  if (ctrlKey && code === 'BracketRight') return groupSeparator;
  if (ctrlKey || metaKey || altKey) return null;
  if (/^\d$/.test(key)) return key;
  const digit = /^Numpad(\d)$/.exec(code)?.[1] ?? (shiftKey ? undefined : /^Digit(\d)$/.exec(code)?.[1]);
  if (digit !== undefined) return digit;
  return [...key].length === 1 ? key : null;
}

/** Minimum number of characters of a scan that a phone writes into a field without naming its keys. */
const writtenCharsMin = 8;
/** Maximum time per character of a scan that a phone writes into a field. */
const writtenMsPerChar = 20;

/** Whether a text that a phone wrote is a scan: it came fast and has a digit, unlike the words that phones suggest. */
export const isPhoneScan = (text: string, ms: number): boolean =>
  text.length >= writtenCharsMin && /^\S*\d\S*$/.test(text) && ms <= text.length * writtenMsPerChar;
