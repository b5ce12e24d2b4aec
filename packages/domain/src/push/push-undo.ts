/** Why an undo of a push leaves a product or a part as it is, or asks the operator. Lists are filtered by it. */
export const undoCodes = [
  /** A later push of another import has changed it. */
  'pushed-later',
  /** A later push of another import left it as it is, also under another id. */
  'also-pushed',
  /** An older version pushed it, without recording what an undo needs. */
  'not-recorded',
  /** The store created it before our sending began. */
  'older-than-push',
  'not-ours',
  /** It was not read after the push, and does not have the sent values. */
  'unverified',
  /** It has more variants, images, metafields or collections than are read. */
  'too-many-items',
  'published',
  /** Somebody changed values that the push has set. */
  'changed',
  'in-collections',
  'other-metafields',
  /** Its stock was sold, counted or moved. */
  'stock-moved',
  /** The store no longer has what an undo would restore. */
  'cannot-restore',
  'chosen',
  'store-refused',
] as const;
export type UndoCode = (typeof undoCodes)[number];

export const undoChoices = ['keep', 'archive', 'delete'] as const;
export type UndoChoice = (typeof undoChoices)[number];
/** For created products that somebody has changed, unless the operator chooses for one. */
export const whenUnsureChoices = ['keep', 'archive'] as const;
export type WhenUnsure = (typeof whenUnsureChoices)[number];

const all: readonly UndoChoice[] = undoChoices;
const none: readonly UndoChoice[] = [];
const notDeleted: readonly UndoChoice[] = ['keep', 'archive'];

/** The choices for a created product by the reason to keep it. None: it is always kept. */
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

/** Only products that the push created are deleted or archived. `code` null: it would be deleted anyway. */
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

/** `name`: within its part, such as "M · price". `cannot-restore`: it is as the push set it, but stays. */
export type KeptPart = {
  part: UndoPart;
  name: string;
  before: string | null;
  ours: string | null;
  now: string | null;
  reason: 'changed' | 'cannot-restore';
};

/** The sentence for the operator. `parts`: differences; `file`: a later push of the product, named in each sentence. */
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

/** More deletions require typing their number. */
export const deletionsUnasked = 1_000;
/** The same, for products deleted only because the operator chose it. */
export const deletedAnywayUnasked = 10;
