import {
  type CanonicalField,
  canonicalFields,
  coreFields,
  fieldSpecs,
  labelInSentence,
  moneyFields,
} from '../../base/canonical-fields.ts';
import type { ColumnEvidence } from './column-evidence.ts';
import { candidatesOf, type FieldCandidate, type HeaderCandidate, isIdHeader } from './header-candidates.ts';
import {
  areContactHeaders,
  hasForeignWord,
  headerKey,
  headerWords,
  isMeaninglessHeader,
  namesPack,
} from './header-words.ts';
import { findLineTotals, isUsuallyReduced, scorePriceColumns } from './money-columns.ts';
import {
  type CandidateRule,
  isShortText,
  withArticleAsSku,
  withCasePrices,
  withFirstTierPrice,
  withNetCost,
  withoutCodesAsTitle,
  withoutCostsAsPrice,
  withoutEmptySkus,
  withoutInternalIds,
  withoutOtherCurrencies,
  withPricesByPayer,
  withStandardCost,
} from './rival-columns.ts';
import { scoreLikeness, scoreValueFit } from './value-fit.ts';

/**
 * Worth of a match by its kind. A core field is worth more, so that a weak name of a core field beats the proper name
 * of another field: in a file with only 'name' and 'cost', the cost becomes the price.
 */
const coreWorth = { name: 10, namePart: 10, similar: 7, standIn: 6, nameWithin: 0.7, translatedWithin: 0.7 };
const furtherWorth = { name: 4, namePart: 4, similar: 2, standIn: 2, nameWithin: 0.3, translatedWithin: 0 };
/** Worth of a match by values. It is higher without a header than with unknown words in the header. */
const valuesWorth = { anonymous: 5, unknown: 0.5 };
/** A description that replaces a missing title is worth more as title than as description. */
const titleWorth = 11;

/** Below this fit, the values contradict the field's name in the header. */
const fitMin = 0.2;

/** Returns all candidates of all columns. `evidence`: one entry per column, from the sample. */
export function findFieldCandidates(
  headers: readonly string[],
  evidence: readonly ColumnEvidence[],
): FieldCandidate[] {
  const named = headers.flatMap((header, index) => candidatesOf(header, index));
  const kept = hasMaterials(headers, named)
    ? named.filter(({ index }) => headerKey(headers[index] as string) !== 'material')
    : named;
  const totals = findLineTotals(new Map(evidence.entries()));
  const byName: readonly FieldCandidate[] = kept.flatMap((candidate) =>
    scored(candidate, evidence[candidate.index], totals),
  );
  const judged = rules.reduce((candidates, rule) => rule(candidates, { headers, evidence }), byName);
  return [...judged, ...byValues(headers, evidence, judged, totals)];
}

/** Worth of a name next to unknown words, if the column's values look like the field with this name. */
const likeWorth = 6.6;
/** Worth of a list price or a cost that is used as the price. A header with a word for prices is worth more. */
const weakPriceWorth = 5.4;
const isListOrCost =
  /^(?:msrp|mrp|rrp|uvp|rsp|srp|list price|cost|unit cost|cost price|cost per item|wholesale price|wholesale|recommended retail price|original price|adviesprijs)$/;

function looksLike(field: CanonicalField, column: ColumnEvidence): boolean {
  if (field === 'price') return column.money > 0.8 && !column.isSequence && column.median >= 0.5;
  return scoreLikeness(field, column) >= 0.45;
}

/** Returns a candidate that was found by its name, with its worth, or nothing if the values contradict the name. */
function scored(
  candidate: HeaderCandidate,
  column: ColumnEvidence | undefined,
  totals: ReadonlySet<number>,
): FieldCandidate[] {
  const { index, field, kind, confidence, rank, ordinal, reason, name } = candidate;
  if (totals.has(index) && moneyFields.some((one) => one === field)) return [];
  const judged = scoreValueFit(field, column);
  // A plain 'Price' is trusted even if its cells are texts such as '9,99 incl. VAT'.
  const fit = kind === 'name' && judged > 0 ? Math.max(judged, fitMin) : judged;
  if (fit < fitMin) return [];
  const isCore = coreFields.includes(field);
  const isWithin = kind === 'nameWithin' || kind === 'translatedWithin';
  const isLike = isWithin && column !== undefined && looksLike(field, column);
  if (kind === 'translatedWithin' && !isLike) return [];
  const isWeak = field === 'price' && kind === 'standIn' && isListOrCost.test(name);
  const tier = isLike ? likeWorth : isWeak ? weakPriceWorth : (isCore ? coreWorth : furtherWorth)[kind];
  const worth = tier * confidence * fit - tieBreak(field, rank, ordinal, index);
  return [{ index, field, kind, confidence: confidence * (0.4 + 0.6 * fit), worth, ordinal, reason }];
}

