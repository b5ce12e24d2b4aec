import type { ListCommand, ListFindings } from '../suppliers/list.ts';

/** What to know of an import as its supplier's list before it is pushed. */
export type ListFacts = {
  /** Only the operator can tell whose list it is. */
  isAsked: boolean;
  /** The supplier's name, if screens name it. */
  supplier: string | null;
  /** What speaks against pushing it and is not answered. */
  findings: ListFindings;
  /** Prices, costs and quantities that the supplier has changed since the operator did. */
  undecided: number;
  /** What was done to earlier lists, and nobody has said yet whether it is done to this one. */
  recipes: readonly ListCommand[];
  /** Products of earlier lists that are in the store, while no list of the supplier has updated any. */
  firstUpdates: number;
};

/** The facts of an import that is nobody's list. */
export const noListFacts: ListFacts = {
  ...{ isAsked: false, supplier: null, findings: {}, undecided: 0, recipes: [], firstUpdates: 0 },
};

const grouped = (count: number) => count.toLocaleString('en-US');

/** 'It looks older than april.csv: 96 of 100 changed rows say what an earlier list said.' */
export function lateSentence({ filename, back, of }: NonNullable<ListFindings['late']>): string {
  const older = `It looks older than ${filename}`;
  return back === 0
    ? `${older}.`
    : `${older}: ${grouped(back)} of ${grouped(of)} changed rows say what an earlier list said.`;
}

/** Why a list is not pushed before somebody has said whether it is the latest one. */
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

/** 'Changed in the last list by “Price × 1.2”. Do it again?', about the rows that it changed. */
export function doAgainQuestion([first, ...others]: readonly ListCommand[]): string {
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return `Changed in the last list by “${first?.sentence ?? ''}”${more}. Do it again?`;
}
