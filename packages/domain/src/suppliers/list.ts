/** Characters of a supplier's name. */
export const supplierNameCharsMax = 100;

/**
 * The groups of fields in which rows of two lists are compared, in the order of their hashes (item-hashes.ts).
 * `letters` are those of the title: of rows that differ in text but not in letters only accents and punctuation differ.
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

/** The groups that count as changes. */
export const changedGroups = fieldGroups.slice(0, 7) as Exclude<FieldGroup, 'letters'>[];

/**
 * What the comparison with the supplier's items says about a row, in the order of their bits in the database. Append
 * only. `new`: no item has its key. `changed`: at least one group differs. `returned`: earlier lists had it, the last
 * one had not. `doubled`: rows of this list have the same key and differ. `unkeyed`: nothing identifies it. `doubtful`:
 * an item has its key and agrees in nothing else. `renumbered`: found by its GTIN, under another key.
 */
export const listChanges = [
  'new',
  'changed',
  'unchanged',
  'returned',
  'doubled',
  'unkeyed',
  'doubtful',
  'renumbered',
  'dearer',
  'cheaper',
  'jumped',
  'price',
  'stock',
  'text',
  'codes',
  'options',
  'pictures',
  'other',
] as const;
export type ListChange = (typeof listChanges)[number];

/** What rows of a list are filtered by: how they differ, or that values of earlier lists were carried into them. */
export const rowChanges = [...listChanges, 'carried'] as const;
export type RowChange = (typeof rowChanges)[number];

/** The highest bit of a positive integer, above those of the list's changes. */
const carriedBit = 2 ** 30;

export const changeBit = (change: RowChange): number =>
  change === 'carried' ? carriedBit : 2 ** listChanges.indexOf(change);

/** The changes of a set of bits, in order. */
export const changesIn = (bits: number): ListChange[] =>
  listChanges.filter((change) => Math.floor(bits / changeBit(change)) % 2 === 1);

/** How many rows have each change, and how many items of the list before are not in this one. */
export type ListCounts = Record<ListChange, number> & {
  missing: number;
  /** Rows that differ in text, but not in the letters of their titles. */
  accents: number;
  /** Items of the list before. */
  items: number;
  /** By how many percent dearer and cheaper prices differ, on average; absent: in a list of an earlier version. */
  dearerBy?: number | null;
  cheaperBy?: number | null;
};

/** What speaks against pushing a list unseen. */
export type ListFindings = {
  /** Most of what it changes goes back to what the list before the last one said, or it came or was made earlier. */
  late?: { filename: string; back: number; of: number };
  /** Its file seems to end in the middle: items of the last list that it lacks, and the last row if that is short. */
  cutOff?: { missing: number; of: number; shortRow: number | null };
};

/** The operator's answers about a list. */
export type ListAnswers = {
  /** It counts, also without a push and whatever speaks against it; or it does not count. */
  counts?: boolean;
  /** It is the latest list, although it looks older; or it is an older one. */
  isLatest?: boolean;
  /** What it lacks is really not in it; or it is a part of the supplier's list. */
  isWhole?: boolean;
  /** What was done to earlier lists is done to it again, or not this time. */
  recipes?: 'do' | 'skip';
};

/** What speaks against pushing a list and the operator has not answered. */
export const openFindings = ({ late, cutOff }: ListFindings, answers: ListAnswers): ListFindings => ({
  ...(late && answers.isLatest !== true ? { late } : {}),
  ...(cutOff && answers.isWhole === undefined ? { cutOff } : {}),
});

/** A command that was done to a list and is not carried into the next one: its sentence, and rows that it changed. */
export type ListCommand = { sentence: string; rows: number };
