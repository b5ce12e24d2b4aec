import type { RowValues } from '../base/canonical-fields.ts';
import { brandsAgree, common, contains, contradict } from '../base/compare-words.ts';
import { cutText } from '../base/cut-text.ts';
import { productWords } from '../base/product-words.ts';
import { storeTextCharsMax } from '../review/store-limits.ts';
import { disagreements } from './disagreements.ts';
import {
  answeredValue,
  type LookupField,
  lookupFields,
  type ProposedField,
  type SourceAnswer,
} from './sources.ts';

export type ProposalReason =
  | 'other-product'
  | 'nothing-to-compare'
  | 'differs'
  | 'bad-picture'
  | 'needs-credit'
  | 'title';

/** `reason` null: taken by itself. */
export type JudgedValue = {
  field: ProposedField;
  value: string;
  before: string | null;
  reason: ProposalReason | null;
};

/** Longer texts are cut: they are found, so no input of the operator is lost. */
const charsMax = {
  title: storeTextCharsMax,
  vendor: storeTextCharsMax,
  type: storeTextCharsMax,
  description: 20_000,
  image: 2_000,
};

/**
 * A value is taken where the product lacks it, if title or brand agree; else, like a title or a picture that needs a
 * credit, it is proposed. Present values are never replaced: differing ones are proposed. `picturesAreBad`: the store
 * would accept none of the product's own pictures.
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
  for (const field of disagreements(values, answer)) {
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
  const found = answeredValue(answer, field);
  return found === null || found.trim() === '' ? null : cut(found, field);
}

/** An address is not cut: half of one is another address. */
const cut = (text: string, field: keyof typeof charsMax): string =>
  field === 'image' ? text : cutText(text.trim(), charsMax[field]);

/** Share of the shorter title's words that the other title must have. */
const shareMin = 0.8;
/** Words, numbers and colors that the titles must share if no brand is confirmed. */
const sharedWithoutBrand = 2;

/**
 * Compares an answer with a row. A code may be mistyped and still valid, or re-used by its maker, so brand alone is not
 * enough: neighbours of a code have the same brand. Different numbers (sizes, pieces, models) or colors mean another
 * product. 'unknown': one of the two has no title.
 */
export function compareProducts(
  values: Pick<RowValues, 'title' | 'vendor'>,
  answer: Pick<SourceAnswer, 'title' | 'brand'>,
): 'same' | 'other' | 'unknown' {
  const title = values.title?.trim() ?? '';
  if (title === '' || !answer.title?.trim()) return 'unknown';
  const brands = [...productWords(`${values.vendor ?? ''} ${answer.brand ?? ''}`).words];
  const [ours, theirs] = [productWords(title, brands), productWords(answer.title, brands)];
  if (contradict(ours.numbers, theirs.numbers) || contradict(ours.colors, theirs.colors)) return 'other';
  const brand = brandAgreement(values, answer);
  if (brand === false) return 'other';
  const [shorter, longer] =
    ours.words.size <= theirs.words.size ? [ours.words, theirs.words] : [theirs.words, ours.words];
  const shared = common(shorter, longer);
  if (shorter.size === 0) return 'unknown';
  if (shared === 0 || shared / shorter.size < shareMin) return 'other';
  const sharedAll = shared + common(ours.numbers, theirs.numbers) + common(ours.colors, theirs.colors);
  return brand || sharedAll >= sharedWithoutBrand ? 'same' : 'other';
}

/** Null if one of the two names none. */
function brandAgreement(values: RowValues, answer: Pick<SourceAnswer, 'title' | 'brand'>): boolean | null {
  const [vendor, brand] = [values.vendor?.trim() ?? '', answer.brand?.trim() ?? ''];
  if (vendor !== '' && brand !== '' && brandsAgree(vendor, brand)) return true;
  // The brand of one is often only in the title of the other.
  if (brand !== '' && contains(values.title ?? '', brand)) return true;
  if (vendor !== '' && contains(answer.title ?? '', vendor)) return true;
  return vendor === '' || brand === '' ? null : false;
}
