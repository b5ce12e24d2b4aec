import { cutText } from '../../base/cut-text.ts';
import { valueCharsMax } from '../../base/storable-text.ts';
import { isListField, splitEntries } from '../../base/text-list.ts';
import type { Calculation } from './calculate.ts';
import type { FieldOperation } from './operation.ts';
import { splitText } from './split-text.ts';

type OtherKind = 'set' | 'clear' | 'paste' | 'take' | 'fill-down' | 'leave-out';
export type TextOperation = Exclude<FieldOperation, Calculation | { kind: OtherKind }>;

/** Applies a text operation to a value. Null if the result is too long. '' stays '', except for added tags. */
export function changeText(operation: TextOperation, text: string): string | null {
  switch (operation.kind) {
    case 'add-tags':
      return changeList(text, (tags) => [...tags, ...operation.tags]);
    case 'remove-tags': {
      const removed = new Set(splitEntries(operation.tags.join()).map(lower));
      return changeList(text, (tags) => tags.filter((tag) => !removed.has(lower(tag))));
    }
    default: {
      if (text === '') return '';
      const change = (one: string) => changeOne(operation, one);
      return isListField(operation.field)
        ? changeList(text, (list) => list.values().map(change))
        : change(text);
    }
  }
}

const lower = (text: string) => text.toLowerCase();

/** Changes the entries of a list. If no entry changes, the text stays as it is. Null if the list gets too long. */
function changeList(text: string, change: (list: string[]) => Iterable<string | null>): string | null {
  const before = splitEntries(text);
  const changed: string[] = [];
  let chars = 0;
  for (const entry of change(before)) {
    chars += entry?.length ?? 0;
    if (entry === null || chars > valueCharsMax) return null;
    changed.push(entry);
  }
  const after = splitEntries(changed.join());
  const isSame = after.length === before.length && after.every((entry, at) => entry === before[at]);
  return isSame ? text : after.join(', ');
}

type OneText = Exclude<TextOperation, { kind: 'add-tags' | 'remove-tags' }>;

function changeOne(operation: OneText, text: string): string | null {
  switch (operation.kind) {
    case 'replace':
      return replaced(operation, text);
    case 'prefix':
      return operation.text + text;
    case 'suffix':
      return text + operation.text;
    case 'trim':
      return text
        .replace(/[^\S\r\n]+/g, ' ')
        .replace(/ ?(\r?\n) ?/g, '$1')
        .trim();
    case 'case':
      return inCase(text, operation.to);
    case 'cut':
      return cutAtWord(text, operation.chars);
    case 'map':
      return operation.values.find(({ from }) => from === text)?.to ?? text;
  }
}

function replaced(operation: Extract<FieldOperation, { kind: 'replace' }>, text: string): string | null {
  const kept = splitText(text, operation);
  // The length is computed first: replacing each character by 5,000 others would take 500 MB.
  const chars = kept.reduce((sum, part) => sum + part.length, (kept.length - 1) * operation.with.length);
  return chars > valueCharsMax ? null : kept.join(operation.with);
}

function inCase(text: string, to: 'upper' | 'lower' | 'title'): string {
  if (to === 'upper') return text.toUpperCase();
  return to === 'lower' ? text.toLowerCase() : text.replace(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’]*/gu, titleCase);
}

/** Words with digits stay as they are, because they are sizes and models ('3XL'). */
function titleCase(word: string): string {
  if (/\p{N}/u.test(word)) return word;
  const [first = ''] = word;
  return first.toUpperCase() + word.slice(first.length).toLowerCase();
}

/** Cuts a text to at most `chars` UTF-16 units between words, or inside the first word if it is longer. */
function cutAtWord(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const cut = cutText(text, chars);
  const isBetweenWords = isSpace(text.charAt(cut.length));
  const words = isBetweenWords ? cut : cut.slice(0, lastSpace(cut) + 1);
  return words.trimEnd() || cut;
}

const isSpace = (char: string): boolean => char.trim() === '';

function lastSpace(text: string): number {
  let at = text.length - 1;
  while (at >= 0 && !isSpace(text.charAt(at))) at -= 1;
  return at;
}
