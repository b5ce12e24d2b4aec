import type { UndoChoice, UndoCode } from './push-undo.ts';

/** `nothing`: the push changed nothing, or all values are already restored. `gone`: the store lacks the product. */
export const undoActions = ['delete', 'archive', 'restore', 'nothing', 'gone', 'keep'] as const;
export type UndoAction = (typeof undoActions)[number];

/** Numbers of products by action, code, and whether a choice is allowed. Example of a key: `keep:changed:choice`. */
export type UndoSums = Record<string, number>;
export type UndoSum = { action: UndoAction; code: UndoCode | null; choosable: boolean; products: number };

export const toUndoSumKey = ({ action, code, choosable }: Omit<UndoSum, 'products'>): string =>
  [action, code ?? '', choosable ? 'choice' : ''].join(':');

/** Returns the sums in no particular order. */
export function listUndoSums(sums: UndoSums): UndoSum[] {
  return Object.entries(sums).map(([key, products]) => {
    const [action = '', code = '', choosable = ''] = key.split(':');
    return {
      action: action as UndoAction,
      code: code === '' ? null : (code as UndoCode),
      choosable: choosable !== '',
      products,
    };
  });
}

export type ChoicesByCode = Partial<Record<UndoCode, UndoChoice>>;

/** Number of products for which the operator made the same individual choice. */
export type ChosenSum = Omit<UndoSum, 'choosable'> & { choice: UndoChoice };

/** Returns the sums after choices. `chosen`: for single products. `deletedAnyway`: products deleted only by choice. */
export function applyUndoChoices(
  sums: readonly UndoSum[],
  byCode: ChoicesByCode,
  chosen: readonly ChosenSum[],
): { sums: Omit<UndoSum, 'choosable'>[]; deletions: number; chosenProducts: number; deletedAnyway: number } {
  const counted = new Map<string, Omit<UndoSum, 'choosable'>>();
  let chosenProducts = 0;
  let deletedAnyway = 0;
  const add = (one: Omit<UndoSum, 'choosable'>, choice: UndoChoice | undefined) => {
    const action = choice ?? one.action;
    if (choice !== undefined) chosenProducts += one.products;
    if (action === 'delete' && one.action !== 'delete') deletedAnyway += one.products;
    const key = `${action}:${one.code}`;
    const products = (counted.get(key)?.products ?? 0) + one.products;
    counted.set(key, { action, code: one.code, products });
  };
  for (const { choosable, products, ...sum } of sums) {
    const single = chosen.filter(({ action, code }) => action === sum.action && code === sum.code);
    const others = choosable ? products - single.reduce((all, one) => all + one.products, 0) : products;
    add({ ...sum, products: others }, choosable && sum.code !== null ? byCode[sum.code] : undefined);
    if (choosable) for (const { choice, ...one } of single) add(one, choice);
  }
  const all = [...counted.values()].filter(({ products }) => products > 0);
  const deletions = all
    .filter(({ action }) => action === 'delete')
    .reduce((sum, { products }) => sum + products, 0);
  return { sums: all, deletions, chosenProducts, deletedAnyway };
}
