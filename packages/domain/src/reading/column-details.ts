import { isRequired, moneyFields, type RowField } from '../base/canonical-fields.ts';
import { cutText } from '../base/cut-text.ts';
import type { MetafieldDefinition } from '../base/metafields.ts';
import { type ColumnEvidence, collectEvidence, filledCells, type Sample } from './mapping/column-evidence.ts';
import { findFieldCandidates } from './mapping/field-candidates.ts';
import type { HeaderMapping } from './mapping/header-mapping.ts';
import { suggestMetafields } from './mapping/suggested-metafields.ts';
import { createPriceBars, createPriceCounter } from './price-counts.ts';

/** Facts by which an operator judges a column's mapping. */
export type ColumnDetails = {
  /** Up to three different values from the column's first rows, trimmed and cut to 80 characters. */
  samples: string[];
  /** Other fields that the column may hold, best first. */
  alternatives: { field: RowField; confidence: number }[];
  profile: ColumnProfile;
};

const samplesMax = 3;
const sampleCharsMax = 80;
const alternativesMax = 3;

/** Returns the details of all columns. `definitions`: the store's metafield definitions. */
export function describeColumns(
  { columns }: Pick<HeaderMapping, 'columns'>,
  sample: Sample,
  definitions: readonly MetafieldDefinition[] = [],
): ColumnDetails[] {
  const evidence = columns.map((_, index) => collectEvidence(sample.map((row) => row[index])));
  const headers = columns.map(({ header }) => header);
  const candidates = Map.groupBy(findFieldCandidates(headers, evidence), ({ index }) => index);
  return columns.map(({ field }, index) => {
    const cells = sample.map((row) => row[index] ?? '');
    const best = new Map<RowField, number>(suggestMetafields(headers[index] ?? '', cells, definitions));
    if (field !== null) best.delete(field);
    for (const other of (candidates.get(index) ?? []).toSorted((a, b) => b.worth - a.worth)) {
      if (other.field !== field && !best.has(other.field)) best.set(other.field, round(other.confidence));
    }
    const alternatives = [...best]
      .slice(0, alternativesMax)
      .map(([other, confidence]) => ({ field: other, confidence }));
    const profile = profileColumn(field, evidence[index] ?? collectEvidence([]));
    const samples = new Set(filledCells(sample, index).map((cell) => cutText(cell, sampleCharsMax)));
    return { samples: [...samples].slice(0, samplesMax), alternatives, profile };
  });
}

/** Maximum number of possible columns that are returned for an unmapped field. */
const namedColumnsMax = 2;

/** Returns up to two columns that may hold an unmapped field, best first. Skips columns mapped to required fields. */
export function findPossibleColumns(
  field: RowField,
  mapping: Pick<HeaderMapping, 'columns'>,
  sample: Sample,
): string[] {
  const details = describeColumns(mapping, sample);
  const fitting = mapping.columns.flatMap(({ index, header, field: own }) => {
    const isTaken = own !== null && isRequired(own);
    const found = details[index]?.alternatives.find((other) => other.field === field);
    return isTaken || found === undefined ? [] : [{ header, confidence: found.confidence }];
  });
  return fitting
    .toSorted((one, other) => other.confidence - one.confidence)
    .slice(0, namedColumnsMax)
    .map(({ header }) => header);
}

const round = (value: number): number => Math.round(value * 100) / 100;

/** Profile of a column in the first rows. The shares are 0 to 1. */
type ColumnProfile = {
  rows: number;
  /** Share of the rows with a value. */
  filled: number;
  /** Share of the values that are amounts. */
  numeric: number;
  /** Share of different values among the values. */
  distinct: number;
  /** Bar heights of a histogram of the column's amounts on a log scale. Null if the column's field is not money. */
  amounts: number[] | null;
};

const amountBarsMax = 12;

/** Returns a column's profile. `field`: the field that the column is mapped to, or null. */
export function profileColumn(
  field: RowField | null,
  { rows, fill, money, distinct, amounts }: ColumnEvidence,
): ColumnProfile {
  const counter = createPriceCounter();
  for (const amount of amounts) if (amount !== null) counter.add(amount);
  const bars = createPriceBars(counter.counts(), amountBarsMax);
  return {
    rows,
    filled: round(fill),
    numeric: round(money),
    distinct: round(distinct),
    amounts: moneyFields.some((one) => one === field) ? bars.map(({ count }) => count) : null,
  };
}
