import { labelOf, type RowField } from '../base/canonical-fields.ts';
import { grouped } from '../base/format.ts';
import type { ListCommand, ListFindings } from '../suppliers/list.ts';

export type ListFacts = {
  /** Only the operator can tell whose list it is. */
  isAsked: boolean;
  /** Null: screens name no supplier. */
  supplier: string | null;
  /** Unanswered findings that speak against pushing the list. */
  findings: ListFindings;
  /** Prices, costs and quantities that the supplier has changed since the operator did. */
  undecided: number;
  /** Commands on earlier lists about whose repetition the operator has not decided. */
  recipes: readonly ListCommand[];
  /** Products of earlier lists that are in the store, while no list of the supplier has updated any. */
  firstUpdates: number;
  /** Of a list from an address: fields that the last list had and this one lacks, and items that it lacks. */
  lacking: { fields: readonly RowField[]; missing: number; of: number };
};

/** A list from an address is taken for a part if it lacks a larger share of the last one. */
const missingShareMax = 0.2;

/** Why a list from an address is not whole, as a part of a sentence; false: it is. */
export function partFault({ lacking: { fields, missing, of } }: ListFacts): string | false {
  if (fields.length > 0) {
    const names = fields.map((field) => labelOf(field)).join(', ');
    return `the list no longer has a column for ${names}.`;
  }
  return (
    missing > of * missingShareMax &&
    `${grouped(missing)} of ${grouped(of)} rows of the last list were missing.`
  );
}

export const noListFacts: ListFacts = {
  ...{ isAsked: false, supplier: null, findings: {}, undecided: 0, recipes: [], firstUpdates: 0 },
  lacking: { fields: [], missing: 0, of: 0 },
};

/** 'It looks older than april.csv: 96 of 100 changed rows say what an earlier list said.' */
export function lateSentence({ filename, back, of }: NonNullable<ListFindings['late']>): string {
  const older = `It looks older than ${filename}`;
  return back === 0
    ? `${older}.`
    : `${older}: ${grouped(back)} of ${grouped(of)} changed rows say what an earlier list said.`;
}

/** Shown until the operator has answered whether a list is the latest one. */
export const overtakenSentence = (filename: string): string =>
  `${filename} came later and has been pushed. Say whether this is the latest list, then push.`;

/** '40 of 101 rows of the last list were missing, so the file may be cut off.' */
export function cutOffSentence({ missing, of }: NonNullable<ListFindings['cutOff']>): string {
  const signs =
    missing === 0
      ? 'its last row ended in the middle'
      : `${grouped(missing)} of ${grouped(of)} rows of the last list were missing`;
  return `${signs}, so the file may be cut off.`;
}

/** '“Price × 1.2” was done to the last list, not to this one.' */
export function notDoneSentence([first, ...others]: readonly ListCommand[]): string {
  const more = others.length === 0 ? 'was' : `and ${others.length} more were`;
  return `“${first?.sentence ?? ''}” ${more} done to the last list, not to this one.`;
}

/** 'Changed in the last list by “Price × 1.2”. Do it again?' */
export function doAgainQuestion([first, ...others]: readonly ListCommand[]): string {
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return `Changed in the last list by “${first?.sentence ?? ''}”${more}. Do it again?`;
}
