import { sql } from 'kysely';
import type { Db } from '../../connection/database.ts';

/** Space of a disk, in bytes. */
export type DiskSpace = { freeBytes: number; totalBytes: number };

/** The rate of a shorter time says little: one large import would look like a trend. */
const hoursMin = 12;
const hoursMax = 24;

/**
 * Stores the free space of the disk once an hour, for a day, and returns in how many ms the disk will be full at the
 * rate since the oldest sample; null if it does not fill, or if half a day is not known yet. Samples of a disk of
 * another size are of another disk.
 */
export async function sampleDisk(db: Db, { freeBytes, totalBytes }: DiskSpace): Promise<number | null> {
  const hour = sql`date_trunc('hour', clock_timestamp())`;
  await sql`
    delete from disk_samples where total_bytes <> ${totalBytes}
      or hour not between ${hour} - ${hoursMax} * interval '1 hour' and ${hour}`.execute(db);
  await sql`
    insert into disk_samples (hour, free_bytes, total_bytes) values (${hour}, ${freeBytes}, ${totalBytes})
    on conflict do nothing`.execute(db);
  const { rows } = await sql<{ free: number; ms: number }>`
    select free_bytes as free, (extract(epoch from clock_timestamp() - hour) * 1000)::float8 as ms from disk_samples
    where hour <= ${hour} - ${hoursMin} * interval '1 hour' order by hour limit 1`.execute(db);
  const [oldest] = rows;
  if (!oldest || oldest.free <= freeBytes) return null;
  return (freeBytes * oldest.ms) / (oldest.free - freeBytes);
}
