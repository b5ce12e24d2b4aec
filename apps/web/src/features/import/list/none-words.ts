import type { List } from '@draftshelf/contract/imports/list';
import type { RowChange } from '@draftshelf/domain/suppliers/list';

const words: Record<RowChange, string> = {
  new: 'No product of this list is new.',
  changed: 'No product of this list has changed.',
  dearer: 'No product of this list is dearer.',
  cheaper: 'No product of this list is cheaper.',
  jumped: 'No price of this list has changed by half or more.',
  price: 'No price of this list has changed.',
  stock: 'No quantity of this list has changed.',
  text: 'No text of this list has changed.',
  options: 'No option of this list has changed.',
  pictures: 'No picture of this list has changed.',
  codes: 'No code of this list has changed.',
  other: 'No other field of this list has changed.',
  unchanged: 'No product of this list is unchanged.',
  returned: 'No product of this list is back.',
  renumbered: 'No product of this list has a new SKU.',
  doubled: 'No row of this list has the SKU of another row.',
  doubtful: 'No row of this list has another title and UPC than before.',
  unkeyed: 'Every row of this list has a SKU, UPC or item number.',
  carried: 'Nothing was carried over to this list.',
};

/** What is said where no row has a change; null: it was not compared in all fields, so nothing is known. */
export const noneWords = (change: RowChange, list: List | null): string | null =>
  change === 'carried' || (list?.counts && !list.differences) ? words[change] : null;
