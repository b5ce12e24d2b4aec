import { photoAddress, photoIdAt, photoIdOfKey, photoKey } from '@draftshelf/domain/base/photo-address';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { isUuid } from '../imports/imports.ts';
import { sweepsMax, thisDatabase } from '../imports/uploads.ts';

// Photos that no product names are recorded in `uploads`, like files that no import names: the sweep removes them.

/** Of these addresses of our photos, those that a product, an added row or a picture of a file names. */
async function namedPhotos(db: Db, addresses: readonly string[]): Promise<Set<string>> {
  if (addresses.length === 0) return new Set();
  const { rows } = await sql<{ address: string }>`
    select address from unnest(${addresses}::text[]) address where ${isNamed(sql`address`)}`.execute(db);
  return new Set(rows.map((row) => row.address));
}

/** Of these keys of objects, those of photos that are named. */
export async function listKnownPhotos(db: Db, keys: readonly string[]): Promise<Set<string>> {
  const photos = keys.map(photoIdOfKey).filter((id) => id !== null);
  const named = await namedPhotos(db, photos.map(photoAddress));
  return new Set(photos.filter((id) => named.has(photoAddress(id))).map(photoKey));
}

/** `address`: of one of our photos. */
const isNamed = (address: RawBuilder<unknown>) => sql`(
  exists (select 1 from scanned_products where photos @> array[${address}] and deleted_at is null)
  or exists (select 1 from added_rows where photos @> array[${address}])
  or exists (select 1 from file_pictures where photo_id = right(${address}, 36)::uuid))`;

/**
 * Records that a photo is being stored, before its first byte, so that the sweep finds it if no product is saved with
 * it. Returns false while the photo is being removed.
 */
export async function recordPhoto(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql<{ sweeps: number }>`
    insert into uploads (object_key, database_id) values (${photoKey(id)}, ${thisDatabase})
    on conflict (object_key) do update
      set sweeps = case when uploads.sweeps < ${sweepsMax} then 0 else uploads.sweeps end
    returning sweeps`.execute(db);
  return (rows[0]?.sweeps ?? sweepsMax) < sweepsMax;
}

/**
 * Locks a product and returns the photos that it names; none for a product that is not stored. Transactions lock the
 * product first and its photos then, so that none waits in a circle.
 */
export async function lockPhotosOf(db: Db, productId: string): Promise<string[]> {
  if (!isUuid(productId)) return [];
  const product = await db
    .selectFrom('scanned_products')
    .select('photos')
    .where('id', '=', productId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  return product?.photos ?? [];
}

/**
 * Takes photos for a product. Call it in the transaction that saves the product, before it is saved: each photo must be
 * recorded, or named by a product that is stored. It waits for a transaction that releases one of them. Returns the
 * addresses of photos that are gone; if there are any, the caller rolls back.
 */
export async function usePhotos(db: Db, addresses: readonly string[]): Promise<string[]> {
  const keys = keysOf(addresses);
  if (keys.length === 0) return [];
  const { rows } = await sql<{ object_key: string; sweeps: number; is_new: boolean }>`
    insert into uploads (object_key, database_id)
    select key, ${thisDatabase} from unnest(${keys}::text[]) key
    on conflict (object_key) do update set object_key = excluded.object_key
    returning object_key, sweeps, xmax = 0 as is_new`.execute(db);
  const known = await listKnownPhotos(db, keys);
  const isGone = (row: (typeof rows)[number]) =>
    row.sweeps >= sweepsMax || (row.is_new && !known.has(row.object_key));
  const gone = new Set(rows.filter(isGone).map((row) => row.object_key));
  await sql`delete from uploads where object_key = any(${keys})`.execute(db);
  return addresses.filter((address) => gone.has(photoKey(photoIdAt(address) ?? '')));
}

/**
 * Marks photos as left over, except those that a product or an added row still names. Call it at the end of the
 * transaction that has removed them from a product. Returns the keys of those marked; the caller removes the objects
 * when the transaction is committed, else the sweep does.
 */
export async function releasePhotos(db: Db, addresses: readonly string[]): Promise<string[]> {
  const keys = keysOf(addresses);
  if (keys.length === 0) return [];
  await sql`
    insert into uploads (object_key, database_id, sweeps)
    select key, ${thisDatabase}, ${sweepsMax} from unnest(${keys}::text[]) key
    on conflict (object_key) do update set sweeps = excluded.sweeps`.execute(db);
  // A statement of its own: it sees what a save has committed that the one above waited for.
  const known = await listKnownPhotos(db, keys);
  await sql`delete from uploads where object_key = any(${[...known]})`.execute(db);
  return keys.filter((key) => !known.has(key));
}

/** The keys of our photos among these addresses, in one order for all transactions, so that none waits in a circle. */
function keysOf(addresses: readonly string[]): string[] {
  const ids = addresses.map(photoIdAt).filter((id) => id !== null);
  return [...new Set(ids)].sort().map(photoKey);
}
