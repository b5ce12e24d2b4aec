import { labelOf, type RowField } from '../base/canonical-fields.ts';
import { formatCount } from '../base/format.ts';
import type { ListCommand, ListFindings } from '../suppliers/list.ts';

export type ListFacts = {
  /** True if only the operator can tell whose list it is. */
  isAsked: boolean;
  /** The supplier's name. Null if screens show no supplier. */
  supplier: string | null;
  /** Findings that speak against pushing the list, and that the operator has not answered. */
  findings: ListFindings;
  /** Prices, costs and quantities that the supplier has changed since the operator changed them. */
  undecided: number;
  /** Commands on earlier lists for which the operator has not decided whether to repeat them on this list. */
  recipes: readonly ListCommand[];
  /** Products that earlier lists pushed and the store has, if this push would be the first to update any. Else 0. */
  firstUpdates: number;
  /** Fields and items of the last list that a list from an address lacks. `of`: number of items in the last list. */
  lacking: { fields: readonly RowField[]; missing: number; of: number };
};

/** Maximum share of the last list that may be missing. If more is missing, a list from an address is incomplete. */
const missingShareMax = 0.2;

/** Returns why a list from an address is incomplete, as a part of a sentence. False if it is complete. */
export function explainIncompleteList({ lacking: { fields, missing, of } }: ListFacts): string | false {
  if (fields.length > 0) {
    const names = fields.map((field) => labelOf(field)).join(', ');
    return `the list no longer has a column for ${names}.`;
  }
  return (
    missing > of * missingShareMax &&
    `${formatCount(missing)} of ${formatCount(of)} rows of the last list were missing.`
  );
}

export const noListFacts: ListFacts = {
  ...{ isAsked: false, supplier: null, findings: {}, undecided: 0, recipes: [], firstUpdates: 0 },
  lacking: { fields: [], missing: 0, of: 0 },
};

/** Returns 'It looks older than april.csv: 96 of 100 changed rows have values from an earlier list.' */
export function oldListSentence({ filename, back, of }: NonNullable<ListFindings['late']>): string {
  const older = `It looks older than ${filename}`;
  return back === 0
    ? `${older}.`
    : `${older}: ${formatCount(back)} of ${formatCount(of)} changed rows have values from an earlier list.`;
}

/** Returns the sentence shown until the operator has answered whether a list is the latest one. */
export const overtakenSentence = (filename: string): string =>
  `${filename} came later and has been pushed. Confirm whether this is the latest list, then push.`;

/** Returns '40 of 101 rows of the last list were missing, so the file may be cut off.' */
export function cutOffSentence({ missing, of }: NonNullable<ListFindings['cutOff']>): string {
  const signs =
    missing === 0
      ? 'its last row ended in the middle'
      : `${formatCount(missing)} of ${formatCount(of)} rows of the last list were missing`;
  return `${signs}, so the file may be cut off.`;
}

/** Returns '“Price × 1.2” was done to the last list, not to this one.' */
export function notRepeatedSentence([first, ...others]: readonly ListCommand[]): string {
  const more = others.length === 0 ? 'was' : `and ${others.length} more were`;
  return `“${first?.sentence ?? ''}” ${more} done to the last list, not to this one.`;
}

/** Returns 'Changed in the last list by “Price × 1.2”. Do it again?' */
export function doAgainQuestion([first, ...others]: readonly ListCommand[]): string {
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return `Changed in the last list by “${first?.sentence ?? ''}”${more}. Do it again?`;
}
