import { colorLines, languageColumns, materialLines, multiplierLines, sizeLines } from './fact-word-lists.ts';
import { foldText, unspaced } from './fold-text.ts';
import { isFrequent, type Language } from './frequent-words.ts';
import { unitNamed } from './units.ts';

type Kind = 'color' | 'material' | 'size' | 'number';
type Entry = {
  kind: Kind;
  concept: string;
  language: Language | 'other';
  isBeginning: boolean;
  chars: number;
};

const exact = new Map<string, Entry[]>();
const beginnings = new Map<string, { start: string; entry: Entry }[]>();
/** Words of scripts without spaces are looked for in the whole text. */
const inside: { word: string; entry: Entry }[] = [];
/** A concept's wider concepts: oak is wood. */
const wider = new Map<string, string>();
const keyChars = 2;

function addLines(kind: Kind, lines: string): void {
  for (const line of lines.trim().split('\n')) {
    const columns = line.split('|');
    const [concept = ''] = columns[0]?.split(' ') ?? [];
    for (const [at, column] of columns.entries()) {
      const language = languageColumns[at];
      if (language === undefined) throw new Error(`Too many columns: ${line}`);
      for (const word of column.split(' ')) {
        if (word === '-' || word === '') continue;
        if (word.startsWith('>')) wider.set(`${kind} ${concept}`, `${kind} ${word.slice(1)}`);
        else
          addWord(word, {
            kind,
            concept: `${kind} ${concept}`,
            language,
            isBeginning: word.endsWith('*'),
            chars: word.length,
          });
      }
    }
  }
}

function addWord(written: string, entry: Entry): void {
  const word = foldText(written.replace('*', ''));
  if (unspaced.test(word)) inside.push({ word, entry });
  else if (entry.isBeginning) {
    const key = word.slice(0, keyChars);
    beginnings.set(key, [...(beginnings.get(key) ?? []), { start: word, entry }]);
  } else exact.set(word, [...(exact.get(word) ?? []), entry]);
}

addLines('color', colorLines);
addLines('material', materialLines);
addLines('size', sizeLines);
addLines('number', multiplierLines);

/** All entries of a folded word, in any language. */
function entriesOf(word: string): Entry[] {
  const begun = (beginnings.get(word.slice(0, keyChars)) ?? [])
    .filter(({ start }) => word.startsWith(start))
    .map(({ entry }) => entry);
  return [...(exact.get(word) ?? []), ...begun];
}

const tellingCharsMin = 4;

/** Words that more languages share tell none of them. */
const sharedMax = 3;

/** The languages in which a folded word is a colour, material or size, if they are few. */
export function lexiconLanguages(word: string): Language[] {
  if (word.length < tellingCharsMin) return [];
  const found = new Set(entriesOf(word).flatMap(({ language }) => (language === 'other' ? [] : [language])));
  return found.size <= sharedMax ? [...found] : [];
}

/** Words and concepts of a row, in any language. */
export type RowWords = { words: ReadonlySet<string>; text: string; concepts: ReadonlySet<string> };

/** The colours, materials, sizes and multipliers that a row names. */
export function conceptsOf(words: Iterable<string>, text: string): Set<string> {
  const found = new Set<string>();
  const add = (concept: string) => {
    found.add(concept);
    const above = wider.get(concept);
    if (above !== undefined && !found.has(above)) add(above);
  };
  for (const word of words) for (const { concept } of entriesOf(word)) add(concept);
  for (const { word, entry } of inside) if (text.includes(word)) add(entry.concept);
  return found;
}

const relativeSizes = new Set(['size large', 'size small', 'size medium']);
const sizeNames = new Set(
  'size sizes sized grosse taille talla taglia maat tamanho storlek storrelse rozmiar'.split(' '),
);

/** Whether a size is not the product's: 'small treasures' is not, 'small mug' and 'Small and Large' are. */
function isOfOther(words: readonly string[], at: number, row: RowWords): boolean {
  const [before = '', next] = [words[at - 1], words[at + 1]];
  // 'groot' in '80 cm groot', 'Größe' in 'in der Größe 135x200'.
  if (unitNamed(before) !== null || /^\d/.test(next ?? '')) return true;
  return (
    next !== undefined &&
    !sizeNames.has(next) &&
    !row.words.has(next) &&
    !isFrequent(next) &&
    entriesOf(next).length === 0
  );
}

/** A row's word may be part of a longer one, as in German: 'Weißeiche' has 'eiche'. */
const partCharsMin = 4;
const hasWord = (row: RowWords, word: string): boolean =>
  row.words.has(word) || (word.length >= partCharsMin && row.text.includes(word));

/** Words of other languages that are everyday words of English. */
const english = new Set(
  'marine mousse carton duvet email plumes grand petite media rouge crema viola grande sable sort pile rode ante'.split(
    ' ',
  ),
);
const foreignCharsMin = 5;

/**
 * The colours, materials, sizes and multipliers of a proposal that a row does not have. Words that are such only in
 * another language than the proposal's are returned as 'foreign'.
 */
export function unknownFacts(
  words: readonly string[],
  text: string,
  language: Language | null,
  row: RowWords,
): { check: Kind | 'foreign'; found: string }[] {
  const failures: { check: Kind | 'foreign'; found: string }[] = [];
  for (const [at, word] of words.entries()) {
    if (hasWord(row, word)) continue;
    const all = entriesOf(word);
    const own = all.filter((entry) => entry.language === 'other' || entry.language === (language ?? 'en'));
    // Short words mean too many things if the language is unknown.
    const meant = language === null && word.length >= tellingCharsMin ? all : own;
    if (meant.some(({ concept }) => row.concepts.has(concept))) continue;
    if (
      meant.length > 0 &&
      meant.every(({ concept }) => relativeSizes.has(concept)) &&
      isOfOther(words, at, row)
    )
      continue;
    for (const check of new Set(meant.map(({ kind }) => kind))) failures.push({ check, found: word });
    if (meant.length > 0) continue;
    if (language !== null && isForeign(word, language, all)) failures.push({ check: 'foreign', found: word });
  }
  for (const { word, entry } of inside) {
    const isKnown = row.concepts.has(entry.concept) || row.text.includes(word);
    if (text.includes(word) && !isKnown && !isPartOfRowWord(word, text, row))
      failures.push({ check: entry.kind, found: word });
  }
  return failures;
}

function isForeign(word: string, language: Language, entries: readonly Entry[]): boolean {
  if (word.length < foreignCharsMin || (language === 'en' && english.has(word))) return false;
  return entries.some(({ isBeginning, chars }) => !isBeginning || chars > foreignCharsMin);
}

/** One Han character may be a part of another word: '竹' in a name that the row has. */
function isPartOfRowWord(word: string, text: string, row: RowWords): boolean {
  if ([...word].length > 1) return false;
  const pairs = [...text.matchAll(new RegExp(`.?${word}.?`, 'gu'))].map(([pair]) => pair);
  return pairs.every((pair) => row.text.includes(pair));
}
