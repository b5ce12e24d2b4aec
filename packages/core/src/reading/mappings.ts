import type { RememberedMapping } from '@draftshelf/domain/reading/mapping/mapping-memory';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { MappingRecord } from '../connection/schema.ts';
import { storableJson } from '../connection/storable-json.ts';

/** Beyond this, the mappings that were not used for the longest time are deleted. */
export const mappingsMax = 500;

type NewMapping = RememberedMapping & { fingerprint: string };

export async function saveMapping(
  db: Db,
  { fingerprint, headers, columns, readings, filename }: NewMapping,
): Promise<void> {
  await sql`
    insert into mappings (fingerprint, headers, columns, readings, filename)
    values (${fingerprint}, ${headers}::text[], ${storableJson(columns)}, ${storableJson(readings)}, ${filename})
    on conflict (fingerprint) do update set headers = excluded.headers, columns = excluded.columns,
      readings = excluded.readings, filename = excluded.filename, created_at = now(), used_at = null, uses = 0,
      suppliers = case when mappings.readings = excluded.readings then mappings.suppliers else '{}' end`.execute(
    db,
  );
  await sql`
    delete from mappings where fingerprint in (
      select fingerprint from mappings
      order by greatest(created_at, used_at) desc, fingerprint offset ${mappingsMax}
    )`.execute(db);
}

export async function addSupplierOfAnswers(db: Db, fingerprint: string, supplier: number): Promise<void> {
  await db
    .updateTable('mappings')
    .set({ suppliers: sql`array_append(suppliers, ${supplier}::int)` })
    .where('fingerprint', '=', fingerprint)
    .execute();
}

export async function countMappingUse(db: Db, fingerprint: string): Promise<void> {
  await db
    .updateTable('mappings')
    .set({ uses: sql`uses + 1`, used_at: sql`now()` })
    .where('fingerprint', '=', fingerprint)
    .execute();
}

export async function listMappings(db: Db): Promise<MappingRecord[]> {
  return db
    .selectFrom('mappings')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('fingerprint')
    .limit(mappingsMax)
    .execute();
}

export async function findMapping(db: Db, fingerprint: string): Promise<MappingRecord | undefined> {
  return db.selectFrom('mappings').selectAll().where('fingerprint', '=', fingerprint).executeTakeFirst();
}

/** The remembered mappings of files with between `min` and `max` headers, newest first. */
export async function listMappingsBySize(db: Db, min: number, max: number): Promise<MappingRecord[]> {
  return db
    .selectFrom('mappings')
    .selectAll()
    .where(sql<boolean>`cardinality(headers) between ${min}::int and ${max}::int`)
    .orderBy('created_at', 'desc')
    .orderBy('fingerprint')
    .execute();
}

export async function deleteMapping(db: Db, fingerprint: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('mappings')
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
