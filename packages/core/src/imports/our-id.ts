import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { ImportRecord, RowRecord } from '../connection/schema.ts';

type FileOf = Pick<ImportRecord, 'sha256'>;

/** Returns our id of a product: the own id of its first row, else a hash of file and offset. See deriveOurIdInSql. */
export const deriveOurId = ({ sha256 }: FileOf, first: Pick<RowRecord, 'byte_from' | 'own_id'>): string =>
  first.own_id ?? createHash('sha256').update(`${sha256}:${first.byte_from}`).digest('hex').slice(0, 32);

/** SQL value: deriveOurId for a first row. The query has one table with the columns `own_id` and `byte_from`. */
export function deriveOurIdInSql({ sha256 }: FileOf): RawBuilder<string> {
  const hash = sql`encode(sha256(convert_to(${sha256}::text || ':' || byte_from, 'UTF8')), 'hex')`;
  return sql<string>`coalesce(own_id, left(${hash}, 32))`;
}

/** SQL value for a query over `rows`: a row's own id, else our id of its supplier item, else null. */
export const ownOrItemId = sql<string | null>`coalesce(own_id, (
  select our_id from row_items
  where row_items.import_id = rows.import_id and row_items.run = rows.run and row_items.row = rows.row))`;
