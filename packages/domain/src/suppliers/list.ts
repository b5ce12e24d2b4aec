export const supplierNameCharsMax = 100;

/**
 * In the order of hashes (item-hashes.ts). `letters`: if the title's are equal, only accents and punctuation differ.
 */
export const fieldGroups = [
  'price',
  'stock',
  'text',
  'codes',
  'options',
  'pictures',
  'other',
  'letters',
] as const;
export type FieldGroup = (typeof fieldGroups)[number];

/** Their places are stored, too: append none. */
export const changedGroups = fieldGroups.slice(0, 7) as Exclude<FieldGroup, 'letters'>[];

/**
 * A row's difference from the supplier's items, in the order of bits in the database: append only. `new`: no item has
 * the key. `changed`: a group differs. `returned`: the last list lacked it. `doubled`: rows with the key differ.
 * `unkeyed`: no key. `doubtful`: an item with the key agrees in nothing else. `renumbered`: found by GTIN under another
 * key.
 */
export const listChanges = [
  ...(['new', 'changed', 'unchanged', 'returned', 'doubled', 'unkeyed', 'doubtful', 'renumbered'] as const),
  ...(['dearer', 'cheaper', 'jumped'] as const),
  ...changedGroups,
] as const;
export type ListChange = (typeof listChanges)[number];

/** Filters for rows of a list: changes, or values carried from earlier lists. */
export const rowChanges = [...listChanges, 'carried'] as const;
export type RowChange = (typeof rowChanges)[number];

/** The highest bit of a positive integer, above those of the list's changes. */
const carriedBit = 2 ** 30;

export const changeBit = (change: RowChange): number =>
  change === 'carried' ? carriedBit : 2 ** listChanges.indexOf(change);

export const changesIn = (bits: number): ListChange[] =>
  listChanges.filter((change) => Math.floor(bits / changeBit(change)) % 2 === 1);

/** Rows by change, and items that the list lacks. */
export type ListCounts = Record<ListChange, number> & {
  missing: number;
  /** Rows that differ in text, but not in the letters of their titles. */
  accents: number;
  items: number;
  /** Average percent of higher and lower prices; absent in lists of earlier versions. */
  dearerBy?: number | null;
  cheaperBy?: number | null;
};

/** Reasons against pushing a list unseen. */
export type ListFindings = {
  /** Most changes go back to the list before the last one, or its file is older. */
  late?: { filename: string; back: number; of: number };
  /** The file seems to end early: items that it lacks, and the last row if that is short. */
  cutOff?: { missing: number; of: number; shortRow: number | null };
};

export type ListAnswers = {
  /** It counts, also without a push and despite findings; or it does not. */
  counts?: boolean;
  /** It is the latest list, or an older one. */
  isLatest?: boolean;
  /** It is complete, or a part. */
  isWhole?: boolean;
  recipes?: 'do' | 'skip';
};

/** Returns the findings that the operator has not answered. */
export const openFindings = ({ late, cutOff }: ListFindings, answers: ListAnswers): ListFindings => ({
  ...(late && answers.isLatest !== true ? { late } : {}),
  ...(cutOff && answers.isWhole === undefined ? { cutOff } : {}),
});

/** A command that is not carried into the next list, with the number of rows that it changed. */
export type ListCommand = { sentence: string; rows: number };
