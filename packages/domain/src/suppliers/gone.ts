import type { Guards } from '../products/guards.ts';
import type { ListAnswers, ListFindings } from './list.ts';

export const goneActions = ['quantity', 'draft', 'archive', 'tag'] as const;
export type GoneAction = (typeof goneActions)[number];

export const goneTag = 'no longer listed';

export type SupplierAnswers = Guards & {
  /** Whether each list has all products. Null if the operator has not answered: no product then counts as gone. */
  sendsComplete: boolean | null;
  /** Number of consecutive complete lists that must lack a product before it is gone. */
  goneAfter: number;
  whenGone: GoneAction | 'nothing';
};

export const goneAfterMax = 10;

export type CountedList = { number: number; isComplete: boolean | null; isWhole: boolean | null | undefined };

/**
 * Returns the number of the earliest of the last `goneAfter` counted lists. Items that have been missing since that
 * list are gone. Null unless these lists were counted in order and the operator called each of them complete.
 * `counted`: the last counted list first, without lists of prices.
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

/** Returns whether a list's missing items count: by the operator's answer, or else if the list seems complete. */
export const areMissingItemsCounted = (
  { findings, answers: { isWhole } }: { findings: ListFindings | null; answers: ListAnswers },
  sendsComplete: boolean | null,
): boolean => isWhole ?? (sendsComplete !== false && findings?.cutOff === undefined);

/** Results for a gone product. already: the store has this state. keep: the product stays unchanged for a reason. */
export const goneOutcomes = [...goneActions, 'already', 'keep'] as const;
export type GoneOutcome = (typeof goneOutcomes)[number];

const sentences = {
  'still-sold': (supplier?: string) => `Still sold by ${supplier}.`,
  'still-listed': () => 'Only a variant is no longer listed. Its quantity can be set to 0.',
  'not-all': () =>
    'Other variants of the product are no longer listed either. Choose all of them, or set the quantity to 0.',
  'listed-again': () => 'Listed again since.',
  'supplier-left': () => 'Its supplier was merged or deleted since.',
  'never-pushed': () => 'Not in the store from an earlier push.',
  'deleted-in-store': () => 'Deleted in the store.',
  changed: (status?: string) => `Set to ${status} in the store since the last push.`,
  'sold-since': () => 'Restocked in the store since the last push.',
  'tag-removed': () => 'The tag was removed in the store since the last push.',
  'not-sent': () => 'The product can’t be sent.',
  'store-refused': () => 'The store refused the change.',
  undone: () => 'An earlier change of the product was undone. Full auto leaves the product to you.',
  later: () => `Full auto changes at most ${goneAtOnceMax} products of a list.`,
} as const satisfies Record<string, (name?: string) => string>;

export type GoneCode = keyof typeof sentences;
export const goneCodes = Object.keys(sentences) as GoneCode[];

/** Maximum of products that full auto changes because of one list. */
export const goneAtOnceMax = 50;

/** Returns why a product stays unchanged, as a sentence. */
export const goneSentence = (code: GoneCode, name?: string): string => sentences[code](name);

/** Returns why a relisted product's former status is proposed. `status` is the product's status while it was gone. */
export const relistedReason = (status: string): string =>
  `The product was ${status === 'archived' ? 'archived' : 'set to draft'} because it was no longer listed. It is listed again now.`;

/** Numbers of products by outcome and reason, as 'end:code'. The code is empty if there is no reason. */
type GoneSums = Record<string, number>;
export const goneSumKey = (end: GoneOutcome, code: GoneCode | null): string => `${end}:${code ?? ''}`;

/** Key for the number of changed products that customers can see in the store. */
export const onSaleKey = 'on-sale';

export const decodeGoneSums = ({
  [onSaleKey]: _,
  ...sums
}: GoneSums): { end: GoneOutcome; code: GoneCode | null; products: number }[] =>
  Object.entries(sums).map(([key, products]) => {
    const [end = '', code = ''] = key.split(':');
    return { end: end as GoneOutcome, code: code === '' ? null : (code as GoneCode), products };
  });
