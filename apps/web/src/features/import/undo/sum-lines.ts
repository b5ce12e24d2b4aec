import type { PushUndo } from '@draftshelf/contract/push/push-undo';
import type { UndoAction } from '@draftshelf/domain/push/undo-actions';
import { formatCount } from '../../../lib/intl.ts';

type Sums = PushUndo['sums'];

/** In the order of the list. */
const actions = ['delete', 'archive', 'restore', 'keep', 'nothing', 'gone'] as const satisfies UndoAction[];

/** The products of each action, without those that have none. */
export function sumsByAction(sums: Sums): { action: UndoAction; products: number; reasons: Sums }[] {
  return actions
    .map((action) => {
      const reasons = sums.filter((sum) => sum.action === action && sum.products > 0);
      return { action, products: total(reasons), reasons };
    })
    .filter(({ products }) => products > 0);
}

/** The products of one action. */
export const productsOf = (sums: Sums, action: UndoAction): number =>
  total(sums.filter((sum) => sum.action === action));

const total = (sums: Sums) => sums.reduce((all, { products }) => all + products, 0);

/** How an undo stands; `kept`: it went through all products, and left those in the store as they were. */
export function undoStanding({ state, results }: PushUndo): PushUndo['state'] | 'kept' {
  const isKept = sumsByAction(results).every(({ action }) => !(action in changes));
  return state === 'undone' && isKept && productsOf(results, 'keep') > 0 ? 'kept' : state;
}

const changes = { delete: 'deleted', archive: 'archived', restore: 'restored' } as const;

/** '487 deleted, 391 restored, 22 stayed'; 'nothing to undo' if no product was changed. */
export function resultWords(results: Sums): string {
  const words = { ...changes, keep: 'stayed' };
  const parts = sumsByAction(results).flatMap(({ action, products }) =>
    action in words ? [`${formatCount(products)} ${words[action as keyof typeof words]}`] : [],
  );
  return parts.length === 0 ? 'nothing to undo' : parts.join(', ');
}
