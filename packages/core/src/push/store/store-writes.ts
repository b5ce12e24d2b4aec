import type { Db } from '../../connection/database.ts';
import { queryRow } from '../../connection/query-rows.ts';
import { finalList } from '../../imports/queue-page.ts';

/** Position in our writes to stores. Two equal positions mean that nothing was written in between. */
export type StoreWrites = {
  last: number | null;
  ended: string | null;
  isPushing: boolean;
};

/** Reads the position of all processes' writes, from indexes. */
export const readStoreWrites = (db: Db) =>
  queryRow<StoreWrites>(db)`
    select (select max(id) from ledger) as last,
      (select id || ' ' || completed_at from import_records where status in (${finalList})
        order by completed_at desc nulls last, id limit 1) as ended,
      exists (select 1 from imports where status = 'uploading') as "isPushing"`;