/** Ranks equal candidates by field, by the name's rank in the field, by the number in the header and by column. */
const tieBreak = (field: CanonicalField, rank: number, ordinal: number, index: number): number =>
  canonicalFields.indexOf(field) * 1e-3 + rank * 1e-4 + Math.min(ordinal, 99) * 1e-6 + index * 1e-9;

/**
 * Manifests and many price lists put the product name into the description. If no column is the title, the description
 * becomes the title. If the values are unknown, this applies only to manifests.
 */
const withDescriptionAsTitle: CandidateRule = (candidates, { headers, evidence }) => {
  if (candidates.some(({ field, kind }) => field === 'title' && kind !== 'nameWithin')) return candidates;
  const descriptions = candidates.filter(
    ({ field, kind }) =>
      field === 'description' && (kind === 'name' || kind === 'namePart' || kind === 'standIn'),
  );
  // A column with an unknown name becomes the title instead if its values look more like titles.
  const unknown = evidence.filter((_, index) => {
    const header = headers[index] as string;
    const isKnown = candidates.some((candidate) => candidate.index === index) || isMeaninglessHeader(header);
    return !isKnown && !hasForeignWord(headerWords(header));
  });
  const rival = Math.max(0, ...unknown.map((column) => scoreLikeness('title', column)));
  const usable = descriptions.filter(({ index }) => {
    const column = evidence[index];
    if (!column || column.filled === 0) return isManifest(headers);
    return isShortText(column) && scoreLikeness('title', column) >= rival;
  });
  const [shortest] = usable.toSorted(
    (a, b) => (evidence[a.index]?.chars ?? 0) - (evidence[b.index]?.chars ?? 0) || b.worth - a.worth,
  );
  if (!shortest) return candidates;
  const reason = 'Used as the title: no other column fits';
  return [
    ...candidates,
    { ...shortest, field: 'title', kind: 'standIn', confidence: 0.8, worth: titleWorth, reason },
  ];
};

/** Uses a list price as the price if no other column is the price. */
const withListPrices: CandidateRule = (candidates) => {
  const isPrice = new Set(candidates.filter(({ field }) => field === 'price').map(({ index }) => index));
  const listed = candidates.filter(
    ({ field, kind, index }) => field === 'compareAtPrice' && kind.startsWith('name') && !isPrice.has(index),
  );
  const reason = 'Used as the price: no column is the selling price';
  const prices = listed.map((one): FieldCandidate => {
    const worth = coreWorth.standIn * 0.7 * one.confidence;
    return { ...one, field: 'price', kind: 'standIn', confidence: one.confidence * 0.75, worth, reason };
  });
  return [...candidates, ...prices];
};

const reducedName = /\b(?:sale|special|offer|promo|promotional|discount|discounted|reduced|final|now)\b/i;

/**
 * A sale price that nearly every row has, and that is never above the regular price, is the selling price. The regular
 * price is then the compare-at price. A sale price in only a few rows stays a second choice.
 */
const withReducedPrices: CandidateRule = (candidates, { headers, evidence }) => {
  const prices = candidates.filter(
    ({ field, kind }) => field === 'price' && kind !== 'nameWithin' && kind !== 'similar',
  );
  const isReduced = ({ index }: FieldCandidate) =>
    reducedName.test(headerWords(headers[index] as string).join(' '));
  const regular = prices.filter((price) => !isReduced(price)).toSorted((a, b) => b.worth - a.worth)[0];
  const regularValues = regular && evidence[regular.index];
  if (!regular || !regularValues) return candidates;
  const reduced = prices.find((price) => {
    const values = evidence[price.index];
    return isReduced(price) && values && isUsuallyReduced(values, regularValues);
  });
  if (!reduced) return candidates;
  return [
    ...candidates,
    { ...reduced, worth: regular.worth + 0.5 },
    {
      ...regular,
      field: 'compareAtPrice',
      worth: furtherWorth.name,
      reason: 'The price before the reduction',
    },
  ];
};

