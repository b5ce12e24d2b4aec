import { foldText, wordsOf } from './fold-text.ts';
import { isFrequent, type Language } from './frequent-words.ts';
import { scriptsAfterHan } from './han.ts';
import { foreignWords, languageOf, lettersOfOthers, mainScript, type Script, scriptsOf } from './language.ts';
import { mainScripts, type RowFacts } from './row-facts.ts';
import { isRowWord } from './same-words.ts';
import { unitNamed } from './units.ts';

const wordCharsMin = 4;

/** The part of a text that is not in the row's language; null: all of it is, or nothing tells. */
export function languageProblem(text: string, row: RowFacts): string | null {
  const script = mainScript(text);
  if (script !== null && !mayFollow(script, row)) return script;
  const strange = strangeLetters(text, row);
  if (strange !== null) return strange;
  if (script !== 'latin') return null;
  if (row.languages.length === 0) {
    const other = wordsOfOther(text, row);
    if (other !== null) return other;
  }
  const own = languageOf(newWords(text, row));
  if (own !== null && row.languages.length > 0 && !row.languages.includes(own)) return own;
  const language = row.language ?? own;
  if (language === null) return null;
  const [foreign] = foreignWords(wordsOf(foldText(text)), language, row.words);
  return foreign ?? foreignLetters(text, language, row);
}

/** Whether texts of a row may have a script as their main one. */
function mayFollow(script: Script, row: RowFacts): boolean {
  if (row.scripts.size === 0) return true;
  if (!row.scripts.has('han')) return row.scripts.has(script);
  return row.scripts.size > 1 && row.scripts.has(script) && script !== 'han'
    ? true
    : scriptsAfterHan(row.written).some((one) => one === script);
}

const unknownMin = 3;
const knownShareMin = 1 / 3;

/**
 * The first word that the row does not have, if it has few of a text's; else null. Where no frequent word tells the
 * row's language, a text in another one shares only names with it: at most 29 % in the labelled cases, and good texts
 * have at least 33 % of their words from the row.
 */
function wordsOfOther(text: string, row: RowFacts): string | null {
  const words = new Set(wordsOf(foldText(text)));
  const telling = [...words].filter(
    (word) => word.length >= wordCharsMin && !/\d/.test(word) && !isFrequent(word),
  );
  const unknown = telling.filter((word) => !isRowWord(word, row));
  const isOther =
    unknown.length >= unknownMin && telling.length - unknown.length < telling.length * knownShareMin;
  return isOther ? (unknown[0] ?? null) : null;
}

/** A text without the row's words: a title may be in another language than its description. */
const newWords = (text: string, row: RowFacts): string =>
  text
    .split(/\s+/)
    .filter((word) => !wordsOf(foldText(word)).every((one) => row.words.has(one)))
    .join(' ');

/** A word with letters that the language does not have, if the row does not have it. */
function foreignLetters(text: string, language: Language, row: RowFacts): string | null {
  const letters = new RegExp(`[${lettersOfOthers(language)}]`);
  const words =
    text
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}]+/gu) ?? [];
  return words.find((word) => letters.test(word) && !row.words.has(foldText(word))) ?? null;
}

/**
 * The first word that the row does not have, with letters of a script that is none of the text's main ones, or of one
 * that the row's texts may not have.
 */
function strangeLetters(text: string, row: RowFacts): string | null {
  const scripts = new Set([...mainScripts(text)].filter((script) => mayFollow(script, row)));
  for (const word of text.match(/\p{Script=Latin}+|(?:(?!\p{Script=Latin})[\p{L}\p{M}])+/gu) ?? []) {
    const folded = foldText(word);
    if (row.text.includes(folded) || unitNamed(folded) !== null || /^[µμΩ]$/u.test(word)) continue;
    const script = [...scriptsOf(word).keys()].find(
      (one) => !scripts.has(one) && !(one === 'han' && scripts.has('kana')),
    );
    if (script === undefined) continue;
    const isWord = script !== 'latin' || (folded.length >= wordCharsMin && /^\p{Ll}/u.test(word));
    if (isWord) return word;
  }
  return null;
}
