import { foldText, unspaced, wordsOf } from './fold-text.ts';
import type { RowFacts } from './row-facts.ts';

/** Words of names that say nothing by themselves. */
const joining = new Set(
  'and for of the with a an s und fur mit et de pour des la le y para con e da di per en met voor och med og i do na'.split(
    ' ',
  ),
);

const prefixCharsMin = 3;
const endingCharsMax = 4;

/** Whether two folded words are forms of one: 'mug' and 'mugs', 'vaso' and 'vasi', 'wood' and 'wooden'. */
export function isSameWord(one: string, other: string): boolean {
  if (one === other) return true;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  let common = 0;
  while (common < short.length && short[common] === long[common]) common++;
  if (common < prefixCharsMin || long.length - common > endingCharsMax) return false;
  return common === short.length || (common >= short.length - 1 && long.length - common <= 2);
}

/** Whether a type or tag is made of a row's words. Han and kana are compared as parts of the text. */
export function isOfRowWords(name: string, row: RowFacts): boolean {
  const words = wordsOf(foldText(name)).filter((word) => !joining.has(word));
  return words.length > 0 && words.every((word) => isRowWord(word, row));
}

const partCharsMin = 4;

function isRowWord(word: string, row: RowFacts): boolean {
  if (unspaced.test(word)) return row.text.includes(word);
  if (/^\d+$/.test(word) || word.length < prefixCharsMin) return row.words.has(word);
  if (word.length >= partCharsMin && row.text.includes(word)) return true;
  return [...row.words].some((other) => isSameWord(word, other) || endsWithWord(other, word));
}

/** 'Spanplattenschrauben' ends with a form of 'Schraube'. */
const endsWithWord = (long: string, word: string): boolean =>
  word.length > partCharsMin && long.length > word.length && isSameWord(long.slice(-word.length), word);

/** Whether a text has a word of the title, so that it is about the same product. */
export function sharesTitleWord(text: string, row: RowFacts): boolean {
  const telling = row.titleWords.filter((word) => word.length >= prefixCharsMin || unspaced.test(word));
  if (telling.length === 0) return true;
  const words = wordsOf(text);
  return telling.some((word) =>
    unspaced.test(word)
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
