import { findComparableGroups, findCutOff, findLateList } from '@draftshelf/domain/suppliers/compare-lists';
import type { ListCounts, ListFindings } from '@draftshelf/domain/suppliers/list';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { queryFreshRows } from '../connection/planner.ts';
import { hasRows } from '../connection/query-rows.ts';
import type { SupplierListRecord } from '../connection/schema.ts';
import { hasOutcomes } from '../reading/carry-over.ts';
import { MustWait } from '../work/complete-chunk.ts';
import { currentRows, type RunOfRows, readParseRun } from '../work/runs.ts';
import { groupHashOrNull, selectItems } from './items-at.ts';
import {
  canFindItems,
  countRevertedRows,
  countTornRows,
  earlierListReason,
  hasOtherOpenTask,
  isFileKnown,
  listCountedLists,
} from './lists.ts';
import type { PreparedBatch, StepState } from './prepared-batch.ts';
import {
  countListChanges,
  findRowItems,
  hasNoRow,
  hasOwnIds,
  mayHaveItem,
  pinPublishedIds,
  removeRowItems,
  separateSharedIds,
} from './row-items.ts';
import { readLastListNumber, readSupplierAnswers } from './suppliers.ts';

/**
 * Finds the rows' items, so that products keep their ids. Also finds the differences from the last list that counts.
 * Throws MustWait while another list of the supplier is being compared or inserts its new items, because a product that
 * is new in both lists would get two ids.
 */
export async function findItems({ db, record, of, progress }: PreparedBatch): Promise<StepState> {
  const supplier = progress.supplier.id;
  if (record.test_mode) return {};
  const isReread = record.rows_run !== of.run;
  const wasOfDeleted = isReread && record.supplier === null && (await hasOwnIds(db, currentRows(record)));
  if (wasOfDeleted) {
    await removeRowItems(db, of);
    await pinPublishedIds(db, record, of);
  }
  if (supplier === null) return { compared: null };
  const uncompared = { lists: await readLastListNumber(db, supplier), compared: null };
  const own = { supplier, import_id: record.id };
  if (!(await canFindItems(db, own)) || (await hasOtherOpenTask(db, 'keep-items', own))) {
    throw new MustWait(earlierListReason);
  }
  const hasItems = await hasRows(db)`select from supplier_items where supplier = ${supplier} limit 1`;
  if (!hasItems) return uncompared;
  await removeRowItems(db, of);
  const [newest, earlier] = await listCountedLists(db, supplier, 2);
  const isNewest = newest?.import_id === record.id;
  const last = isNewest ? earlier : newest;
  // A re-read of the list that counted last is compared with the items as they were before that list.
  const before = isNewest ? newest.number : null;
  const { mapping, isPartial } = await readParseRun(db, of);
  const fields = Object.keys(mapping.sources);
  // A list of prices and stock is not compared, because it lacks most items and fields.
  const groups = last && !isPartial ? findComparableGroups(last.fields, fields) : null;
  const { accents, items, missing } = await findRowItems(db, of, { supplier, before, groups });
  if (wasOfDeleted || (isReread && (await hasOutcomes(db, currentRows(record)))))
    await pinPublishedIds(db, record, of);
  const haveHandles = last && [last.fields, fields].every((one) => one.includes('handle'));
  if (haveHandles && groups && missing > 0) await findRegroupedProducts(db, of, last, before);
  const isKnown = isReread || (await isFileKnown(db, record, supplier));
  if (isKnown) await separateSharedIds(db, record, of);
  if (!last || isPartial) return uncompared;
  const counts = { ...(await countListChanges(db, of)), accents, items, missing };
  const findings = await findFindings({ db, record, of }, { last, counts, isReread: before !== null });
  return { ...uncompared, compared: { list: last.number, counts, findings } };
}