/** The rules, in the order in which they are applied. */
const rules: readonly CandidateRule[] = [
  ...[withStandardCost, withNetCost, withFirstTierPrice, withCasePrices, withPricesByPayer, withArticleAsSku],
  ...[withoutCodesAsTitle, withoutInternalIds, withoutEmptySkus, withListPrices, withoutCostsAsPrice],
  ...[withReducedPrices, withDescriptionAsTitle, withoutOtherCurrencies],
];

function isManifest(headers: readonly string[]): boolean {
  return headers.some((header) => /\b(?:pallet|lpn|manifest|unit retail|ext\.? retail)\b/i.test(header));
}

/** Fields that values can prove despite unknown words in the header. */
const provableFields: readonly CanonicalField[] = ['title', 'price', 'upc', 'image', 'description', 'sku'];
const provedFrom = 0.65;
/** Fields that their values prove, whatever the header is. */
const unmistakable: readonly CanonicalField[] = ['upc', 'image'];
/** If no header names a title (or a price), a column with at least this likeness to titles (or prices) is used. */
const requiredFrom = 0.6;

/** Headers of size columns: '36', '37', '37,5'. */
const isSize = /^\d{1,3}(?:[.,]5)?$/;
const sizesMin = 3;

/** Returns candidates by values alone, for columns whose header has no meaning or only unknown words. */
function byValues(
  headers: readonly string[],
  evidence: readonly ColumnEvidence[],
  named: readonly FieldCandidate[],
  totals: ReadonlySet<number>,
): FieldCandidate[] {
  const hasName = new Set(named.map(({ index }) => index));
  const open = new Map(
    [...evidence.entries()].filter(([index, column]) => column.filled > 1 && !hasName.has(index)),
  );
  if (areContactHeaders(headers)) return [];
  const prices = scorePriceColumns(open, totals, headers.every(isMeaninglessHeader));
  const areSizes = headers.filter((header) => isSize.test(header.trim())).length >= sizesMin;
  return headers.flatMap((header, index) => {
    const column = evidence[index];
    if (!column || column.filled === 0 || hasName.has(index)) return [];
    const isAnonymous = isMeaninglessHeader(header);
    const words = headerWords(header);
    const isForeign = !isAnonymous && (header.includes('%') || hasForeignWord(words));
    return canonicalFields.flatMap((field): FieldCandidate[] => {
      const likeness =
        field === 'price'
          ? (prices.get(index) ?? 0)
          : scoreLikeness(field, column) * (1 - ((field === 'title' ? 0.2 : 0.1) * index) / headers.length);
      if (likeness === 0 || (isForeign && !unmistakable.includes(field))) return [];
      if (field === 'upc' && namesPack(words)) return [];
      if (field === 'quantity' && areSizes && isSize.test(header.trim())) return [];
      if (!isAnonymous && isIdHeader(words, field)) return [];
      const from =
        fieldSpecs[field].required && !named.some((other) => other.field === field)
          ? requiredFrom
          : provedFrom;
      if (!isAnonymous && (likeness < from || !provableFields.includes(field))) return [];
      const worth =
        likeness * valuesWorth[isAnonymous ? 'anonymous' : 'unknown'] - tieBreak(field, 0, 0, index);
      const reason = `The values look like the ${labelInSentence(field)}`;
      return [{ index, field, kind: 'values', confidence: likeness * 0.8, worth, ordinal: 0, reason }];
    });
  });
}

/**
 * Whether a column 'Material' describes the material of products. It does if another column is the title. Without a
 * title column, or next to the headings of SAP stock lists, 'Material' is an article number.
 */
function hasMaterials(headers: readonly string[], candidates: readonly HeaderCandidate[]): boolean {
  return (
    candidates.some(({ field, kind }) => field === 'title' && (kind === 'name' || kind === 'namePart')) &&
    !headers.some((header) => materialText.test(header.trim()))
  );
}

const materialText = /^(?:material[ _](?:desc|number|no\b)|texto breve|materialkurztext)/i;
