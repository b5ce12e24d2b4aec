import { foldText, unspacedScript, wordsOf } from './fold-text.ts';
import { findForeignQuantities, findQuantities } from './quantities.ts';
import type { RowFacts } from './row-facts.ts';
import { findUnit } from './units.ts';

const prefixCharsMin = 3;
const endingCharsMax = 4;

/** Returns whether two folded words are forms of one word, such as 'mug' and 'mugs', or 'wood' and 'wooden'. */
export function isSameWord(one: string, other: string): boolean {
  if (one === other) return true;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  let common = 0;
  while (common < short.length && short[common] === long[common]) common++;
  if (common < prefixCharsMin || long.length - common > endingCharsMax) return false;
  return common === short.length || (common >= short.length - 1 && long.length - common <= 2);
}

/** Whether a type or tag consists of a row's words. A word in a script without spaces may be anywhere in the text. */
export function consistsOfRowWords(name: string, row: RowFacts): boolean {
  const folded = foldText(name);
  const words = wordsOf(folded);
  // Two forms of one word count as equal, but words with other numbers do not: 'CF226A' is no form of 'CF226X'.
  const hasNumber = words.some((word) => digit.test(word));
  if (words.length === 0 || (hasNumber && !hasQuantities(folded, row))) return false;
  return words.every(
    (word) => digit.test(word) || isRowWord(word, row) || (hasNumber && findUnit(word) !== null),
  );
}

const partCharsMin = 4;
const digit = /\d/;

const hasQuantities = (text: string, row: RowFacts): boolean =>
  findForeignQuantities(findQuantities(text), row.quantities, row.text).length === 0;

export function isRowWord(word: string, row: RowFacts): boolean {
  if (unspacedScript.test(word)) return row.text.includes(word);
  if (word.length < prefixCharsMin) return row.words.has(word);
  if (word.length >= partCharsMin && row.text.includes(word)) return true;
  return [...row.words].some((other) => isSameWord(word, other) || endsWithWord(other, word));
}

/** Returns whether a word ends with a form of the other word: 'Spanplattenschrauben' ends with a form of 'Schraube'. */
const endsWithWord = (long: string, word: string): boolean =>
  word.length > partCharsMin && long.length > word.length && isSameWord(long.slice(-word.length), word);

/** A title with a number and fewer words than this counts as a code: 'Art. 88213' has one word. */
const titleWordsMin = 2;

/** Returns whether a text shares a word with the title. If the title is a code, any word of the row is enough. */
export function sharesTitleWord(text: string, row: RowFacts): boolean {
  const tellingOf = (words: readonly string[]) =>
    words.filter((word) => !digit.test(word) && (word.length >= prefixCharsMin || unspacedScript.test(word)));
  const ofTitle = tellingOf(row.titleWords);
  const isCode = row.titleWords.some((word) => digit.test(word)) && ofTitle.length < titleWordsMin;
  const telling = isCode ? tellingOf([...row.words]) : ofTitle;
  if (telling.length === 0) return true;
  const words = wordsOf(text);
  return telling.some((word) =>
    unspacedScript.test(word)
      ? pairsOf(word).some((pair) => text.includes(pair))
      : words.some(
          (other) => isSameWord(other, word) || (word.length > partCharsMin && other.includes(word)),
        ),
  );
}

function pairsOf(word: string): string[] {
  const chars = [...word];
  return chars.length < 2 ? chars : chars.slice(1).map((char, at) => `${chars[at]}${char}`);
}
