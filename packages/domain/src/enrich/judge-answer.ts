import type { RowValues } from '../base/canonical-fields.ts';
import { brandsAgree, containsWords, countCommonWords, hasWordConflict } from '../base/compare-words.ts';
import { cutText } from '../base/cut-text.ts';
import { splitProductWords } from '../base/product-words.ts';
import { storeTextCharsMax } from '../review/store-limits.ts';
import { findDisagreements } from './disagreements.ts';
import {
  type LookupField,
  lookupFields,
  type ProposedField,
  type SourceAnswer,
  valueOfAnswer,
} from './sources.ts';

export type ProposalReason =
  | 'other-product'
  | 'nothing-to-compare'
  | 'differs'
  | 'bad-picture'
  | 'needs-credit'
  | 'title';

/** A null `reason` means that the value is filled in without a proposal. */
export type JudgedValue = {
  field: ProposedField;
  value: string;
  before: string | null;
  reason: ProposalReason | null;
};

/** Maximum length per field. Longer texts are cut: they come from a source, so no input of the operator is lost. */
const charsMax = {
  title: storeTextCharsMax,
  vendor: storeTextCharsMax,
  type: storeTextCharsMax,
  description: 20_000,
  image: 2_000,
};

/**
 * Decides whether a value of an answer is filled in or proposed. A value is filled in if the answer is about the same
 * product, the product lacks the field, and the value is no picture that needs a credit. Titles and values that differ
 * from present values are only proposed. `picturesAreBad`: the store would accept none of the product's own pictures.
 */
export function judgeAnswer(
  values: RowValues,
  lacks: readonly LookupField[],
  answer: SourceAnswer,
  { picturesAreBad = false }: { picturesAreBad?: boolean } = {},
): JudgedValue[] {
  const agreement = compareProducts(values, answer);
  const against: ProposalReason | null =
    agreement === 'same' ? null : agreement === 'unknown' ? 'nothing-to-compare' : 'other-product';
  const judged: JudgedValue[] = [];
  for (const field of lookupFields) {
    const value = valueIn(answer, field);
    if (value === null || !lacks.includes(field)) continue;
    const credit = field === 'image' && answer.picturesNeedCredit ? 'needs-credit' : null;
    judged.push({ field, value, before: null, reason: against ?? credit });
  }
  if (answer.title && !values.title?.trim()) {
    judged.push({ field: 'title', value: cut(answer.title, 'title'), before: null, reason: 'title' });
  }
  if (against !== null) return judged;
  for (const field of findDisagreements(values, answer)) {
    const value = valueIn(answer, field);
    if (value !== null) judged.push({ field, value, before: values[field] ?? null, reason: 'differs' });
  }
  const picture = valueIn(answer, 'image');
  if (picturesAreBad && picture !== null && !lacks.includes('image')) {
    judged.push({ field: 'image', value: picture, before: values.image ?? null, reason: 'bad-picture' });
  }
  return judged;
}

function valueIn(answer: SourceAnswer, field: ProposedField): string | null {
  const found = valueOfAnswer(answer, field);
  return found === null || found.trim() === '' ? null : cut(found, field);
}

/** Cuts a text, but not an address, because a part of an address is another address. */
const cut = (text: string, field: keyof typeof charsMax): string =>
  field === 'image' ? text : cutText(text.trim(), charsMax[field]);

/** The minimum share of the shorter title's words that the other title must contain. */
const shareMin = 0.8;
/** Number of words, numbers and colors that the titles must share if no brand is confirmed. */
const sharedWithoutBrand = 2;

/**
 * Returns whether an answer is about the product of a row. An equal brand is not enough: a code may be mistyped and
 * still be valid, or be reused by its manufacturer, and similar codes belong to one brand. Different numbers (sizes,
 * pieces, models) or colors mean different products. Returns 'unknown' if a title is missing or has no words.
 */
export function compareProducts(
  values: Pick<RowValues, 'title' | 'vendor'>,
  answer: Pick<SourceAnswer, 'title' | 'brand'>,
): 'same' | 'other' | 'unknown' {
  const title = values.title?.trim() ?? '';
  if (title === '' || !answer.title?.trim()) return 'unknown';
  const brands = [...splitProductWords(`${values.vendor ?? ''} ${answer.brand ?? ''}`).words];
  const [ours, theirs] = [splitProductWords(title, brands), splitProductWords(answer.title, brands)];
  if (hasWordConflict(ours.numbers, theirs.numbers) || hasWordConflict(ours.colors, theirs.colors))
    return 'other';
  const brand = brandAgreement(values, answer);
  if (brand === false) return 'other';
  const [shorter, longer] =
    ours.words.size <= theirs.words.size ? [ours.words, theirs.words] : [theirs.words, ours.words];
  const shared = countCommonWords(shorter, longer);
  if (shorter.size === 0) return 'unknown';
  if (shared === 0 || shared / shorter.size < shareMin) return 'other';
  const sharedAll =
    shared + countCommonWords(ours.numbers, theirs.numbers) + countCommonWords(ours.colors, theirs.colors);
  return brand || sharedAll >= sharedWithoutBrand ? 'same' : 'other';
}

/** Returns whether the brands agree, or null if the row or the answer has no brand. */
function brandAgreement(values: RowValues, answer: Pick<SourceAnswer, 'title' | 'brand'>): boolean | null {
  const [vendor, brand] = [values.vendor?.trim() ?? '', answer.brand?.trim() ?? ''];
  if (vendor !== '' && brand !== '' && brandsAgree(vendor, brand)) return true;
  // The brand of one side is often only in the title of the other side.
  if (brand !== '' && containsWords(values.title ?? '', brand)) return true;
  if (vendor !== '' && containsWords(answer.title ?? '', vendor)) return true;
  return vendor === '' || brand === '' ? null : false;
}
