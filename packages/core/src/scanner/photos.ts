import { photoAddress, photoIdAt, photoIdOfKey, photoKey } from '@draftshelf/domain/base/photo-address';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { findRow, queryRows, queryValue, queryValues } from '../connection/query-rows.ts';
import { isUuid } from '../imports/imports.ts';
import { databaseIdentity, uploadSweepsMax } from '../imports/uploads.ts';

// Unused photos are recorded in `uploads`, like files without an import, so that the sweep removes them.

/** Returns those object keys that are photos used by a product, an added row or a picture of a file. */
export async function listUsedPhotos(db: Db, keys: readonly string[]): Promise<Set<string>> {
  const ids = keys.map(photoIdOfKey).filter((id) => id !== null);
  if (ids.length === 0) return new Set();
  const named = await queryValues<string>(db)`
    select photo.id from unnest(${ids}::text[], ${ids.map(photoAddress)}::text[]) photo (id, address)
    where exists (select 1 from scanned_products where photos @> array[address] and deleted_at is null)
      or exists (select 1 from added_rows where photos @> array[address])
      or exists (select 1 from file_pictures where photo_id = photo.id::uuid)`;
  return new Set(named.map(photoKey));
}

/** Records a photo for the sweep before its first byte is stored. Returns false while the photo is being removed. */
export async function recordPhoto(db: Db, id: string): Promise<boolean> {
  const sweeps = await queryValue<number>(db)`
    insert into uploads (object_key, database_id) values (${photoKey(id)}, ${databaseIdentity})
    on conflict (object_key) do update
      set sweeps = case when uploads.sweeps < ${uploadSweepsMax} then 0 else uploads.sweeps end
    returning sweeps`;
  return sweeps < uploadSweepsMax;
}

/** Locks a product and returns its photos. All transactions lock products before photos, so that none deadlock. */
export async function lockProductPhotos(db: Db, productId: string): Promise<string[]> {
  if (!isUuid(productId)) return [];
  const product = await findRow<{ photos: string[] }>(db)`
    select photos from scanned_products where id = ${productId} and deleted_at is null for update`;
  return product?.photos ?? [];
}

/** Marks photos as used before a save. Returns the addresses of removed photos, which must not be saved. */
export async function markPhotosUsed(db: Db, addresses: readonly string[]): Promise<string[]> {
  const keys = keysOf(addresses);
  if (keys.length === 0) return [];
  const rows = await queryRows<{ object_key: string; sweeps: number; is_new: boolean }>(db)`
    insert into uploads (object_key, database_id)
    select key, ${databaseIdentity} from unnest(${keys}::text[]) key
    on conflict (object_key) do update set object_key = excluded.object_key
    returning object_key, sweeps, xmax = 0 as is_new`;
  const known = await listUsedPhotos(db, keys);
  const isGone = (row: (typeof rows)[number]) =>
    row.sweeps >= uploadSweepsMax || (row.is_new && !known.has(row.object_key));
  const gone = new Set(rows.filter(isGone).map((row) => row.object_key));
  await sql`delete from uploads where object_key = any(${keys})`.execute(db);
  return addresses.filter((address) => gone.has(photoKey(photoIdAt(address) ?? '')));
}

/** Marks unused photos for removal. Call it last in a transaction, and remove the returned keys after the commit. */
export async function releasePhotos(db: Db, addresses: readonly string[]): Promise<string[]> {
  const keys = keysOf(addresses);
  if (keys.length === 0) return [];
  await sql`
    insert into uploads (object_key, database_id, sweeps)
    select key, ${databaseIdentity}, ${uploadSweepsMax} from unnest(${keys}::text[]) key
    on conflict (object_key) do update set sweeps = excluded.sweeps`.execute(db);
  // Only a separate statement sees the commits for which the statement above has waited.
  const known = await listUsedPhotos(db, keys);
  await sql`delete from uploads where object_key = any(${[...known]})`.execute(db);
  return keys.filter((key) => !known.has(key));
}

/** Returns sorted object keys, so that two transactions cannot deadlock. */
function keysOf(addresses: readonly string[]): string[] {
  const ids = addresses.map(photoIdAt).filter((id) => id !== null);
  return [...new Set(ids)].sort().map(photoKey);
}
