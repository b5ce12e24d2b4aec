// The index would bring the comparisons of lines, sentences and JSON along.
import { diffArrays } from 'diff/lib/diff/array.js';

export type DiffPart = { kind: 'same' | 'removed' | 'added'; text: string };

/** Texts with more differences are shown as a whole: nobody reads that many marks, and finding them takes long. */
const differencesMax = 800;

/** With the spaces behind them. */
const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+\s*|[^\p{L}\p{N}]\s*/gu) ?? [];

/** Returns shared, removed and added words in order. Texts without a shared word are one removed and one added part. */
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
