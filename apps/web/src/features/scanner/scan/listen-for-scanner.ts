import { useEffect, useEffectEvent } from 'react';

/** After a code that ended with silence, a late Enter or Tab still belongs to it. */
const suffixMsMax = 300;

type Report = (text: string, field: HTMLElement | null) => void;

/**
 * Listens in the capture phase, before fields and shortcuts. From the second key of a scanner on nothing else hears it,
 * and its first character is taken out of a field again. Typing by a person goes on. Returns how to stop.
 */
function listenForScanner(report: Report): () => void {
  const stops = [listenForKeys(report), listenForWriting(report)];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Keys that this module dispatches itself. */
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
    const char = event.repeat ? null : charOf(event);
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

/** Such a key does nothing of its own, so it may reach its element a moment later. */
const isPageKey = ({ key, target }: KeyboardEvent): boolean =>
  key !== ' ' && !(target instanceof Element && target.closest('select, iframe, [contenteditable]'));

function swallow(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** Gives held characters back to the field, or as keys to the focused element. */
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

/** Phones do not name the keys of some scanners: the text only appears in the field. It is taken out once complete. */
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
    if (!isWrittenScan(text, lastMs - firstMs)) return false;
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

/** Number fields have no selection. */
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

/** Acts as if a person had typed it, so that a form sees the change. */
function restoreText({ field, value, start, end }: FieldText): void {
  if (field.value !== value) {
    const kind = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
    // React replaces the element's setter and would not notice a change through it.
    Object.getOwnPropertyDescriptor(kind.prototype, 'value')?.set?.call(field, value);
    field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'deleteContentBackward' }));
  }
  if (start !== null && field.selectionStart !== null) field.setSelectionRange(start, end);
}

/** Acts as if the text had been typed at the caret. */
function writeText(field: TextField, text: string): void {
  if (document.activeElement !== field) field.focus();
  // Only this call also works in number fields and can be undone with Ctrl+Z. No browser plans to remove it.
  document.execCommand('insertText', false, text);
}

function writtenSince({ field, value, start, end }: FieldText): string {
  const from = start ?? value.length;
  const behind = value.length - (end ?? value.length);
  return field.value.slice(from, field.value.length - behind);
}

/** `onScan` gets the transmitted code and the focused field, which keeps its content. */
export function useKeyboardScanner(
  onScan: (text: string, field: HTMLElement | null) => void,
  enabled = true,
): void {
  const report = useEffectEvent(onScan);
  useEffect(() => (enabled ? listenForScanner((text, field) => report(text, field)) : undefined), [enabled]);
}

type Key = { char: string; timeMs: number };

/** Keys in quick succession. Keys from `heldFrom` on are kept from the page. */
export type Burst = { keys: readonly Key[]; heldFrom: number };

export const noBurst: Burst = { keys: [], heldFrom: 0 };

/**
 * Gaps of a scanner are 5 to 50 ms, of a person 100 ms and more. The median decides, because a wireless scanner pauses
 * now and then within a code.
 */
const medianGapMsMax = 60;
/** After this silence a code has ended. */
const silenceMs = 100;
/** Shorter codes would be confused with typing. */
const charsMin = 6;

/** `passed`: characters that the page already has. `released` go back to the page. */
export type BurstEnd = { scan: string; passed: number } | { scan: null; released: readonly string[] };

type AddedKey = {
  burst: Burst;
  /** The page must not get the key. */
  isHeld: boolean;
  /** Characters that a person typed; they go back to the page before the key. */
  released: readonly string[];
};

/** `holdsFirst` holds even the first key: a field could not get it back in the right order, but a page can. */
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

/** Scanners press keys of an American keyboard; another layout would turn digits into '&' or 'é'. */
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

/** A suggested word has no digit. */
export const isWrittenScan = (text: string, ms: number): boolean =>
  text.length >= writtenCharsMin && /^\S*\d\S*$/.test(text) && ms <= text.length * writtenMsPerChar;
