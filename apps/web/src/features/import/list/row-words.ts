import type { List } from '@draftshelf/contract/imports/list';
import type { Row } from '@draftshelf/contract/review/rows';
import { parseMoney } from '@draftshelf/domain/base/money';
import { readQuantity } from '@draftshelf/domain/base/quantity';
import type { RowChange } from '@draftshelf/domain/suppliers/list';
import { formatCount } from '../../../lib/intl.ts';

/** In the order of their menu. */
export const changeWords: Record<RowChange, string> = {
  ...{ new: 'New', changed: 'Changed', dearer: 'Dearer', cheaper: 'Cheaper' },
  ...{ jumped: 'Price changed by half or more', price: 'Price', stock: 'Stock', text: 'Texts' },
  ...{ options: 'Options', pictures: 'Pictures', codes: 'Codes', other: 'Other fields' },
  ...{ unchanged: 'Unchanged', returned: 'Back', renumbered: 'New SKU' },
  ...{ doubled: 'SKU of another row', doubtful: 'Other title and UPC', unkeyed: 'No SKU or UPC' },
  carried: 'Carried over',
};

type Before = {
  /** '+4 %', '−2'. */
  change: string;
  /** 'was 12.00'. */
  was: string;
};

/** Changes of rows that may be other products than the items with their keys. */
const notCompared: readonly string[] = ['doubled', 'doubtful'];

/** Null if it is the same, not known, or edited. */
export function beforeOf({ listed, values, sources }: Row, field: string): Before | null {
  if (listed === undefined || sources[field] !== undefined) return null;
  if (listed.changes.some((change) => notCompared.includes(change))) return null;
  if (field === 'price') return priceBefore(listed.priceBefore, values.price ?? '');
  return field === 'quantity' ? quantityBefore(listed.quantityBefore, values.quantity ?? '') : null;
}

function priceBefore(text: string | null, value: string): Before | null {
  const now = Number(parseMoney(value)?.amount ?? Number.NaN);
  const before = Number(text ?? Number.NaN);
  if (Number.isNaN(now - before) || now === before) return null;
  const shown = /\.\d{3,}$/.test(text ?? '') ? text : before.toFixed(2);
  const change = before === 0 ? 'new' : signed((100 * (now - before)) / before, ' %');
  return { change, was: `was ${shown}` };
}

function quantityBefore(before: number | null, value: string): Before | null {
  const now = readQuantity(value);
  if (now === null || before === null || now === before) return null;
  return { change: signed(now - before, ''), was: `was ${formatCount(before)}` };
}

/** '+4 %', '−0.4 %'. */
function signed(difference: number, unit: string): string {
  const size = Math.abs(difference);
  const rounded = size < 1 ? Math.max(0.1, Number(size.toFixed(1))) : Math.round(size);
  return `${difference < 0 ? '−' : '+'}${formatCount(rounded)}${unit}`;
}

const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long' });
const dayOfYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long', year: 'numeric' });

type CarriedValue = NonNullable<Row['carried']>[string];

/** 'Yours since March 3 (march.csv). Acme: 12.00'. */
export function yoursWords({ since, filename, theirs }: CarriedValue, list: List | null): string {
  const date = new Date(since);
  const isThisYear = date.getFullYear() === new Date().getFullYear();
  const name = list?.isNamed && list.supplier !== null ? list.supplier.name : 'This file';
  const says = theirs === null || theirs === '' ? `${name} left it empty.` : `${name}: ${theirs}`;
  return `Yours since ${(isThisYear ? day : dayOfYear).format(date)} (${filename}). ${says}`;
}
