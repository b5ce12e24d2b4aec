import { distance } from 'fastest-levenshtein';
import {
  type CanonicalField,
  coreFields,
  labelInSentence,
  moneyFields,
} from '../../base/canonical-fields.ts';
import {
  classifyHeaderRest,
  hasForeignWord,
  headerCharsMax,
  headerOrdinal,
  headerWords,
  isSecondChoice,
  isTaxWord,
  namesIdentifier,
} from './header-words.ts';
import { findNamesByKey, type KnownName, selectNamesToCompare, selectNamesToFind } from './known-names.ts';

/**
 * The reason to consider a header for a field, strongest first. `translatedWithin`: a name in another language next to
 * unknown words, perhaps of yet another language. Such a name counts only if the values look like the field.
 */
type CandidateKind = 'name' | 'namePart' | 'standIn' | 'similar' | 'nameWithin' | 'translatedWithin';

export type HeaderCandidate = {
  index: number;
  /** The known name that the header matches. */
  name: string;
  field: CanonicalField;
  kind: CandidateKind;
  /** 0 to 1. */
  confidence: number;
  /** Position of the matched name among the field's names. */
  rank: number;
  /** The number in the header ('image 2'), or 0 without one. */
  ordinal: number;
  reason: string;
};

/** A field that a column may hold, with its worth for the assignment. */
export type FieldCandidate = Omit<HeaderCandidate, 'name' | 'kind' | 'rank'> & {
  /** `values`: the header has no meaning, but the values look like the field. */
  kind: CandidateKind | 'values';
  worth: number;
};

const similarityMin = 0.7;

/** Fields that cannot be in a column of identifiers such as 'Preis-Nr.' or 'stock code'. */
const cannotBeNumber: ReadonlySet<CanonicalField> = new Set(
  [...coreFields, ...moneyFields].filter((field) => field !== 'sku' && field !== 'upc'),
);

/** Whether a header names an identifier, so that its column cannot hold the field whatever the values look like. */
export const isIdHeader = (words: readonly string[], field: CanonicalField): boolean =>
  cannotBeNumber.has(field) && namesIdentifier(words);

/** Whether a yes/no column, such as 'In stock?', cannot hold a field. */
const cannotBeYesNo = (field: CanonicalField) => coreFields.includes(field);

/** A suffix in brackets: 'Price [Main store]', 'Prix (TTC)'. */
const addition = /^(.*\S)\s*(?:\[([^\]]*)\]|\(([^)]*)\))\s*\*?$/;

/**
 * Returns all fields that a header may mean. If the whole header is a known name, its parts are not considered. If the
 * header means nothing, it is matched without its bracketed suffix, unless the suffix changes the meaning.
 */
export function candidatesOf(header: string, index: number): HeaderCandidate[] {
  const found = candidatesOfText(header, index);
  if (/\?\s*$/.test(header)) return found.filter(({ field }) => !cannotBeYesNo(field));
  if (found.some(({ kind }) => kind !== 'nameWithin' && kind !== 'similar')) return found;
  if (header.length > headerCharsMax) return found;
  const [, text, square = '', round = ''] = addition.exec(header) ?? [];
  if (text === undefined || hasForeignWord(headerWords(square + round))) return found;
  const ofText = candidatesOfText(text, index);
  return ofText.length === 0 ? found : ofText.map((one) => ({ ...one, confidence: one.confidence * 0.9 }));
}

function candidatesOfText(header: string, index: number): HeaderCandidate[] {
  const words = headerWords(header);
  if (words.length === 0) return [];
  // eBay's custom label is a SKU, but Google's 'custom label 0' to 4 are free texts.
  if (/^custom label \d$/.test(words.join(' '))) return [];
  const whole = findNamesByKey(words.join(''));
  if (whole) return whole.map((name) => candidate(index, name, name.isStandIn ? 'standIn' : 'name', words));
  // 'image1 src' is the first of several 'image src' columns.
  const unnumbered = words.filter((word) => !/^\p{N}+$/u.test(word));
  const numbered = unnumbered.length < words.length ? findNamesByKey(unnumbered.join('')) : undefined;
  if (numbered) {
    return numbered.map((name) => candidate(index, name, name.isStandIn ? 'standIn' : 'namePart', words));
  }
  const parts = partsOf(words, index);
  if (parts.length > 0 || hasForeignWord(words)) return parts;
  return similarTo(words, index).filter(({ field }) => !isIdHeader(words, field));
}

/** Whether a whole header is a name of a field, and not a stand-in. */
export function isKnownName(header: string, field: CanonicalField): boolean {
  const names = findNamesByKey(headerWords(header).join('')) ?? [];
  return names.some((name) => name.field === field && !name.isStandIn);
}

