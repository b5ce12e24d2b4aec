import { type CanonicalField, canonicalFields } from '../../base/canonical-fields.ts';
import { fieldNamesOf } from './field-names.ts';
import { headerWords } from './header-words.ts';
import { translatedNames } from './translated-names.ts';

/** One header name of a field. */
export type KnownName = {
  field: CanonicalField;
  name: string;
  words: string[];
  /** The words, joined without separators. */
  key: string;
  rank: number;
  isStandIn: boolean;
  isTranslated: boolean;
};

/** Headers with more words are sentences, in which a name proves nothing. */
export const partialMatchWordsMax = 12;

export const splitNames = (text = ''): string[] =>
  text === '' ? [] : text.split('|').map((name) => name.trim());

const allNames: KnownName[] = canonicalFields.flatMap((field) => {
  const [own, translated = {}] = [fieldNamesOf(field), translatedNames[field]];
  return [
    ...splitNames(own.names).map((name) => ({ name, isStandIn: false, isTranslated: false })),
    ...splitNames(translated.names).map((name) => ({ name, isStandIn: false, isTranslated: true })),
    ...splitNames(own.standIns).map((name) => ({ name, isStandIn: true, isTranslated: false })),
    ...splitNames(translated.standIns).map((name) => ({ name, isStandIn: true, isTranslated: true })),
  ].map((named, rank) => {
    const words = headerWords(named.name);
    return { ...named, field, words, key: words.join(''), rank };
  });
});
const order = new Map(allNames.map((name, place) => [name, place]));
const byKey = Map.groupBy(allNames, (name) => name.key);
const byFirstWord = Map.groupBy(allNames, (name) => name.words[0]);
const typable = allNames.filter((name) => !name.isStandIn && !name.isTranslated);
const byInitial = Map.groupBy(typable, (name) => name.key[0]);

/** Returns the names that equal a whole header, or undefined. `key`: the header's words, joined. */
export function findNamesByKey(key: string): readonly KnownName[] | undefined {
  return byKey.get(key);
}

/**
 * Returns the names that begin with a word of a header and may be part of it, in the order of `allNames`. Comparing
 * every name with every word took seconds for a file of 2,000 headers of 90 words.
 */
export function selectNamesToFind(words: readonly string[]): KnownName[] {
  if (words.length > partialMatchWordsMax) return [];
  const names = [...new Set(words)].flatMap((word) => byFirstWord.get(word) ?? []);
  return names.sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
}

/** Returns the names that a header may misspell: those with the same first letter, because typos rarely change it. */
export function selectNamesToCompare(key: string): readonly KnownName[] {
  return byInitial.get(key[0]) ?? [];
}

/** Returns the header names of a field, best first, without translations. */
export function aliasesOf(field: CanonicalField): string[] {
  const { names, standIns } = fieldNamesOf(field);
  return [...new Set([...splitNames(names), ...splitNames(standIns)])];
}
