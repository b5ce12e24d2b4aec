import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { queryRows, queryValues } from '../connection/query-rows.ts';
import type { ImageState, ImagesTable } from '../connection/schema.ts';

export type CheckedImage = Pick<ImagesTable, 'url' | 'state' | 'reason' | 'width' | 'height' | 'bytes'>;

/** Days after which a picture is checked again. If its server did not answer, `retryMinutes` applies instead. */
const freshDays = 30;
const retryMinutes = 10;

const hashOf = (url: string): Buffer => createHash('sha256').update(url).digest();

/** Reads the state of some pictures, by address. */
export async function readImageChecks(
  db: Db,
  urls: readonly string[],
): Promise<Map<string, { state: ImageState; reason: string | null }>> {
  if (urls.length === 0) return new Map();
  const rows = await queryRows<{ url: string; state: ImageState; reason: string | null }>(db)`
    select url, state, reason from images where url_hash = any(${urls.map(hashOf)}::bytea[])`;
  return new Map(rows.map(({ url, ...image }) => [url, image]));
}

/** Returns the addresses whose last check found a bad picture, each with the reason. */
export async function readBadImages(db: Db, urls: readonly string[]): Promise<Map<string, string | null>> {
  const checked = [...(await readImageChecks(db, urls))];
  return new Map(checked.flatMap(([url, { state, reason }]) => (state === 'bad' ? [[url, reason]] : [])));
}

/** Returns the addresses that were not checked recently. */
export async function listUncheckedImages(db: Db, urls: readonly string[]): Promise<string[]> {
  const distinct = [...new Set(urls)];
  if (distinct.length === 0) return [];
  const checked = new Set(
    await queryValues<string>(db)`
      select url from images where url_hash = any(${distinct.map(hashOf)}::bytea[])
        and checked_at > now() - case when state = 'unreachable' then ${retryMinutes} * interval '1 minute'
          else ${freshDays} * interval '1 day' end`,
  );
  return distinct.filter((url) => !checked.has(url));
}

/** Stores the results of checks in the order of their addresses, so that two workers cannot deadlock. */
export async function storeImageChecks(db: Db, images: readonly CheckedImage[]): Promise<void> {
  for (const image of images.toSorted((a, b) => (a.url < b.url ? -1 : 1))) {
    await db
      .insertInto('images')
      .values({ ...image, url_hash: hashOf(image.url) })
      .onConflict((conflict) => conflict.column('url_hash').doUpdateSet({ ...image, checked_at: sql`now()` }))
      .execute();
  }
}