async function findFindings(
  { db, record, of }: Pick<PreparedBatch, 'db' | 'record' | 'of'>,
  { last, counts, isReread }: { last: SupplierListRecord; counts: ListCounts; isReread: boolean },
): Promise<ListFindings> {
  const isPart = (await readSupplierAnswers(db, last.supplier))?.sendsComplete === false;
  const cutOff = counts.missing > 0 ? findCutOff(counts, await countTornRows(db, of), isPart) : undefined;
  const found = cutOff && { cutOff };
  if (isReread) return { ...found };
  const counted = await listCountedLists(db, last.supplier, countedRead);
  const full = counted.find(({ is_complete }) => is_complete !== null) ?? last;
  const back = counts.changed === 0 ? 0 : await countRevertedRows(db, of, last);
  const late = findLateList(record, { last, full }, { back, of: counts.changed });
  return { ...(late && { late }), ...found };
}

/** Maximum number of counted lists searched for the last full list, because lists of prices may come daily. */
const countedRead = 100;

/**
 * Finds products that the supplier has regrouped under new numbers. A product without items gets the id of the last
 * list's product with the same handle, if no row has that product any more. Handles are reused, so a handle must occur
 * once in each list and be from the file, and the titles must have equal letters. Call it after findRowItems.
 */
export async function findRegroupedProducts(
  db: Db,
  of: RunOfRows,
  { supplier, import_id, counted_run }: SupplierListRecord,
  before: number | null,
): Promise<void> {
  const ofRun = sql`rows.import_id = ${of.import_id} and rows.run = ${of.run} and ${mayHaveItem}`;
  const ofLast = sql`rows.import_id = ${import_id} and rows.run = ${counted_run} and ${mayHaveItem}`;
  const taken = sql`
    select from row_items where row_items.import_id = ${of.import_id} and row_items.run = ${of.run}
      and row_items.our_id = missing.our_id`;
  // Versions are looked up per item, so only these rows' items are read. With `before`, former keys match, too.
  const keys = sql`(select item_key from last_rows)`;
  const renumbered = sql`
    union all select item from item_versions where supplier = ${supplier} and key_before in ${keys}`;
  const ids = sql`array(
    select id from supplier_items where supplier = ${supplier} and key in ${keys} ${before === null ? sql`` : renumbered})`;
  const firstLetters = sql`(array_agg(${groupHashOrNull(sql`item_hashes`, 'letters')} order by rows.row))[1]`;
  await queryFreshRows(db)`
    with products as materialized (
      select product, min(rows.row) as row, lower(min(handle)) as handle, ${firstLetters} as letters,
        count(distinct lower(handle)) = 1 and count(item) + count(our_id) = 0 as is_lone
      from rows left join row_items using (import_id, run, row) where ${ofRun} group by product
    ), lone as materialized (
      select handle, min(row) as row, min(encode(letters, 'hex')) as letters from products
      where handle <> '' group by handle having count(*) = 1 and bool_and(is_lone)
    ), last_products as materialized (
      select product, lower(min(handle)) as handle, encode(${firstLetters}, 'hex') as letters from rows
      where ${ofLast} group by product
      having count(distinct lower(handle)) = 1 and count(*) filter (where sources ->> 'handle' is not null) = 0
    ), last_rows as materialized (
      select last_products.handle, item_key from last_products join lone using (handle, letters)
      join rows on ${ofLast} and rows.product = last_products.product
    ), earlier as materialized (
      select handle, items.our_id,
        missed_since is null and content_list is not null and ${hasNoRow(of)} as is_missing
      from last_rows join (${selectItems({ supplier, before, ids })}) items on items.key = item_key
    ), missing as materialized (
      select handle, min(our_id) as our_id from earlier
      group by handle having count(distinct our_id) = 1 and bool_and(is_missing)
    )
    insert into row_items (import_id, run, row, our_id, change)
    select ${of.import_id}, ${of.run}, row, our_id, 0 from lone join missing using (handle) where not exists (${taken})
    on conflict (import_id, run, row) do update set our_id = excluded.our_id`;
}
