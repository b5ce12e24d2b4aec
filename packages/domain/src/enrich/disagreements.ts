import type { RowValues } from '../base/canonical-fields.ts';
import { brandsAgree, countCommonWords, hasWordConflict } from '../base/compare-words.ts';
import { splitProductWords } from '../base/product-words.ts';
import { type SourceAnswer, valueOfAnswer } from './sources.ts';

const comparedFields = ['title', 'vendor', 'type', 'description'] as const;
type ComparedField = (typeof comparedFields)[number];

/** Returns the fields that differ. Ignores case, spaces, marks, accents, plurals, order of words and extra words. */
export function findDisagreements(values: RowValues, answer: SourceAnswer): ComparedField[] {
  const brands = [...splitProductWords(`${values.vendor ?? ''} ${answer.brand ?? ''}`).words];
  return comparedFields.filter((field) => {
    const [ours, theirs] = [values[field]?.trim() ?? '', valueOfAnswer(answer, field)?.trim() ?? ''];
    return ours !== '' && theirs !== '' && differ[field](ours, theirs, brands);
  });
}

/** Longer descriptions never disagree, because two authors describe one product in different words. */
const descriptionCharsMax = 300;
const markupCharsMax = 3_000;
/** Two short descriptions of one product share at least this part of the shorter description's words. */
const descriptionShareMin = 0.5;

const differ: Record<ComparedField, (ours: string, theirs: string, brands: readonly string[]) => boolean> = {
  /** Titles differ if each has a word that the other one lacks. */
  title: (ours, theirs, brands) => hasWordConflict(wordsOf(ours, brands), wordsOf(theirs, brands)),
  vendor: (ours, theirs) => !brandsAgree(ours, theirs),
  /** Sources have their own categories, so one common word is enough for agreement. */
  type: (ours, theirs) => isApart(wordsOf(ours), wordsOf(theirs), 0),
  description(ours, theirs) {
    if (Math.max(ours.length, theirs.length) > markupCharsMax) return false;
    const [own, other] = [removeHtmlTags(ours), removeHtmlTags(theirs)];
    if (Math.max(own.length, other.length) > descriptionCharsMax) return false;
    return isApart(wordsOf(own), wordsOf(other), descriptionShareMin);
  },
};

function wordsOf(text: string, brands: readonly string[] = []): Set<string> {
  const { words, numbers, colors } = splitProductWords(text, brands);
  return new Set([...words, ...numbers, ...colors]);
}

/** Returns whether two texts share at most `shareMax` of the shorter one's words. False if one text has no words. */
function isApart(ours: ReadonlySet<string>, theirs: ReadonlySet<string>, shareMax: number): boolean {
  const [shorter, longer] = ours.size <= theirs.size ? [ours, theirs] : [theirs, ours];
  if (shorter.size === 0) return false;
  const share = countCommonWords(shorter, longer) / shorter.size;
  return shareMax === 0 ? share === 0 : share < shareMax;
}

export const removeHtmlTags = (text: string): string => text.replace(/<[^<>]*>/g, ' ').trim();
