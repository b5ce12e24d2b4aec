// Deep import, because the package's index also loads the comparisons of lines, sentences and JSON.
import { diffArrays } from 'diff/lib/diff/array.js';

export type DiffPart = { kind: 'same' | 'removed' | 'added'; text: string };

/** Texts with more differences are shown as a whole, because the marks would be unreadable and slow to compute. */
const differencesMax = 800;

/** Splits a text into words with their trailing spaces. */
const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+\s*|[^\p{L}\p{N}]\s*/gu) ?? [];

/** Returns shared, removed and added words in order. If no word is shared, returns one removed and one added part. */
export function wordDiff(before: string, after: string): DiffPart[] {
  const comparator = (a: string, b: string) => a.trim() === b.trim();
  const options = { comparator, maxEditLength: differencesMax };
  const parts = diffArrays(wordsOf(before), wordsOf(after), options)?.map(({ value, removed, added }) => ({
    kind: removed ? ('removed' as const) : added ? ('added' as const) : ('same' as const),
    text: value.join(''),
  }));
  if (parts?.some(({ kind, text }) => kind === 'same' && /[\p{L}\p{N}]/u.test(text))) return parts;
  return [{ kind: 'removed', text: before } as const, { kind: 'added', text: after } as const].filter(
    ({ text }) => text !== '',
  );
}
