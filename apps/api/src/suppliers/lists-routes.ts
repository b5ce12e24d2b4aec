import {
  answerList,
  getListChanges,
  listMissing,
  missingPageSize,
} from '@draftshelf/contract/suppliers/suppliers';
import type { Db } from '@draftshelf/core/connection/database';
import type { SupplierListRecord } from '@draftshelf/core/connection/schema';
import * as lists from '@draftshelf/core/suppliers/answer-list';
import { type GoneItem, pageGone, readGoneUntil } from '@draftshelf/core/suppliers/gone';
import { findListOf, listCounted } from '@draftshelf/core/suppliers/lists';
import { type MissingItem, pageMissing } from '@draftshelf/core/suppliers/missing';
import { itemPriceText } from '@draftshelf/domain/suppliers/item-hashes';
import { productUrlIn } from '../access/store-connection.ts';
import type { ApiDatabases } from '../http/databases.ts';
import { conflict } from '../http/refusal.ts';
import { sendCsv } from '../http/send-csv.ts';
import { type Api, serve } from '../http/serve.ts';
import { findImportOr404 } from '../imports/read-job.ts';
import { readChangesCsv } from './changes-csv.ts';

/** Answers about a list, and what differs from the list before it. */
export function serveLists(api: Api, { database: { db }, changes }: ApiDatabases): void {
  serve(api, answerList, async ({ params, body }) => {
    const { id } = await findImportOr404(db, params.id);
    const result = await changes.db.transaction().execute((trx) => lists.answerList(trx, id, body));
    if (!result.ok) throw conflict(result.reason);
    return { success: true as const };
  });
  serve(api, listMissing, async ({ params, query }) => {
    const record = await findImportOr404(db, params.id);
    const list = await findListOf(db, record.id);
    if (!list) return { items: [], next: null };
    const page = { after: query.after ?? '', limit: missingPageSize + 1 };
    const found = query.gone
      ? await readGone(db, list, page)
      : (await pageMissing(db, record, list.supplier, page)).map(withoutLast);
    const items = found.slice(0, missingPageSize).map(({ price, url, product, ...item }) => ({
      ...{ ...item, price: itemPriceText(price) },
      storeUrl: productUrlIn(url ?? undefined, product),
    }));
    return { items, next: found.length > items.length ? (items.at(-1)?.key ?? null) : null };
  });
  api.app.get<{ Params: { id: string } }>(getListChanges.path, async (request, reply) => {
    const record = await findImportOr404(db, request.params.id);
    const list = await findListOf(db, record.id);
    if (!list || list.counts === null) throw conflict('This import was not compared with an earlier list.');
    if (record.rows_removed_at !== null) throw conflict(removed);
    return sendCsv(request, reply, {
      records: readChangesCsv(db, record, list),
      name: 'changes',
      of: record,
    });
  });
}

const withoutLast = (item: MissingItem): GoneItem => ({ ...item, lastIn: null, status: null });

/** What is gone since a list counted, if it is the last one that did. */
async function readGone(
  db: Db,
  { supplier, number }: SupplierListRecord,
  page: Parameters<typeof pageGone>[2],
) {
  const [last] = await listCounted(db, supplier, 1);
  const until = last?.number === number ? await readGoneUntil(db, supplier) : null;
  return until === null ? [] : pageGone(db, { supplier, until }, page);
}

const removed = 'The rows of this import were removed to save space. Choose Read Again first.';