function candidate(
  index: number,
  name: KnownName,
  kind: CandidateKind,
  words: string[],
  rest: string[] = [],
): HeaderCandidate {
  const base = { name: 1, namePart: 0.9, standIn: 0.8, similar: 0, nameWithin: 0.7, translatedWithin: 0.7 }[
    kind
  ];
  const reason = {
    name: `Known name of the ${labelInSentence(name.field)} column`,
    namePart: `Contains '${name.name}'`,
    standIn: `'${name.name}' can stand for the ${labelInSentence(name.field)}`,
    similar: `Similar to '${name.name}'`,
    nameWithin: `Contains '${name.name}' and unknown words`,
    translatedWithin: `Contains '${name.name}' and unknown words`,
  }[kind];
  return {
    index,
    name: name.name,
    field: name.field,
    kind,
    confidence: isSecondChoice(rest) ? base - 0.05 : base,
    rank: name.rank,
    ordinal: headerOrdinal(words),
    reason,
  };
}

/** Names of quantities that mean stock even next to an unknown word: 'shop stock', unlike 'Anzahl LEDs'. */
const stockName = /stock|invent|lager|bestand|giacenz|magaz|currentq/;

/** Returns the names next to neutral words in a header. If there are none, returns the names next to unknown words. */
function partsOf(words: string[], index: number): HeaderCandidate[] {
  const neutral = new Map<CanonicalField, { length: number; found: HeaderCandidate }>();
  const unknown = new Map<CanonicalField, { length: number; found: HeaderCandidate }>();
  for (const name of selectNamesToFind(words)) {
    const rest = wordsAround(words, name.words);
    if (!rest || isIdHeader(words, name.field)) continue;
    const others = rest.filter((word) => !isNameOf(word, name.field));
    const kind = isAtPlace(words, name) ? 'unknown' : classifyHeaderRest(others, name.field);
    if (kind === 'foreign') continue;
    // A stand-in is weak evidence next to neutral words, and no evidence next to unknown words.
    const isUnknown = kind === 'unknown';
    // 'operation type' and 'variation type' are types of something else.
    if (isUnknown && name.key === 'type') continue;
    if (isUnknown && name.field === 'quantity' && !stockName.test(name.key)) continue;
    // The value of a tax is not a price, but a price with tax is.
    if (/^(?:value|amount|worth)$/.test(name.key) && rest.some(isTaxWord)) continue;
    const provesLittle = name.isStandIn || !coreFields.includes(name.field);
    if (isUnknown && (provesLittle || words.length > 4)) continue;
    const into = isUnknown ? unknown : neutral;
    const length = name.key.length;
    if ((into.get(name.field)?.length ?? 0) >= length) continue;
    const within = name.isTranslated ? 'translatedWithin' : 'nameWithin';
    const matchKind = isUnknown ? within : name.isStandIn ? 'standIn' : 'namePart';
    into.set(name.field, { length, found: candidate(index, name, matchKind, words, rest) });
  }
  const found = neutral.size > 0 ? neutral : unknown;
  // If a header contains both 'compare at price' and 'price', it means the longer name.
  const longest = Math.max(...[...found.values()].map((entry) => entry.length));
  return [...found.values()].filter((entry) => entry.length === longest).map((entry) => entry.found);
}

/** Whether a header such as 'Current Quantity Mill Street' names a shop's stock, whatever the shop's name contains. */
const isAtPlace = (words: string[], name: KnownName): boolean =>
  name.key === 'currentquantity' && words[0] === 'current';

/** Whether a word is itself a name of the field, as both words of 'Barcode EAN' are. */
const isNameOf = (word: string, field: CanonicalField): boolean =>
  findNamesByKey(word)?.some((name) => name.field === field && !name.isStandIn) === true;

/** Returns a header's words around a name, or null if the header is only the name or does not contain it. */
function wordsAround(words: string[], name: string[]): string[] | null {
  if (name.length === 0 || name.length >= words.length) return null;
  for (let at = 0; at + name.length <= words.length; at += 1) {
    if (name.every((word, offset) => words[at + offset] === word)) {
      return [...words.slice(0, at), ...words.slice(at + name.length)];
    }
  }
  return null;
}

/** Returns the most similar name by Levenshtein distance, or an empty array if no name is similar enough. */
function similarTo(words: string[], index: number): HeaderCandidate[] {
  const key = words.join('');
  let best: { name: KnownName; similarity: number } | null = null;
  for (const name of selectNamesToCompare(key)) {
    const length = Math.max(key.length, name.key.length);
    if (length < 4 || Math.abs(key.length - name.key.length) > length * (1 - similarityMin)) continue;
    const similarity = 1 - distance(key, name.key) / length;
    if (similarity >= similarityMin && similarity > (best?.similarity ?? 0)) best = { name, similarity };
  }
  if (!best) return [];
  return [{ ...candidate(index, best.name, 'similar', words), confidence: round(best.similarity * 0.9) }];
}

const round = (value: number): number => Math.round(value * 100) / 100;
