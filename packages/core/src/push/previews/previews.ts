import { type Insertable, type RawBuilder, sql, type UpdateObject } from 'kysely';
import { timeAgo } from '../../connection/clock.ts';
import type { Db } from '../../connection/database.ts';
import { findRow, findValue, hasRows, queryRow } from '../../connection/query-rows.ts';
import type {
  GoneRecord,
  ImportRecord,
  PlanRecord,
  PreviewKind,
  PreviewsTable,
  PushUndoRecord,
  Schema,
} from '../../connection/schema.ts';
import { storableJson } from '../../connection/storable-json.ts';
import type { ActionResult } from '../../imports/action-result.ts';
import { changeImport } from '../../imports/imports.ts';
import type { EditRange } from '../../review/commands/edits-since.ts';
import { currentRows } from '../../work/runs.ts';
import { dropTasks, enqueueTask, openOrDeadStates } from '../../work/tasks.ts';
import { pushedStateDays } from '../pushed-states.ts';

/** Retention in days. Undos need stored states of products, so previews of changes are kept only as long as states. */
export const previewRetentionDays: Record<PreviewKind, number> = {
  ...{ push: 30, undo: pushedStateDays, gone: pushedStateDays },
};

type PreviewOf = { push: PlanRecord; undo: PushUndoRecord; gone: GoneRecord };

type NewPreview = Omit<Insertable<PreviewsTable>, 'import_id' | 'sums' | 'decisions' | 'choices' | 'results'>;

/** Finds the latest preview of an import, unless its retention has ended. */
export const findPreview = <Kind extends PreviewKind>(db: Db, importId: string, kind: Kind) =>
  findRow<PreviewOf[Kind]>(db)`
    select * from previews where import_id = ${importId} and kind = ${kind} and replaced_at is null
      and started_at >= ${timeAgo(previewRetentionDays[kind] * 86_400_000)}`;

export type PreviewChange = UpdateObject<Schema, 'previews'>;

export async function changePreview(db: Db, id: number, changed: PreviewChange): Promise<void> {
  await db.updateTable('previews').set(changed).where('id', '=', id).execute();
}

/** Marks a preview as complete. Call it once each product has a line. */
export async function completePreview(db: Db, id: number, changed: PreviewChange): Promise<void> {
  await changePreview(db, id, { ...changed, previewed_at: sql<Date>`clock_timestamp()` });
}

/** Counts of a part of a preview: `counters` by column, `counts` by JSON column and key. */
export type PreviewPartCounts = {
  counters: Partial<
    Record<'points' | 'opening_points' | 'work_ms' | 'recreated_variants' | 'decided_since', number>
  >;
  counts: Partial<Record<'sums' | 'decisions' | 'results', Readonly<Record<string, number>>>>;
};

/** Adds a part's counts to a preview. `changed`: further columns to set. */
export async function addPreviewCounts(
  db: Db,
  id: number,
  { counters = {}, counts = {} }: Partial<PreviewPartCounts>,
  changed: PreviewChange = {},
): Promise<void> {
  const added = Object.entries(counters).map(([column, count]) => [
    column,
    sql`${sql.ref(column)} + ${Math.ceil(count)}`,
  ]);
  const summed = Object.entries(counts).map(([column, count]) => [column, summedCounts(column, count)]);
  await changePreview(db, id, { ...Object.fromEntries([...added, ...summed]), ...changed });
}

/** SQL value: a JSON column's counts plus `counts`, summed by key, without zeros. */
const summedCounts = (column: string, counts: Readonly<Record<string, number>>): RawBuilder<unknown> => sql`
  (select coalesce(json_object_agg(key, products), '{}') from (
    select key, sum(value::int) as products from (
      select * from json_each_text(${sql.ref(`previews.${column}`)})
      union all select * from json_each_text(${storableJson(counts)}::json)
    ) both_counts group by key having sum(value::int) <> 0) summed)`;

/** Sets a plan's shop, and the time when our copy of that shop was complete. */
export async function setPlanShop(db: Db, id: number, shop: string): Promise<void> {
  await sql`
    update previews set shop = ${shop}, copied_at = (select ended_at from store_syncs where shop = ${shop} and error is null)
    where id = ${id}`.execute(db);
}

/** Finds the filename of an import whose plan for the same shop began earlier and is still in progress. */
export const findEarlierPlan = (db: Db, { id, shop }: { id: number; shop: string }) =>
  findValue<string>(db)`
    select filename from previews plan join imports on imports.id = plan.import_id
    where plan.kind = 'push' and plan.shop = ${shop} and plan.id < ${id} and plan.previewed_at is null
      and plan.replaced_at is null and exists (
        select 1 from chunks where import_id = plan.import_id and kind = 'task' and task = 'plan-push'
          and state in ('pending', 'published'))
    order by plan.id limit 1`;

/** Returns the range of edits that may be missing from a plan. */
export const getEditsSincePlan = ({ last_edit, edits_until }: PlanRecord): EditRange => ({
  after: last_edit,
  unsureUntil: edits_until ?? last_edit,
});

/** Returns whether an undo or changes to gone products have ended in the plan's shop since the plan began. */
export const hasUndoEndedSince = (db: Db, { shop, started_at }: PlanRecord) =>
  hasRows(db)`
    select 1 from previews
    where kind in ('undo', 'gone') and shop = ${shop} and ended_at > ${started_at} limit 1`;

/** Maximum of the count, because counting a million products takes too long for a request. */
const countedProductsMax = 10_000;

/** Counts products that we pushed to a shop or copied from it. From 10,000 on, returns `products` as an estimate. */
export async function countKnownProducts(db: Db, shop: string, products: number): Promise<number> {
  const limit = Math.min(products, countedProductsMax);
  const { known } = await queryRow<{ known: number }>(db)`
    select count(*)::int as known from (
      select 1 from listings where shop = ${shop} union all select 1 from store_products where shop = ${shop}
      limit ${limit}
    ) known`;
  return known < limit ? known : products;
}

/** Begins a preview of a locked import. Replaces its earlier preview of this kind, even one in progress. */
export async function beginPreview(
  db: Db,
  record: ImportRecord,
  preview: NewPreview,
  products: number | null = null,
): Promise<ActionResult> {
  const { id } = record;
  await stopPreview(db, id, preview.kind);
  await sql`
    update previews set replaced_at = clock_timestamp()
    where import_id = ${id} and kind = ${preview.kind} and replaced_at is null`.execute(db);
  await db
    .insertInto('previews')
    .values({ import_id: id, ...preview })
    .execute();
  await enqueueTask(db, currentRows(record), `plan-${preview.kind}`, products);
  await changeImport(db, id, {});
  return { ok: true, import: record };
}

/** Ends a preview in progress, because its input changes or a new preview begins. The caller has locked the import. */
export async function stopPreview(db: Db, id: string, kind: PreviewKind): Promise<void> {
  await dropTasks(db, id, [`plan-${kind}`], openOrDeadStates);
}
