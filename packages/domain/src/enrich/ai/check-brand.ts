import { unknownMakers } from './claims.ts';
import { foldText, wordsOf } from './fold-text.ts';
import type { Language } from './frequent-words.ts';
import { mainScript } from './language.ts';
import type { RowFacts } from './row-facts.ts';
import { unitNamed } from './units.ts';

const capitalized = /(?<![\p{L}\p{N}])[\p{Lu}\p{Lt}][\p{L}\p{N}]*(?:['’&.-][\p{L}\p{N}]+)*/gu;
const sentenceEnds = new Set('.!?:;•\n…。');
const openers = new Set('"“”„«»\'’( \t');

/** Whether a sentence begins at a place in a text. */
function beginsSentence(text: string, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && openers.has(text[before] ?? '')) before--;
  return before < 0 || sentenceEnds.has(text[before] ?? '');
}

const camelCase = /\p{Ll}\p{Lu}/u;
/** Before a maker's name in German, where all nouns have capitals. */
const germanMaker =
  /(?:^|[^\p{L}])(?:von|marke|hersteller|firma|by|made by|aus dem hause)\s+(?:der firma\s+|marke\s+)?$/iu;
/** A sentence that begins with a maker: 'Nordvale builds this lamp'. */
const madeBy = new RegExp(
  `^ +(?:${[
    '(?:makes|made|builds?|built|designs?|designed|creates?|created|produces?|produced|develops?|developed|offers?|brings|presents|manufactures?|manufactured|sells|launched) (?:this|these|the|an?|it|its|you)',
    '(?:baut|fertigt|produziert|prasentiert|bietet|entwirft|entwickelt|stellt|liefert|zeigt) (?:dies\\p{L}*|de[nrm]|die|das|ein\\p{L}*)',
    '(?:fabrique|propose|presente|cree|concoit|produit|offre|signe) (?:cet?|cette|ces|une?|les?|la)',
    '(?:fabrica|presenta|ofrece|disena|crea|produce|propone|oferece|apresenta|cria|produz) (?:est\\p{L}*|uma?|una?|un|el|la|los|las|os?|as?)',
    '(?:produce|presenta|offre|propone|crea|firma|realizza) (?:quest\\p{L}*|una?|un|il|la|lo|gli|le)',
    '(?:maakt|biedt|presenteert|ontwerpt|produceert|levert) (?:deze|dit|een|de|het)',
    '(?:tillverkar|erbjuder|presenterar|designar|fremstiller|tilbyder|praesenterer|designer|produkuje|oferuje|przedstawia) \\p{L}',
  ].join('|')})(?!\\p{L})`,
  'u',
);
const notMakers = new Set(
  'hand natur anfang grund haus allen sie ihr ihre ihrem ihren ihrer ihres ihnen'.split(' '),
);
const adjectiveEnd = /(?:e|er|es|en|em|lich|ig|isch)$/;
const germanStarts = new Set(
  `dank mit aus fur von ein das der die den dem im am zum zur in auf und oder set packung paar stuck kein ideal nur so auch
  hier perfekt passend inklusive inkl je pro als bei ob`.split(/\s+/),
);
const measures = new Set(
  'set stuck packung paar liter gramm meter zentimeter farbe grosse format material motiv typ modell marke'.split(
    ' ',
  ),
);

/** Makers and other names in a text that a row does not have. Capitals after a sentence's first word tell names. */
export function unknownNames(text: string, language: Language | null, row: RowFacts): string[] {
  const found = unknownMakers(foldText(text), row.spaced);
  const words = [...text.matchAll(capitalized)].map((match) => ({
    word: match[0],
    at: match.index,
    isFirst: beginsSentence(text, match.index),
    isKnown: isKnown(match[0], row),
  }));
  const script = mainScript(text);
  for (const [at, { word, isFirst, isKnown, ...position }] of words.entries()) {
    if (isKnown) continue;
    const before = text.slice(Math.max(0, position.at - 40), position.at);
    const next = words[at + 1];
    const isFollowed = next !== undefined && /^\s+$/.test(text.slice(position.at + word.length, next.at));
    const previous = words[at - 1];
    const follows = previous !== undefined && previous.at + previous.word.length + 1 === position.at;
    const isGerman = script === 'latin' && (language === 'de' || language === null);
    const isName =
      camelCase.test(word) ||
      (script !== 'latin' && /\p{Script=Latin}/u.test(word)) ||
      (isGerman
        ? isGermanName(word, { before, isFirst, isFollowed, previous: follows ? previous : undefined })
        : !isFirst || (isFollowed && next?.isKnown === false) || /['’]s$/.test(word));
    const after = foldText(text.slice(position.at + word.length, position.at + word.length + 40));
    if (isName || (isFirst && madeBy.test(` ${after}`))) found.push(word);
  }
  return found;
}

type Position = {
  before: string;
  isFirst: boolean;
  isFollowed: boolean;
  previous: { word: string; isFirst: boolean } | undefined;
};

/** German nouns have capitals, so only the place of a word tells a name: after 'von', or beside another noun. */
function isGermanName(word: string, { before, isFirst, isFollowed, previous }: Position): boolean {
  const folded = foldText(word);
  if (notMakers.has(folded) || measures.has(folded)) return false;
  if (germanMaker.test(before)) return true;
  if (isFirst) return isFollowed && !germanStarts.has(folded) && !adjectiveEnd.test(folded);
  if (isFollowed) return true;
  return previous !== undefined && !previous.isFirst && !measures.has(foldText(previous.word));
}

const partCharsMin = 4;

/** Whether a row has all words of a name, also inside or at the beginning of longer ones. */
function isKnown(name: string, row: RowFacts): boolean {
  return wordsOf(foldText(name)).every(
    (word) =>
      word === 's' ||
      row.words.has(word) ||
      unitNamed(word) !== null ||
      /\d/.test(word) ||
      (word.length >= partCharsMin && row.text.includes(word)) ||
      hasStem(row.words, word),
  );
}

/** 'cats' is a form of 'cat', 'Catsan' is none: short words take short endings. */
const endingCharsMax = (chars: number): number => Math.min(chars - 2, 3);

/** 'Cups' is known from 'Cup'. */
function hasStem(words: ReadonlySet<string>, word: string): boolean {
  for (const other of words) {
    const [short, long] = other.length < word.length ? [other, word] : [word, other];
    if (
      short.length >= partCharsMin - 1 &&
      long.startsWith(short) &&
      long.length - short.length <= endingCharsMax(short.length)
    )
      return true;
  }
  return false;
}

const usedWith =
  /(?:for|fits?|compatible with|fur|passend fur|pour|compatible avec|para|compatible con|per|compatibile con|voor|geschikt voor|till|til|do|для)$/;

/**
 * Why a brand is not the row's; null: the row names it. Its words follow each other in a value, and not only after
 * 'for' or 'compatible with'.
 */
export function brandProblem(brand: string, row: RowFacts, types: readonly string[]): string | null {
  const folded = wordsOf(foldText(brand)).join(' ');
  if (folded === '' || !/\p{L}/u.test(folded)) return brand;
  if (types.some((type) => wordsOf(foldText(type)).join(' ') === folded)) return brand;
  const places = row.values.flatMap((value) => {
    const text = ` ${wordsOf(value).join(' ')} `;
    const at = text.indexOf(` ${folded} `);
    return at < 0 ? [] : [text.slice(0, at).trim()];
  });
  if (places.length === 0) return brand;
  return places.every((before) => usedWith.test(before)) ? brand : null;
}
