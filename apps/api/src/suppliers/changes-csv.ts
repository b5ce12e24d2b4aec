import type { Db } from '@draftshelf/core/connection/database';
import type { ImportRecord, SupplierListRecord } from '@draftshelf/core/connection/schema';
import { pageDiffering } from '@draftshelf/core/suppliers/listed-rows';
import { pageMissing } from '@draftshelf/core/suppliers/missing';
import { itemPriceText } from '@draftshelf/domain/suppliers/item-hashes';
import { changeBit, changesIn } from '@draftshelf/domain/suppliers/list';

/** How many lines are held in memory at a time. */
const linesAtATime = 200;

const header = ['Key', 'Title', 'What', 'Price before', 'Price now'];

/** A key without the letter that says what it is made of. */
const shownKey = (key: string | null): string => key?.slice(key.indexOf(':') + 1) ?? '';

const shownPrice = (price: number | null): string => itemPriceText(price) ?? '';

/** What differs between a list and the one before it, as the records of a CSV file: its rows, then missing items. */
export async function* readChangesCsv(
  db: Db,
  record: ImportRecord,
  list: SupplierListRecord,
): AsyncGenerator<string[]> {
  yield header;
  const unchanged = changeBit('unchanged');
  for (let after = 0; ; ) {
    const rows = await pageDiffering(db, record, list, { after, limit: linesAtATime, unchanged });
    for (const { key, title, change, price, price_now } of rows) {
      const what = changesIn(change).join(', ');
      yield [shownKey(key), title ?? '', what, shownPrice(price), shownPrice(price_now)];
    }
    const last = rows.at(-1);
    if (!last || rows.length < linesAtATime) break;
    after = last.row;
  }
  for (let after = ''; ; ) {
    const items = await pageMissing(db, record, list.supplier, { after, limit: linesAtATime });
    for (const { key, title, price } of items) {
      yield [shownKey(key), title ?? '', 'missing', shownPrice(price), ''];
    }
    const last = items.at(-1);
    if (!last || items.length < linesAtATime) return;
    after = last.key;
  }
}
