import type { CanonicalField } from '../canonical-fields.ts';
import { cutText } from '../cut-text.ts';
import { listOf } from '../text-list.ts';
import type { Operation } from './operation.ts';

type TextKind =
  | 'replace'
  | 'prefix'
  | 'suffix'
  | 'trim'
  | 'case'
  | 'cut'
  | 'map'
  | 'add-tags'
  | 'remove-tags';
export type TextOperation = Extract<Operation, { kind: TextKind }>;

/** Fields whose texts are changed entry by entry. */
const listFields: ReadonlySet<CanonicalField> = new Set(['tags', 'collections']);

/** The value of a field after a text operation; '' stays '', except that tags can be added. */
export function changeText(operation: TextOperation, text: string): string {
  switch (operation.kind) {
    case 'add-tags':
      return changeList(text, (tags) => [...tags, ...operation.tags]);
    case 'remove-tags': {
      const removed = new Set(listOf(operation.tags.join()).map(lower));
      return changeList(text, (tags) => tags.filter((tag) => !removed.has(lower(tag))));
    }
    default: {
      if (text === '') return '';
      const change = (one: string) => changeOne(operation, one);
      return listFields.has(operation.field) ? changeList(text, (list) => list.map(change)) : change(text);
    }
  }
}

const lower = (text: string) => text.toLowerCase();

/** Changes a list. A text whose list stays the same is kept as it is written. */
function changeList(text: string, change: (list: string[]) => readonly string[]): string {
  const before = listOf(text);
  const after = listOf(change(before).join());
  const isSame = after.length === before.length && after.every((entry, at) => entry === before[at]);
  return isSame ? text : after.join(', ');
}

function changeOne(operation: Exclude<TextOperation, { kind: 'add-tags' | 'remove-tags' }>, text: string) {
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

function replaced(operation: Extract<Operation, { kind: 'replace' }>, text: string): string {
  const literal = RegExp.escape(operation.find);
  const pattern = operation.whole ? `^${literal}$` : literal;
  const flags = operation.matchCase ? 'gu' : 'giu';
  return text.replace(new RegExp(pattern, flags), () => operation.with);
}

function inCase(text: string, to: 'upper' | 'lower' | 'title'): string {
  if (to === 'upper') return text.toUpperCase();
  return to === 'lower' ? text.toLowerCase() : text.replace(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’]*/gu, titleCase);
}

/** Words with digits are sizes and models ('3XL') and stay as they are. */
function titleCase(word: string): string {
  if (/\p{N}/u.test(word)) return word;
  const [first = ''] = word;
  return first.toUpperCase() + word.slice(first.length).toLowerCase();
}

/** At most so many UTF-16 units, without half a word unless the text has no space before. */
function cutAtWord(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const cut = cutText(text, chars);
  if (/\s/.test(text.charAt(cut.length))) return cut.trimEnd();
  return cut.replace(/\s+\S*$/, '') || cut;
}
