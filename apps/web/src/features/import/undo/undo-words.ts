import type { PushUndo, UndoProduct } from '@draftshelf/contract/push/push-undo';
import type { UndoCode } from '@draftshelf/domain/push/push-undo';
import type { UndoAction } from '@draftshelf/domain/push/undo-actions';
import type { GoneAction } from '@draftshelf/domain/suppliers/gone';
import { capitalize, countOf, formatCount, formatDuration } from '../../../lib/intl.ts';
import { goneActionLabels } from '../list/gone-words.ts';
import type { UndoFilter } from './push-undo-api.ts';

type Sums = PushUndo['sums'];

const planned: Record<UndoAction, readonly [string, string]> = {
  delete: ['product will be deleted', 'products will be deleted'],
  archive: ['will be archived', 'will be archived'],
  restore: ['gets its earlier values', 'get their earlier values'],
  keep: ['stays as it is', 'stay as they are'],
  nothing: ['was not changed', 'were not changed'],
  gone: ['is not in the store any more', 'are not in the store any more'],
};
const done: Record<UndoAction, readonly [string, string]> = {
  delete: ['product was deleted', 'products were deleted'],
  archive: ['was archived', 'were archived'],
  restore: ['got its earlier values', 'got their earlier values'],
  keep: ['stayed as it is', 'stayed as they are'],
  nothing: ['was not changed', 'were not changed'],
  gone: ['was not in the store any more', 'were not in the store any more'],
};

/** Values restored by undoing a change of products that are no longer listed. */
const earlier: Record<GoneAction, readonly [string, string]> = {
  quantity: ['its earlier quantities', 'their earlier quantities'],
  draft: ['its earlier status', 'their earlier statuses'],
  archive: ['its earlier status', 'their earlier statuses'],
  tag: ['its earlier tags', 'their earlier tags'],
};

type ActionOf = { isDone: boolean; gone: PushUndo['gone'] };

/** Example: 'products will be deleted'. `gone`: the undone change of unlisted products, or null for a push. */
export function undoActionWords(action: UndoAction, products: number, { isDone, gone }: ActionOf): string {
  const at = products === 1 ? 0 : 1;
  if (action === 'restore' && gone !== null) {
    return `${isDone ? 'got' : at === 0 ? 'gets' : 'get'} ${earlier[gone][at]}`;
  }
  return (isDone ? done : planned)[action][at];
}

/** Example: 'Delete 487, Restore 391'. Null if there is nothing to do. */
export function undoButtonWords(sums: Sums): string | null {
  const words = { delete: 'Delete', archive: 'Archive', restore: 'Restore' } as const;
  const parts = sumByAction(sums).flatMap(({ action, products }) =>
    action in words ? [`${words[action as keyof typeof words]} ${formatCount(products)}`] : [],
  );
  return parts.length === 0 ? null : parts.join(', ');
}

