/** Why an undo of a push leaves a product or a part of it as it is, or asks the operator. Lists are filtered by it. */
export const undoCodes = [
  /** A later push of another import has changed it. */
  'pushed-later',
  /** Nobody has changed it, but a later push of another import left it as it is, also under another id. */
  'also-pushed',
  /** An older version pushed it, without recording what an undo needs. */
  'not-recorded',
  /** The store created it before our sending began. */
  'older-than-push',
  /** It no longer has our id. */
  'not-ours',
  /** It was not read after the push, and does not have what was sent. */
  'unverified',
  /** It has more variants, images, metafields or collections than are read. */
  'too-many-items',
  /** It is published. */
  'published',
  /** Somebody changed values that the push has set. */
  'changed',
  /** Somebody added it to collections. */
  'in-collections',
  /** Other apps or people added metafields. */
  'other-metafields',
  /** Its stock was sold, counted or moved. */
  'stock-moved',
  /** The store no longer has what an undo would bring back. */
  'cannot-restore',
  /** The operator has chosen to keep it. */
  'chosen',
  /** The store refused the change. */
  'store-refused',
] as const;
export type UndoCode = (typeof undoCodes)[number];

export const undoChoices = ['keep', 'archive', 'delete'] as const;
export type UndoChoice = (typeof undoChoices)[number];
/** What is done with created products that somebody has changed, unless the operator chooses for one. */
export const whenUnsureChoices = ['keep', 'archive'] as const;
export type WhenUnsure = (typeof whenUnsureChoices)[number];

const all: readonly UndoChoice[] = undoChoices;
const none: readonly UndoChoice[] = [];
const notDeleted: readonly UndoChoice[] = ['keep', 'archive'];

/** The choices that a created product allows by the reason why it would be kept. None: it is always kept. */
const choicesByCode: Record<UndoCode, readonly UndoChoice[]> = {
  'pushed-later': none,
  'also-pushed': all,
  'not-recorded': none,
  'older-than-push': none,
  'not-ours': none,
  unverified: all,
  'too-many-items': all,
  published: all,
  changed: all,
  'in-collections': all,
  'other-metafields': all,
  'stock-moved': all,
  'cannot-restore': none,
  chosen: all,
  'store-refused': all,
};

/**
 * What the operator can choose for a product of an undo. `wasCreated`: by the push; others are never deleted or
 * archived. `code`: null if the product would be deleted anyway, which is no choice then.
 */
export function undoChoicesFor(wasCreated: boolean, code: UndoCode | null): readonly UndoChoice[] {
  if (!wasCreated) return none;
  return code === null ? notDeleted : choicesByCode[code];
}

/** The parts of a product that an undo compares and restores, by the names that the operator sees. */
export const undoParts = [
  'title',
  'description',
  'vendor',
  'type',
  'status',
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

/**
 * A value that stays: before the push, as the push set it, and now; null: there is none. `name`: within its part, such
 * as "M · price"; '' for its only value. `cannot-restore`: it is as the push set it, but cannot be brought back.
 */
export type KeptPart = {
  part: UndoPart;
  name: string;
  before: string | null;
  ours: string | null;
  now: string | null;
  reason: 'changed' | 'cannot-restore';
};

/**
 * The sentence for the operator. `parts`: what differs; `file`: what was pushed later and has the product, too, which
 * each sentence names.
 */
export function undoSentence(
  code: UndoCode,
  { parts = [], file }: { parts?: readonly string[]; file?: string | undefined } = {},
): string {
  const named = parts.length > 0 ? ` (${parts.join(', ')})` : '';
  const also = `Also pushed later by ${file ?? 'another import'}, which would lose it.`;
  const sentences: Record<UndoCode, string> = {
    'pushed-later': `${file ?? 'Another import'} was pushed later and changed this product. Undo that push first.`,
    'also-pushed': also,
    'not-recorded': 'Pushed by an older version of Draftshelf, which didn’t record what an undo needs.',
    'older-than-push': 'The store had this product before the push. It is never deleted.',
    'not-ours': 'The product no longer has our id, so somebody else uses it now.',
    unverified: 'The product wasn’t read after the push, so nobody can tell whether it was changed since.',
    'too-many-items': `The product has more than can be compared${named}.`,
    published: 'The product is published, so customers can see it.',
    changed: `Changed in the store since the push${named}.`,
    'in-collections': `Added to collections since the push${named}.`,
    'other-metafields': `Metafields were added since the push${named}.`,
    'stock-moved': 'The stock has changed since the push: sold, counted or moved.',
    'cannot-restore': `The store no longer has what the push replaced${named}.`,
    chosen: 'Kept because you chose it.',
    'store-refused': 'Shopify refused the change.',
  };
  const namesFile = file === undefined || code === 'pushed-later' || code === 'also-pushed';
  return namesFile ? sentences[code] : `${sentences[code]} ${also}`;
}

/** With more deletions, their number has to be typed. */
export const deletionsUnasked = 1_000;
/** The same, of products that are deleted only because the operator chose it. */
export const deletedAnywayUnasked = 10;
