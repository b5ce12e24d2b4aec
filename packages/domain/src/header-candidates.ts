import { distance } from 'fastest-levenshtein';
import { type CanonicalField, coreFields } from './canonical-fields.ts';
import { hasForeignWord, headerOrdinal, headerWords, restOfHeader, secondRank } from './header-words.ts';
import { type KnownName, namesOfKey, namesToCompareWith, namesToLookForIn } from './known-names.ts';

/** How a header came to be considered for a field, strongest first. */
export type CandidateKind = 'name' | 'namePart' | 'standIn' | 'similar' | 'nameWithin';

export type Candidate = {
  index: number;
  field: CanonicalField;
  kind: CandidateKind;
  confidence: number;
  /** Place of the matched name among the field's names, then of the column among its like. */
  rank: number;
  ordinal: number;
  reason: string;
};

/** The settings panel's 'similarity threshold 70%+' (S9, S210). */
const similarityMin = 0.7;

/** Every field a header may be for. A header that is a known name as a whole is not looked at in parts. */
export function candidatesOf(header: string, index: number): Candidate[] {
  const words = headerWords(header);
  if (words.length === 0) return [];
  const whole = namesOfKey(words.join(''));
  if (whole) return whole.map((name) => candidate(index, name, name.isStandIn ? 'standIn' : 'name', words));
  // 'image1 src' is the first of several 'image src'.
  const unnumbered = words.filter((word) => !/^\p{N}+$/u.test(word));
  const numbered = unnumbered.length < words.length ? namesOfKey(unnumbered.join('')) : undefined;
  if (numbered) {
    return numbered.map((name) => candidate(index, name, name.isStandIn ? 'standIn' : 'namePart', words));
  }
  const parts = partsOf(words, index);
  if (parts.length > 0) return parts;
  return hasForeignWord(words) ? [] : similarTo(words, index);
}

function candidate(
  index: number,
  name: KnownName,
  kind: CandidateKind,
  words: string[],
  rest: string[] = [],
): Candidate {
  const penalty = secondRank(rest) * 0.05;
  const base = { name: 1, namePart: 0.9, standIn: 0.8, similar: 0, nameWithin: 0.7 }[kind];
  const reason = {
    name: `is a name of ${name.field}`,
    namePart: `contains '${name.name}'`,
    standIn: `'${name.name}' stands in for ${name.field}`,
    similar: `is similar to '${name.name}'`,
    nameWithin: `contains '${name.name}' beside unknown words`,
  }[kind];
  return {
    index,
    field: name.field,
    kind,
    confidence: base - penalty,
    rank: name.rank,
    ordinal: headerOrdinal(words),
    reason,
  };
}

/** Names within a header whose other words are neutral; failing those, names beside words not known. */
function partsOf(words: string[], index: number): Candidate[] {
  const neutral = new Map<CanonicalField, { length: number; found: Candidate }>();
  const unknown = new Map<CanonicalField, { length: number; found: Candidate }>();
  for (const name of namesToLookForIn(words)) {
    const rest = wordsAround(words, name.words);
    if (!rest) continue;
    const kind = restOfHeader(rest, name.field);
    if (kind === 'foreign') continue;
    // A stand-in proves little as it is: with unknown words beside it, nothing.
    const isUnknown = kind === 'unknown';
    // 'operation type' and 'variation type' are types of something else.
    if (isUnknown && name.key === 'type') continue;
    const provesLittle = name.isStandIn || name.isTranslated || !coreFields.includes(name.field);
    if (isUnknown && (provesLittle || words.length > 4)) continue;
    const into = isUnknown ? unknown : neutral;
    const length = name.key.length;
    if ((into.get(name.field)?.length ?? 0) >= length) continue;
    const matchKind = isUnknown ? 'nameWithin' : name.isStandIn ? 'standIn' : 'namePart';
    into.set(name.field, { length, found: candidate(index, name, matchKind, words, rest) });
  }
  const found = neutral.size > 0 ? neutral : unknown;
  // Of 'compare at price' and 'price' in one header the longer name is meant.
  const longest = Math.max(...[...found.values()].map((entry) => entry.length));
  return [...found.values()].filter((entry) => entry.length === longest).map((entry) => entry.found);
}

/** The words of a header before and after a name in it, or null. */
function wordsAround(words: string[], name: string[]): string[] | null {
  if (name.length === 0 || name.length >= words.length) return null;
  for (let at = 0; at + name.length <= words.length; at += 1) {
    if (name.every((word, offset) => words[at + offset] === word)) {
      return [...words.slice(0, at), ...words.slice(at + name.length)];
    }
  }
  return null;
}

/** The most similar name by Levenshtein. */
function similarTo(words: string[], index: number): Candidate[] {
  const key = words.join('');
  let best: { name: KnownName; similarity: number } | null = null;
  for (const name of namesToCompareWith(key)) {
    const length = Math.max(key.length, name.key.length);
    if (length < 4 || Math.abs(key.length - name.key.length) > length * (1 - similarityMin)) continue;
    const similarity = 1 - distance(key, name.key) / length;
    if (similarity >= similarityMin && similarity > (best?.similarity ?? 0)) best = { name, similarity };
  }
  if (!best) return [];
  return [{ ...candidate(index, best.name, 'similar', words), confidence: round(best.similarity * 0.9) }];
}

const round = (value: number): number => Math.round(value * 100) / 100;
