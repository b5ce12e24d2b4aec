import { lexiconLanguages } from './fact-words.ts';
import { foldText, wordsOf } from './fold-text.ts';
import { languagesOfNumber } from './number-words.ts';

export const languages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'sv', 'da', 'pl'] as const;
export type Language = (typeof languages)[number];

/** Frequent words of product texts, folded. Those before '|' are not used in the other languages' texts. */
const lists: Record<Language, string> = {
  en: `the and with from this that your which of made for is are its it's has by will not it to each any all these their
    available comes while when you can into where every both also | in on a an as at or be no off up over fur per via out
    set was die man war hat de der den das am bad also plus sur son sin con fine come more made do one`,
  de: `und mit für der das aus eine einer einem einen eines ist nicht auch sich wird oder dem zum zur bei durch sind
    einfach ihre ihr wie über sie ohne sowie kommt lässt vieles ein hergestellt eignet | die den des in am im an auf von
    er es war was so man als ab alle bis da per je dank`,
  fr: `avec pour dans une est les des aux qui cette ce sont du et vous votre vos elle il ses chaque sans très ainsi fait
    faite peut être où | le la de un sur en par plus que se sa son au ou ne pas a l d on les tout`,
  es: `con para los las una del por que es su este esta y más muy sin el hecha hecho cada sus tiene mide ideal | de la un
    en a al se le lo o no como son todo`,
  it: `con per della dei delle del una gli che è di nel alla sono questo questa dal dalla il ogni un' anche nella degli
    da lo fatto si | la le in un al e i a se ha come o non`,
  nl: `met voor een het van uit zijn deze ook niet dit wordt bij naar geschikt maar als heeft kan wordt je uw | en de in
    is op te die dat of der den om was over men te`,
  pt: `com para uma dos das não do da um é seu sua mais os ao na no nas nos muito cada feito feita tem pela pelo | de em e
    a o as por que se como ou`,
  sv: `och med för är av ett till som på från inte den det du din kan även eller vid har utan samt så | en i de men om
    var man dem att`,
  da: `og med til af er på som fra ikke den det du din kan også eller ved har uden et samt så | en i de men om der for
    at man vi`,
  pl: `jest oraz się nie dla ze przez lub który która które jego jej ma tego bez oraz przy jako na z w | i do to od o za
    po a te ten`,
};

type WordList = { telling: Set<string>; all: Set<string> };
const byLanguage = Object.fromEntries(
  languages.map((language): [Language, WordList] => {
    const [telling = '', shared = ''] = lists[language].split('|');
    const [some, others] = [telling, shared].map((words) => wordsOf(foldText(words)));
    return [language, { telling: new Set(some), all: new Set([...(some ?? []), ...(others ?? [])]) }];
  }),
) as Record<Language, WordList>;

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
  if (byLanguage[language].telling.has(word)) return users.length === 1 ? 2 : 1;
  return users.length === 1 ? 0 : 0.5;
}

/** A sentence that begins with an English article. */
const englishArticle = /(?:^|[.!?>\n] ?)An? [a-z]/;

/** Points that a language needs for a text to count as of that language. */
const pointsMin = 2;

/** The language of a text in Latin script; null if its words tell none of ten languages apart. */
export function languageOf(text: string): Language | null {
  const points = new Map<Language, number>(languages.map((language) => [language, 0]));
  const add = (language: Language, more: number) => points.set(language, (points.get(language) ?? 0) + more);
  for (const word of new Set(wordsOf(foldText(text)))) {
    const users = languages.filter((language) => byLanguage[language].all.has(word));
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
  const [best, next] = [...points].sort(([, a], [, b]) => b - a);
  if (best === undefined || best[1] < pointsMin || best[1] === next?.[1]) return null;
  return best[0];
}

/** Words of a folded text that belong to another language than this one. `known`: words of the row. */
export function foreignWords(
  words: readonly string[],
  language: Language,
  known: ReadonlySet<string>,
): string[] {
  return words.filter((word) => {
    if (word.length < 3 || known.has(word) || byLanguage[language].all.has(word)) return false;
    return languages.some((other) => other !== language && byLanguage[other].telling.has(word));
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
