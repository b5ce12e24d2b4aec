export const supplierNameCharsMax = 100;

/** Field groups, in the order of an item's hashes. `letters`: titles without accents and punctuation. */
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

/** The indexes of these groups are also bits in the database, so keep their order and append no group. */
export const changeGroups = fieldGroups.slice(0, 7) as Exclude<FieldGroup, 'letters'>[];

/**
 * Differences of a row from the supplier's items. Append only, because each has its bit in the database. `new`: no
 * item has the key. `changed`: a group differs. `returned`: the last list lacked the item. `doubled`: rows with this
 * key differ. `unkeyed`: the row has no key. `doubtful`: the item with the key has another GTIN and title.
 * `renumbered`: the item was found by GTIN under another key.
 */
export const listChanges = [
  ...(['new', 'changed', 'unchanged', 'returned', 'doubled', 'unkeyed', 'doubtful', 'renumbered'] as const),
  ...(['dearer', 'cheaper', 'jumped'] as const),
  ...changeGroups,
] as const;
export type ListChange = (typeof listChanges)[number];

/** Filters for rows of a list: changes, and rows with values carried from earlier lists. */
export const rowChanges = [...listChanges, 'carried'] as const;
export type RowChange = (typeof rowChanges)[number];

/** The highest bit of a positive 32-bit integer, above the bits of `listChanges`. */
const carriedBit = 2 ** 30;

export const bitOfChange = (change: RowChange): number =>
  change === 'carried' ? carriedBit : 2 ** listChanges.indexOf(change);

export const decodeChanges = (bits: number): ListChange[] =>
  listChanges.filter((change) => Math.floor(bits / bitOfChange(change)) % 2 === 1);

/** Numbers of rows by change, and of items that the list lacks. */
export type ListCounts = Record<ListChange, number> & {
  missing: number;
  /** Number of rows whose texts differ only in accents and punctuation. */
  accents: number;
  items: number;
  /** Average percentages of price increases and decreases. Absent in lists of earlier versions of Draftshelf. */
  dearerBy?: number | null;
  cheaperBy?: number | null;
};

/** Findings about a list that must be reviewed before a push. */
export type ListFindings = {
  /** The list seems older than the file `filename`. `of`: number of changed rows. `back`: those with older content. */
  late?: { filename: string; back: number; of: number };
  /** The file seems to end early. `of`: all items. `missing`: items it lacks. `shortRow`: the last row, if torn. */
  cutOff?: { missing: number; of: number; shortRow: number | null };
};

export type ListAnswers = {
  /** True if the list counts, even without a push and with findings. False if the list does not count. */
  counts?: boolean;
  /** True if this is the latest list, false if it is an older list. */
  isLatest?: boolean;
  /** True if the list is complete, false if it is a part. */
  isWhole?: boolean;
  recipes?: 'do' | 'skip';
};

/** Returns the findings that the operator has not answered. */
export const unansweredFindings = ({ late, cutOff }: ListFindings, answers: ListAnswers): ListFindings => ({
  ...(late && answers.isLatest !== true ? { late } : {}),
  ...(cutOff && answers.isWhole === undefined ? { cutOff } : {}),
});

/** A command that is not carried into the next list, and the number of rows that it changed. */
export type ListCommand = { sentence: string; rows: number };
