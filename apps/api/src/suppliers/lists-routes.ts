import * as contract from '@draftshelf/contract/suppliers/suppliers';
import type { Db } from '@draftshelf/core/connection/database';
import type { ImportRecord, SupplierListRecord } from '@draftshelf/core/connection/schema';
import * as lists from '@draftshelf/core/suppliers/count-list';
import { findGoneThreshold, type ItemPage, readGoneItemPage } from '@draftshelf/core/suppliers/gone';
import { readDifferingRows, readMissingItems } from '@draftshelf/core/suppliers/listed-rows';
import { findListOfImport, listCountedLists } from '@draftshelf/core/suppliers/lists';
import { itemPriceText } from '@draftshelf/domain/suppliers/item-hashes';
import { decodeChanges } from '@draftshelf/domain/suppliers/list';
import { createProductUrl } from '../access/store-connection.ts';
import { runChange } from '../http/databases.ts';
import { conflict } from '../http/refusal.ts';
import type { Api } from '../http/serve.ts';
import { serveCsv } from '../imports/serve-csv.ts';
import { serveImport } from '../imports/serve-import.ts';

export function serveLists(api: Api): void {
  const { db } = api;
  serveImport(api, contract.answerList, async ({ record, body }) => {
    await runChange(api, (trx) => lists.storeListAnswers(trx, record.id, body));
    return { success: true as const };
  });
  serveImport(api, contract.listMissing, async ({ record, query }) => {
    const list = await findListOfImport(db, record.id);
    if (!list) return { items: [], next: null };
    if (!query.gone && record.rows_removed_at !== null) throw conflict(removed);
    const page = { after: query.after ?? '', limit: contract.missingPageSize + 1 };
    const found = query.gone
      ? await readGone(db, list, page)
      : (await readMissingItems(db, record, list, page)).map((item) => ({
          ...item,
          lastIn: null,
          status: null,
        }));
    const items = found.slice(0, contract.missingPageSize).map(({ price, url, product, ...item }) => ({
      ...{ ...item, price: itemPriceText(price) },
      storeUrl: createProductUrl(url ?? undefined, product),
    }));
    return { items, next: found.length > items.length ? (items.at(-1)?.key ?? null) : null };
  });
  serveCsv(api, contract.getListChanges, 'changes', async ({ record }) => {
    const list = await findListOfImport(db, record.id);
    if (!list || list.counts === null) throw conflict('This import was not compared with an earlier list.');
    if (record.rows_removed_at !== null) throw conflict(removed);
    return readChangesCsv(db, record, list);
  });
}

async function readGone(db: Db, { supplier, number }: SupplierListRecord, page: ItemPage) {
  const [last] = await listCountedLists(db, supplier, 1);
  const until = last?.number === number ? await findGoneThreshold(db, supplier) : null;
  return until === null ? [] : readGoneItemPage(db, { supplier, until }, page);
}

const removed = 'The rows of this import were removed to save space. Choose Read Again first.';

/** Number of lines in memory at a time. It is larger for missing items, because each page of them reads all rows. */
const [linesAtATime, missingAtATime] = [200, 5_000];

const header = ['Key', 'Title', 'What', 'Price before', 'Price now'];

/** Returns a key without the prefix of its kind. */
const shownKey = (key: string | null): string => key?.slice(key.indexOf(':') + 1) ?? '';

const shownPrice = (price: number | null): string => itemPriceText(price) ?? '';

async function* readChangesCsv(
  db: Db,
  record: ImportRecord,
  list: SupplierListRecord,
): AsyncGenerator<string[]> {
  yield header;
  for (let after: number | undefined = 0; after !== undefined; ) {
    const rows = await readDifferingRows(db, record, list, { after, limit: linesAtATime });
    for (const { key, title, change, price, price_now } of rows) {
      const what = decodeChanges(change).join(', ');
      yield [shownKey(key), title ?? '', what, shownPrice(price), shownPrice(price_now)];
    }
    after = rows.length < linesAtATime ? undefined : rows.at(-1)?.row;
  }
  for (let after: string | undefined = ''; after !== undefined; ) {
    const items = await readMissingItems(db, record, list, { after, limit: missingAtATime });
    for (const { key, title, price } of items) {
      yield [shownKey(key), title ?? '', 'missing', shownPrice(price), ''];
    }
    after = items.length < missingAtATime ? undefined : items.at(-1)?.key;
  }
}