/** Parses a number with thousands separators. Null for other texts. */
export function parseTypedCount(text: string): number | null {
  const digits = text.replace(/[\s.,'’_\u00a0\u202f]/g, '');
  return /^\d{1,9}$/.test(digits) ? Number(digits) : null;
}

const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long', year: 'numeric' });

export const undoneRunWords = ({ gone }: Pick<PushUndo, 'gone'>): string =>
  gone === null ? 'This push' : `“${goneActionLabels[gone]}”`;

export function listUndoFacts(undo: PushUndo): string[] {
  const deletions = countActionProducts(undo.sums, 'delete');
  const restored = countActionProducts(undo.sums, 'restore') + countActionProducts(undo.sums, 'archive');
  const isOfPush = undo.gone === null;
  const facts = isOfPush ? ['The rows and your edits stay here, so the products can be pushed again.'] : [];
  if (deletions > 0) {
    facts.push(
      'Deleting can’t be undone. Apps, webhooks and sales channels see the deletions. Past orders keep their lines.',
      'Sales of products whose stock isn’t tracked can’t be seen from here.',
    );
  } else if (restored > 0) {
    facts.push('Apps, webhooks and sales channels see the changes.');
  }
  if (undo.recreatedVariants > 0) {
    const variants = countOf(undo.recreatedVariants, 'variant');
    const [are, ids, them] =
      undo.recreatedVariants === 1 ? ['is', 'a new id', 'it'] : ['are', 'new ids', 'them'];
    facts.push(
      `${variants} ${are} created again with ${ids}: carts, links and apps that used the old ${undo.recreatedVariants === 1 ? 'id' : 'ids'} don’t find ${them}.`,
    );
  }
  if (undo.undoableUntil !== null) {
    facts.push(`${undoneRunWords(undo)} can be undone until ${day.format(new Date(undo.undoableUntil))}.`);
  }
  return facts;
}

/** Below this many seconds, the estimate is too low: it follows the store's rate, but each product waits for calls. */
const boundByRateS = 30;

export const undoEstimateWords = ({ seconds }: Pick<NonNullable<PushUndo['estimate']>, 'seconds'>): string =>
  `Takes ${seconds < boundByRateS ? 'less than a minute' : `about ${formatDuration(seconds * 1000)}`}.`;

/** Example: 'Title' or 'Variants: M · price'. */
export function partName({ part, name }: UndoProduct['parts'][number]): string {
  const words = capitalize(part);
  return name === '' ? words : `${words}: ${name}`;
}

const reasonNames: Record<UndoCode, string> = {
  'pushed-later': 'Pushed later from another file',
  'also-pushed': 'Also pushed from another file',
  'not-recorded': 'Pushed by an older version',
  'older-than-push': 'In the store before the push',
  'not-ours': 'No longer has our id',
  unverified: 'Not read after the push',
  'too-many-items': 'More than can be compared',
  published: 'Published',
  changed: 'Changed in the store',
  'in-collections': 'Added to collections',
  'other-metafields': 'Metafields added by others',
  'stock-moved': 'Stock has changed',
  'cannot-restore': 'Can’t be brought back',
  chosen: 'Kept by your choice',
  'store-refused': 'Refused by Shopify',
};

/** Returns unknown codes unchanged. */
export const reasonName = (code: string): string =>
  Object.hasOwn(reasonNames, code) ? reasonNames[code as UndoCode] : code;

/** Returns the filter by kept products, else by the action with the most products. Null if there are no products. */
export function findFirstFilter(sums: Sums, isDone: boolean): UndoFilter | null {
  const counted = sumByAction(sums);
  const most = counted.toSorted((a, b) => b.products - a.products)[0];
  const first = counted.find(({ action }) => action === 'keep') ?? most;
  return first === undefined ? null : { action: first.action, code: null, results: isDone };
}

export const countListedProducts = (
  { sums, results }: Pick<PushUndo, 'sums' | 'results'>,
  filter: UndoFilter,
): number =>
  (filter.results ? results : sums)
    .filter(({ action, code }) => action === filter.action && (filter.code === null || code === filter.code))
    .reduce((all, { products }) => all + products, 0);

/** Example: '22 stay as they are: Changed in the store'. If choices have reduced their number: '9 of 22 stay …'. */
export function undoListWords(
  { action, code, results }: UndoFilter,
  { products, listed, gone }: { products: number; listed: number; gone: PushUndo['gone'] },
): string {
  const count =
    products < listed ? `${formatCount(products)} of ${formatCount(listed)}` : formatCount(products);
  const words = `${count} ${undoActionWords(action, Math.max(products, listed), { isDone: results, gone })}`;
  return code === null ? words : `${words}: ${reasonName(code)}`;
}

/** Returns the sums by action. The sum of the open list stays even if choices have left it without products. */
export function sumKeepingOpenList(sums: Sums, filter: UndoFilter | null): ReturnType<typeof sumByAction> {
  const counted = sumByAction(sums);
  if (filter === null) return counted;
  const { action, code } = filter;
  const isCounted = counted.some((sum) => sum.action === action);
  const all = isCounted ? counted : [...counted, { action, products: 0, reasons: [] }];
  return all.map((sum) =>
    sum.action !== action || code === null || sum.reasons.some((reason) => reason.code === code)
      ? sum
      : { ...sum, reasons: [...sum.reasons, { action, code, products: 0 }] },
  );
}

const actions = ['delete', 'archive', 'restore', 'keep', 'nothing', 'gone'] as const satisfies UndoAction[];

export const sumByAction = (sums: Sums): { action: UndoAction; products: number; reasons: Sums }[] =>
  actions
    .map((action) => {
      const reasons = sums.filter((sum) => sum.action === action && sum.products > 0);
      return { action, products: total(reasons), reasons };
    })
    .filter(({ products }) => products > 0);

export const countActionProducts = (sums: Sums, action: UndoAction): number =>
  total(sums.filter((sum) => sum.action === action));

const total = (sums: Sums) => sums.reduce((all, { products }) => all + products, 0);

/** Returns 'kept' instead of 'undone' if all products in the store were left as they are. */
export function findUndoState({ state, results }: PushUndo): PushUndo['state'] | 'kept' {
  const isKept = sumByAction(results).every(({ action }) => !(action in changes));
  return state === 'undone' && isKept && countActionProducts(results, 'keep') > 0 ? 'kept' : state;
}

const changes = { delete: 'deleted', archive: 'archived', restore: 'restored' } as const;

/** Example: '487 deleted, 391 restored, 22 stayed'. */
export function resultWords(results: Sums): string {
  const words = { ...changes, keep: 'stayed' };
  const parts = sumByAction(results).flatMap(({ action, products }) =>
    action in words ? [`${formatCount(products)} ${words[action as keyof typeof words]}`] : [],
  );
  return parts.length === 0 ? 'nothing to undo' : parts.join(', ');
}
