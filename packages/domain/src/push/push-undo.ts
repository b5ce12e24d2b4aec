export const undoChoices = ['keep', 'archive', 'delete'] as const;
export type UndoChoice = (typeof undoChoices)[number];
/** Choices for the default action on products that the push created and others have changed since. */
export const choicesIfUnsure = ['keep', 'archive'] as const;
export type ChoiceIfUnsure = (typeof choicesIfUnsure)[number];

const none: readonly UndoChoice[] = [];
const notDeleted: readonly UndoChoice[] = ['keep', 'archive'];

/** `parts`: names of differences. `file`: a file with the same product that was pushed later. */
type About = { parts: string; file: string | undefined };
const also = ({ file }: About) =>
  `${file ?? 'Another import'} also pushed this product later. If you delete the product, that import loses it.`;

/** Sentences about products or parts that an undo keeps or asks about. Their codes also filter the undo's lists. */
const sentences = {
  'pushed-later': ({ file }) =>
    `${file ?? 'Another import'} was pushed later and changed this product. Undo that push first.`,
  /** A later push of another import had the same product, maybe under another id, and found nothing to change. */
  'also-pushed': also,
  'not-recorded': () => 'Pushed by an older version of Draftshelf, which didn’t record what an undo needs.',
  /** The store created the product before our sending began. */
  'older-than-push': () => 'The store had this product before the push. It is never deleted.',
  'not-ours': () =>
    'The id that Draftshelf gave the product was removed, so somebody else uses the product now.',
  /** The product was not read after the push, and does not have the sent values. */
  unverified: () => 'The product wasn’t read after the push, so it’s unknown whether it was changed since.',
  /** The product has more variants, images, metafields or collections than are read. */
  'too-many-items': ({ parts }) => `The product has too many items to compare${parts}.`,
  published: () => 'The product is published, so customers can see it.',
  changed: ({ parts }) => `Changed in the store since the push${parts}.`,
  'in-collections': ({ parts }) => `Added to collections since the push${parts}.`,
  'other-metafields': ({ parts }) => `Metafields were added since the push${parts}.`,
  'stock-moved': () => 'The stock has changed since the push, for example by a sale, a count or a transfer.',
  'cannot-restore': ({ parts }) => `The store no longer has what the push replaced${parts}.`,
  chosen: () => 'Kept because you chose it.',
  'store-refused': () => 'Shopify refused the change.',
} satisfies Record<string, (about: About) => string>;
export type UndoCode = keyof typeof sentences;
export const undoCodes = Object.keys(sentences) as UndoCode[];

/** Reasons for which a created product is always kept. */
const alwaysKept: ReadonlySet<UndoCode> = new Set([
  ...(['pushed-later', 'not-recorded', 'older-than-push', 'not-ours', 'cannot-restore'] as const),
]);

/** Returns the allowed choices, which only created products have. If `code` is null, an undo deletes the product. */
export function listUndoChoices(wasCreated: boolean, code: UndoCode | null): readonly UndoChoice[] {
  if (!wasCreated) return none;
  if (code === null) return notDeleted;
  return alwaysKept.has(code) ? none : undoChoices;
}

/** The parts of a product that an undo compares and restores, by the names that the operator sees. */
export const undoParts = [
  'title',
  'description',
  'vendor',
  'type',
  'status',
  'search title',
  'search description',
  'web address',
  'tags',
  'options',
  'variants',
  'quantities',
  'images',
  'collections',
  'metafields',
  'published',
  'search listing',
  'category',
  'theme template',
] as const;
export type UndoPart = (typeof undoParts)[number];

/** `name`: name within the part, such as "M · price". `cannot-restore`: our value is still there and must stay. */
export type KeptPart = {
  part: UndoPart;
  name: string;
  before: string | null;
  ours: string | null;
  now: string | null;
  reason: 'changed' | 'cannot-restore';
};

/** Returns the sentence for the operator. `parts`: differences. `file`: a file pushed later, named in the sentence. */
export function undoSentence(
  code: UndoCode,
  { parts = [], file }: { parts?: readonly string[]; file?: string | undefined } = {},
): string {
  const about = { parts: parts.length > 0 ? ` (${parts.join(', ')})` : '', file };
  const sentence = sentences[code](about);
  const namesFile = file === undefined || code === 'pushed-later' || code === 'also-pushed';
  return namesFile ? sentence : `${sentence} ${also(about)}`;
}

/** Maximum number of deletions that the operator can confirm without typing their number. */
export const unconfirmedDeletionsMax = 1_000;
/** The same maximum for products that are deleted only by the operator's choice. */
export const unconfirmedChosenDeletionsMax = 10;
