import { splitProductWords } from './product-words.ts';

/** Whether one of two brands contains all words of the other brand. */
export function brandsAgree(one: string, other: string): boolean {
  return containsWords(one, other) || containsWords(other, one);
}

/** Whether all words of a name are in a text; false for a name without words. */
export function containsWords(text: string, name: string): boolean {
  const [all, wanted] = [splitProductWords(text), splitProductWords(name)];
  const known = new Set([...all.words, ...all.numbers, ...all.colors]);
  const named = [...wanted.words, ...wanted.numbers, ...wanted.colors];
  return named.length > 0 && named.every((word) => hasWord(known, word));
}

/** Returns the number of words that two sets share. */
export const countCommonWords = (some: ReadonlySet<string>, others: ReadonlySet<string>): number =>
  [...some].filter((word) => hasWord(others, word)).length;

/** Whether each of two sets of words has a word that the other lacks. A title that only omits words is no conflict. */
export const hasWordConflict = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  [...one].some((word) => !hasWord(other, word)) && [...other].some((word) => !hasWord(one, word));

const prefixCharsMin = 4;
const digitsOnly = /^\d+(?:p\d+)?$/;

/** Whether the set has the word, its abbreviation or its long form ('ceram', 'ceramic'). Numbers must be equal. */
function hasWord(words: ReadonlySet<string>, word: string): boolean {
  if (words.has(word)) return true;
  for (const other of words) {
    const [short, long] = other.length < word.length ? [other, word] : [word, other];
    if (short.length >= prefixCharsMin && !digitsOnly.test(short) && long.startsWith(short)) return true;
  }
  return false;
}
