import type { Guards } from '../products/guards.ts';
import type { ListAnswers, ListFindings } from './list.ts';

/** What can be done with a product that its supplier no longer lists. */
export const goneActions = ['quantity', 'draft', 'archive', 'tag'] as const;
export type GoneAction = (typeof goneActions)[number];

/** The tag that a product gets. */
export const goneTag = 'no longer listed';

/** What the operator has said about the lists of a supplier. */
export type SupplierAnswers = Guards & {
  /** Whether each list names all products; null: not said. Until it is, nothing is gone. */
  sendsComplete: boolean | null;
  /** A product is gone when so many complete lists in a row lack it. */
  goneAfter: number;
  /** What full auto does with products that are gone. */
  whenGone: GoneAction | 'nothing';
};

export const goneAfterMax = 10;

type CountedList = { number: number; isComplete: boolean | null; isWhole: boolean | undefined };

/**
 * The newest list by which an item is gone that no list has had since; null: none is. `counted`: the lists that
 * counted last, newest first, without lists of prices. The operator has said of each of `goneAfter` lists that it is
 * complete. Lists that counted in another order than they came in count from the last one on.
 */
export function goneUntil(
  counted: readonly CountedList[],
  { sendsComplete, goneAfter }: Pick<SupplierAnswers, 'sendsComplete' | 'goneAfter'>,
): number | null {
  const isSaid = ({ isComplete, isWhole }: CountedList) =>
    isComplete === true && (isWhole ?? sendsComplete ?? false);
  const row = counted.slice(0, goneAfter);
  const isInOrder = row.every(({ number }, at) => at === 0 || number < (row[at - 1]?.number ?? 0));
  if (row.length < goneAfter || !isInOrder || !row.every(isSaid)) return null;
  return row.at(-1)?.number ?? null;
}

/**
 * Whether what a list lacks is missing. It is not if the list is a part, by the answer about it or about its supplier,
 * or if it seems cut off and nobody has said that it is complete.
 */
export const takesMissing = (
  { findings, answers: { isWhole } }: { findings: ListFindings | null; answers: ListAnswers },
  sendsComplete: boolean | null,
): boolean => isWhole ?? (sendsComplete !== false && findings?.cutOff === undefined);

/** What is done with a product that is gone. already: it is so. keep: it stays as it is, for a reason. */
export const goneEnds = [...goneActions, 'already', 'keep'] as const;
export type GoneEnd = (typeof goneEnds)[number];

const sentences = {
  'still-sold': (supplier?: string) => `Still sold by ${supplier}.`,
  'still-listed': () => 'Only a variant is no longer listed. Its quantity can be set to 0.',
  'not-all': () =>
    'Other variants of it are no longer listed either. Choose all of them, or set the quantity to 0.',
  'listed-again': () => 'Listed again since.',
  'supplier-left': () => 'Its supplier was merged or deleted since.',
  'never-pushed': () => 'Not in the store from an earlier push.',
  'deleted-in-store': () => 'Deleted in the store.',
  changed: (status?: string) => `Set to ${status} in the store since the last push.`,
  'sold-since': () => 'Restocked in the store since the last push.',
  'tag-removed': () => 'The tag was removed in the store since the last push.',
  'not-sent': () => 'It can’t be sent.',
  'store-refused': () => 'The store refused the change.',
  undone: () => 'It was changed before, and that was undone. Full auto leaves it to you.',
  later: () => `Full auto changes at most ${goneAtOnceMax} products of a list.`,
} as const satisfies Record<string, (name?: string) => string>;

/** Why a product that is gone stays as it is. */
export type GoneCode = keyof typeof sentences;
export const goneCodes = Object.keys(sentences) as GoneCode[];

/** Products that full auto changes because of one list. */
export const goneAtOnceMax = 50;

/** Why a product stays, for the operator, unless the store or the merge says it. */
export const goneSentence = (code: GoneCode, name?: string): string => sentences[code](name);

/** Why the status before is proposed for a product that is listed again. `status`: what it got because it was not. */
export const backReason = (status: string): string =>
  `It was ${status === 'archived' ? 'archived' : 'set to draft'} because it was no longer listed, and is listed again.`;

/** How many products end so, by `keep:changed`; the code is empty without a reason. */
type GoneSums = Record<string, number>;
export const goneSumKey = (end: GoneEnd, code: GoneCode | null): string => `${end}:${code ?? ''}`;

/** The key of a plan's sums for those of the changed products that are on sale. */
export const onSaleKey = 'on-sale';

/** The sums as a list. */
export const goneSumsOf = ({
  [onSaleKey]: _,
  ...sums
}: GoneSums): { end: GoneEnd; code: GoneCode | null; products: number }[] =>
  Object.entries(sums).map(([key, products]) => {
    const [end = '', code = ''] = key.split(':');
    return { end: end as GoneEnd, code: code === '' ? null : (code as GoneCode), products };
  });
