import { type Insertable, type RawBuilder, sql, type UpdateObject } from 'kysely';
import { ago } from '../../connection/clock.ts';
import type { Db } from '../../connection/database.ts';
import type {
  GoneRecord,
  PlanRecord,
  PreviewKind,
  PreviewsTable,
  PushUndoRecord,
  Schema,
} from '../../connection/schema.ts';
import { storableJson } from '../../connection/storable-json.ts';
import { pushedStateDays } from '../pushed-states.ts';

/** Retention. An undo needs the states of the products. */
export const previewDays: Record<PreviewKind, number> = {
  ...{ push: 30, undo: pushedStateDays, gone: pushedStateDays },
};

type PreviewOf = { push: PlanRecord; undo: PushUndoRecord; gone: GoneRecord };

/** Begins a preview, replacing the import's earlier one of this kind. The import is locked. */
export async function insertPreview(
  db: Db,
  preview: Omit<Insertable<PreviewsTable>, 'sums' | 'decisions' | 'choices' | 'results'>,
): Promise<void> {
  await db
    .updateTable('previews')
    .set({ replaced_at: sql<Date>`clock_timestamp()` })
    .where('import_id', '=', preview.import_id)
    .where('kind', '=', preview.kind)
    .where('replaced_at', 'is', null)
    .execute();
  await db.insertInto('previews').values(preview).execute();
}

/** Finds the latest preview of an import that is not being removed. */
export async function findPreview<Kind extends PreviewKind>(
  db: Db,
  importId: string,
  kind: Kind,
): Promise<PreviewOf[Kind] | undefined> {
  const found = await db
    .selectFrom('previews')
    .selectAll()
    .where('import_id', '=', importId)
    .where('kind', '=', kind)
    .where('replaced_at', 'is', null)
    .where('started_at', '>=', ago(previewDays[kind] * 86_400_000))
    .executeTakeFirst();
  return found as PreviewOf[Kind] | undefined;
}

export type PreviewChange = UpdateObject<Schema, 'previews'>;

export async function changePreview(db: Db, id: number, changed: PreviewChange): Promise<void> {
  await db.updateTable('previews').set(changed).where('id', '=', id).execute();
}

/** Ends a preview whose products all have a line. */
export async function endPreview(db: Db, id: number, changed: PreviewChange): Promise<void> {
  await changePreview(db, id, { ...changed, previewed_at: sql<Date>`clock_timestamp()` });
}

/** Counts of a part of a preview, by column and by key. */
export type PreviewPart = {
  counters: Partial<
    Record<'points' | 'opening_points' | 'work_ms' | 'recreated_variants' | 'decided_since', number>
  >;
  counts: Partial<Record<'sums' | 'decisions' | 'results', Readonly<Record<string, number>>>>;
};

/** Adds a part's counts to a preview. `changed`: columns set with them. */
export async function addToPreview(
  db: Db,
  id: number,
  { counters = {}, counts = {} }: Partial<PreviewPart>,
  changed: PreviewChange = {},
): Promise<void> {
  const added = Object.entries(counters).map(([column, count]) => [
    column,
    sql`${sql.ref(column)} + ${Math.ceil(count)}`,
  ]);
  const summed = Object.entries(counts).map(([column, count]) => [column, summedCounts(column, count)]);
  await changePreview(db, id, { ...Object.fromEntries([...added, ...summed]), ...changed });
}

/** SQL value: the sums by key of a JSON column and `counts`, without zeros. */
const summedCounts = (column: string, counts: Readonly<Record<string, number>>): RawBuilder<unknown> => sql`
  (select coalesce(json_object_agg(key, products), '{}') from (
    select key, sum(value::int) as products from (
      select * from json_each_text(${sql.ref(`previews.${column}`)})
      union all select * from json_each_text(${storableJson(counts)}::json)
    ) both_counts group by key having sum(value::int) <> 0) summed)`;
