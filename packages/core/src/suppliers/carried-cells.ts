import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { queryRows } from '../connection/query-rows.ts';
import type { EditCommandRecord, ImportRecord } from '../connection/schema.ts';
import { isOfProduct } from '../review/product-field-sql.ts';
import { currentRows } from '../work/runs.ts';
import { countingFirst } from './carried-values.ts';
import { itemOf, joinFound } from './row-items.ts';

/** SQL: joins edits of an import with their command, and with the base command that it undoes. */
export const withCommands = (importId: string): RawBuilder<unknown> => sql`
  join edit_commands command on command.import_id = ${importId} and command.id = edits.command
  left join edit_commands base on base.import_id = ${importId} and base.id = command.undoes`;

/** SQL: the supplier and file that an edit's value was carried from; null for other commands. */
export const carriedFrom = sql`coalesce(base.carried, command.carried)`;

/** A value carried from an earlier list: when and where the operator set it. `subject`: null if it was forgotten. */
export type CarriedCell = {
  row: number;
  field: string;
  subject: string | null;
  since: Date;
  filename: string | null;
};

/** Reads the cells of some current rows whose value was carried from an earlier list. */
export async function readCarriedCells(
  db: Db,
  record: Pick<ImportRecord, 'id' | 'rows_run' | 'supplier'>,
  numbers: readonly number[],
): Promise<CarriedCell[]> {
  if (record.supplier === null) return [];
  const { import_id, run } = currentRows(record);
  const ofProduct = isOfProduct('edits.field');
  return queryRows<CarriedCell>(db)`
    select rows.row, edits.field, subject, coalesce(said_at, edited_at) as since,
      coalesce(said_in, ${carriedFrom} ->> 'filename') as filename
    from rows ${joinFound('rows')}
    cross join lateral (
      select distinct on (field) * from edits
      where import_id = ${import_id} and byte_from = rows.byte_from order by field, id desc
    ) edits ${withCommands(import_id)}
    left join lateral (
      select subject, said_at, said_in from carried_values said
      where said.supplier = ${record.supplier} and said.field = edits.field
        and said.subject = case when ${ofProduct} then 'p:' || coalesce(own_id, row_items.our_id)
          else 'i:' || ${itemOf(record.supplier, sql`row_items.item`)} end
        and said.value = edits.after
      order by ${countingFirst} limit 1
    ) carried on true
    where rows.import_id = ${import_id} and rows.run = ${run} and rows.row = any(${numbers}::int[])
      and edits.after is not null and ${carriedFrom} is not null`;
}

/** Lists the commands that carried values of a supplier into an import, newest first. */
export const listCarried = (db: Db, importId: string, supplier: number) =>
  queryRows<Pick<EditCommandRecord, 'id' | 'state' | 'edits'>>(db)`
    select id, state, edits from edit_commands
    where import_id = ${importId} and kind = 'carried' and carried ->> 'supplier' = ${String(supplier)}
    order by created_at desc, id desc`;
