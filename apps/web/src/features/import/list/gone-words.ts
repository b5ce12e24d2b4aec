import type { GoneProductsPlan } from '@draftshelf/contract/push/gone';
import type { GoneAction, GoneCode } from '@draftshelf/domain/suppliers/gone';
import { countOf, formatCount } from '../../../lib/intl.ts';

export const goneActionLabels: Record<GoneAction, string> = {
  ...{ quantity: 'Set quantity to 0', draft: 'Set to draft', archive: 'Archive' },
  tag: 'Add the tag “no longer listed”',
};

type Words = Record<GoneAction, readonly [one: string, several: string]>;
const planned: Words = {
  quantity: ['gets quantity 0', 'get quantity 0'],
  draft: ['becomes a draft', 'become drafts'],
  archive: ['is archived', 'are archived'],
  tag: ['gets the tag', 'get the tag'],
};
/** The products' state as a verb phrase, to which a sentence adds 'already' or 'now'. */
const state: Words = {
  quantity: ['has quantity 0', 'have quantity 0'],
  draft: ['is a draft', 'are drafts'],
  archive: ['is archived', 'are archived'],
  tag: ['has the tag', 'have the tag'],
};
const kept: Record<GoneCode, string> = {
  'still-sold': 'still sold by another supplier',
  'still-listed': 'only a variant is no longer listed',
  'not-all': 'other variants of them weren’t chosen',
  'listed-again': 'listed again',
  'supplier-left': 'supplier merged or deleted since',
  'never-pushed': 'not in the store',
  'deleted-in-store': 'deleted in the store',
  changed: 'status changed in the store',
  'sold-since': 'restocked in the store',
  'tag-removed': 'tag removed in the store',
  'not-sent': 'can’t be sent',
  'store-refused': 'refused by the store',
  undone: 'undone before, left for you by full auto',
  later: 'left for you by full auto',
};

type Sum = GoneProductsPlan['sums'][number];

/** Example: '12 products are archived.', '3 products stay: still sold by another supplier.' */
export const goneSentences = (sums: readonly Sum[], action: GoneAction | null, isDone: boolean): string[] =>
  sums.map(({ end, code, products }) => {
    const count = countOf(products, 'product');
    const at = products === 1 ? 0 : 1;
    if (end === 'already') {
      const all = sums.length === 1 && products > 1 ? `All ${formatCount(products)}` : count;
      return `${all} ${state[action ?? 'draft'][at]} already.`;
    }
    if (end !== 'keep') return `${count} ${isDone ? `${state[end][at]} now` : planned[end][at]}.`;
    const why = code === null ? '' : `: ${kept[code]}`;
    return `${count} ${isDone ? 'stayed' : products === 1 ? 'stays' : 'stay'}${why}.`;
  });

/** Example: '2 of them are active in the store.' */
export const activeProductsWords = ({
  onSale,
  ...gone
}: Pick<GoneProductsPlan, 'sums' | 'action' | 'onSale'>): string => {
  const all = countChangedProducts(gone);
  if (all === 1) return 'The product is active in the store.';
  const count = onSale === all ? 'All of them' : `${formatCount(onSale)} of them`;
  return `${count} ${onSale === 1 ? 'is' : 'are'} active in the store.`;
};

/** Example: 'Change 12 Products' */
export const changeProductsLabel = ({ sums, action }: Pick<GoneProductsPlan, 'sums' | 'action'>): string =>
  `Change ${countOf(countChangedProducts({ sums, action }), 'Product')}`;

export const countChangedProducts = ({ sums, action }: Pick<GoneProductsPlan, 'sums' | 'action'>): number =>
  sums.reduce((all, { end, products }) => (end === action ? all + products : all), 0);
