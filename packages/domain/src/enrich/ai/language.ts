import { lexiconLanguages } from './fact-words.ts';
import { foldText, wordsOf } from './fold-text.ts';
import { frequentWords, type Language, languages } from './frequent-words.ts';
import { languagesOfNumber } from './number-words.ts';

/** Letters that only few languages have. */
const letterHints: readonly [RegExp, readonly Language[]][] = [
  [/ß/, ['de']],
  [/[äöü]/, ['de', 'sv']],
  [/ü/, ['de']],
  [/ñ/, ['es']],
  [/[ąęśżźćłń]/, ['pl']],
  [/[ãõ]/, ['pt']],
  [/å/, ['sv', 'da']],
  [/[øæ]/, ['da']],
  [/[èêàù]/, ['fr', 'it']],
  [/[ç]/, ['fr', 'pt']],
  [/[úíó]/, ['es', 'pt']],
];

/** Letters of few languages that no word borrowed by another one has. 'ä', 'ö' and 'ü' only English never borrows. */
const ownLetters: readonly [string, readonly Language[]][] = [
  ['äöü', languages.filter((language) => language !== 'en')],
  ['ß', ['de']],
  ['ąęśżźćłń', ['pl']],
  ['ãõ', ['pt']],
  ['å', ['sv', 'da']],
  ['øæ', ['da']],
];

/** The letters that texts in a language do not have. */
export const lettersOfOthers = (language: Language): string =>
  ownLetters.flatMap(([letters, users]) => (users.includes(language) ? [] : [letters])).join('');

/** Words of one letter are also units and sizes. */
const telling = 2;

/** A word that others share tells little. */
function pointsOf(word: string, language: Language, users: readonly Language[]): number {
  if (frequentWords[language].telling.has(word)) return users.length === 1 ? 2 : 1;
  return users.length === 1 ? 0 : 0.5;
}

/** A sentence that begins with an English article. */
const englishArticle = /(?:^|[.!?>\n] ?)An? [a-z]/;

/** Points that a language needs for a text to count as of that language. */
const pointsMin = 2;

/** The language of a text in Latin script; null if its words tell none of ten languages apart. */
export function languageOf(text: string): Language | null {
  const [language, other] = languagesOf(text);
  return language === undefined || other !== undefined ? null : language;
}

/** The languages of which a text may be; none if its words tell too little. */
export function languagesOf(text: string): Language[] {
  const points = new Map<Language, number>(languages.map((language) => [language, 0]));
  const add = (language: Language, more: number) => points.set(language, (points.get(language) ?? 0) + more);
  for (const word of new Set(wordsOf(foldText(text)))) {
    const users = languages.filter((language) => frequentWords[language].all.has(word));
    for (const language of word.length < telling ? [] : users) add(language, pointsOf(word, language, users));
    const others = [...lexiconLanguages(word), ...languagesOfNumber(word)];
    for (const language of others) add(language, others.length === 1 ? 2 : 1);
  }
  if (englishArticle.test(text)) add('en', 1);
  // 'Ø 24 cm' is a diameter.
  const lower = text
    .normalize('NFC')
    .toLowerCase()
    .replace(/ø(?! ?\p{L})/gu, '');
  for (const [letters, users] of letterHints) {
    if (letters.test(lower)) for (const language of users) add(language, 1);
  }
  const most = Math.max(...points.values());
  return most < pointsMin ? [] : languages.filter((language) => points.get(language) === most);
}

/** Words of a folded text that belong to another language than this one. `known`: words of the row. */
export function foreignWords(
  words: readonly string[],
  language: Language,
  known: ReadonlySet<string>,
): string[] {
  return words.filter((word) => {
    if (word.length < 3 || known.has(word) || frequentWords[language].all.has(word)) return false;
    return languages.some((other) => other !== language && frequentWords[other].telling.has(word));
  });
}

const scriptTests = {
  latin: /\p{Script=Latin}/gu,
  cyrillic: /\p{Script=Cyrillic}/gu,
  greek: /\p{Script=Greek}/gu,
  arabic: /\p{Script=Arabic}/gu,
  hebrew: /\p{Script=Hebrew}/gu,
  devanagari: /\p{Script=Devanagari}/gu,
  thai: /\p{Script=Thai}/gu,
  hangul: /\p{Script=Hangul}/gu,
  kana: /[\p{Script=Hiragana}\p{Script=Katakana}]/gu,
  han: /\p{Script=Han}/gu,
  // Letters of all other scripts together. Common and inherited letters belong to any text.
  other:
    /(?![\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}\p{Script=Thai}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}\p{Script=Common}\p{Script=Inherited}])\p{L}/gu,
} as const;
export type Script = keyof typeof scriptTests;

/** The letters of a text by script. */
export function scriptsOf(text: string): Map<Script, number> {
  const found = new Map<Script, number>();
  for (const [script, test] of Object.entries(scriptTests) as [Script, RegExp][]) {
    const count = text.match(test)?.length ?? 0;
    if (count > 0) found.set(script, count);
  }
  return found;
}

/** A Japanese text has kana between its Han characters; so kana decides as soon as there is some. */
export function mainScript(text: string): Script | null {
  const scripts = scriptsOf(text);
  const [han, kana] = [scripts.get('han') ?? 0, scripts.get('kana') ?? 0];
  if (kana > 0 && kana + han > 0) {
    scripts.set('kana', kana + han);
    scripts.delete('han');
  }
  const [best] = [...scripts].sort(([, a], [, b]) => b - a);
  return best?.[0] ?? null;
}
