import type { BaseCommand } from '@draftshelf/domain/review/operations/carried-command';
import { type Selectable, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { findRow, queryRows, queryValue, queryValues } from '../connection/query-rows.ts';
import type {
  CarryOrigin,
  EditCommandRecord,
  EditsTable,
  ImportRecord,
  ProposalRecord,
} from '../connection/schema.ts';
import { findImport } from '../imports/imports.ts';
import { deriveOurId } from '../imports/our-id.ts';
import { findRowsOfEdits } from '../review/commands/stored-edits.ts';
import type { RunOfRows } from '../work/runs.ts';
import { isUnsure, itemOfRow, joinFoundItems, mayHaveItem } from './row-items.ts';
import { targetsColumn } from './supplier-proposals.ts';

const partMax = 2_000;

/** SQL value: the id of an import's first edit whose command is still being applied. Edits from that id on wait. */
const firstUnended = sql`coalesce((
  select min(edits.id) from edit_commands join edits on edits.import_id = edit_commands.import_id
    and edits.command = edit_commands.id
  where edit_commands.import_id = imports.id and edit_commands.state = 'applying'
    and edits.id > imports.edits_kept_to and imports.deletion_began_at is null), ${2n ** 62n}::bigint)`;

/** Larger than the id of any edit. */
export const editIdMax = Number.MAX_SAFE_INTEGER;

const isNewEdit = (keepTo: number) =>
  sql`edits.id > edits_kept_to and edits.id < ${firstUnended} and edits.id <= ${keepTo}::bigint`;

/** Returns the id of the newest edit of all imports. */
export const readNewestEditId = (db: Db): Promise<number> =>
  queryValue<number>(db)`select coalesce(max(id), 0) from edits`;

/** SQL condition: the operator dismissed or reopened the proposal after the import's decisions were last kept. */
const isDecision = sql`decided_at > coalesce(imports.proposals_kept_to, '-infinity')
  and (state = 'open' or state = 'dismissed' and passed_over_by is null)`;

/** SQL condition: the import is another list of the supplier that has edits up to `keepTo`, or decisions, to keep. */
export const hasEditsToKeep = (supplier: number | null, importId: string, keepTo: number) => sql<boolean>`(
  supplier = ${supplier} and id <> ${importId} and not test_mode and (
    exists (select 1 from edits where import_id = imports.id and ${isNewEdit(keepTo)})
    or exists (select 1 from proposals where import_id = imports.id and ${isDecision})))`;

/** Locks a supplier's other imports with edits or decisions to keep, in the order of ids. Returns the oldest one. */
export async function lockImportsToKeep(db: Db, supplier: number, importId: string, keepTo: number) {
  const next = await findRow<Pick<ImportRecord, 'id'>>(db)`
    with to_keep as materialized (
      select id, created_at from imports
      where ${hasEditsToKeep(supplier, importId, keepTo)} order by id for no key update of imports
    )
    select id from to_keep order by created_at, id limit 1`;
  return next && findImport(db, next.id);
}

/** An edit to keep, with its command. `last` is the id of the last edit of the part. */
export type EditToKeep = Omit<Selectable<EditsTable>, 'import_id' | 'before'> &
  Pick<EditCommandRecord, 'kind' | 'state' | 'undoes'> & { last: number };

/** Reads the next cells with unkept edits up to `keepTo`. Returns all edits of these cells, in order. */
export const readEditsToKeep = (db: Db, importId: string, keepTo: number) =>
  queryRows<EditToKeep>(db)`
    with next as materialized (
      select edits.id, byte_from, field from imports join edits on edits.import_id = imports.id
      where imports.id = ${importId} and ${isNewEdit(keepTo)}
      order by edits.id limit ${partMax}
    )
    select edited.*, kind, state, undoes, (select max(id) from next) as last
    from (select distinct byte_from, field from next) cell cross join lateral (
      select id, row, byte_from, field, after, source, edited_at, command, of_list, set_at
      from edits
      where import_id = ${importId} and byte_from = cell.byte_from and field = cell.field offset 0
    ) edited cross join lateral (
      select kind, state, undoes from edit_commands
      where import_id = ${importId} and id = edited.command offset 0
    ) of_command
    order by edited.id`;

export async function readBaseCommands(db: Db, importId: string, ids: readonly string[]) {
  return queryRows<BaseCommand & { id: string; carried: CarryOrigin | null }>(db)`
    select id, kind, operations, ${targetsColumn}, carried from edit_commands
    where import_id = ${importId} and id = any(${ids}::uuid[])`;
}

/** A decision to keep. `hash`: the MD5 of the proposed value. `last`: the time of the part's last decision, as text. */
export type DecisionToKeep = Pick<
  ProposalRecord,
  'row' | 'byte_from' | 'field' | 'value' | 'source' | 'state'
> & {
  hash: string;
  decided_at: Date;
  last: string;
};

/** Reads an import's next unkept decisions about proposals. */
export const readDecisionsToKeep = (db: Db, importId: string) =>
  queryRows<DecisionToKeep>(db)`
    select *, (max(decided_at) over ())::text as last from (
      select row, byte_from, field, value, proposals.source, proposals.state, md5(value) as hash, decided_at
      from imports join proposals on import_id = imports.id
      where imports.id = ${importId} and ${isDecision}
      order by decided_at fetch first ${sql.lit(partMax)} rows with ties
    ) decided order by decided_at`;

/** A row of the file. `item` is null if the row has no item; `key` is null if nothing identifies the row. */
export type ItemRow = {
  row: number;
  byte_from: number;
  item: number | null;
  key: string | null;
  /** The id under which the product was or will be published. Valid only for a product's first row. */
  ourId: string;
  /** True if other rows have the same key, or if the row's item is uncertain. */
  isUnsure: boolean;
};

/** Reads the current rows to which edits belong, except rows that are not in the file. */
export async function readItemRows(
  db: Db,
  record: Pick<ImportRecord, 'sha256' | 'supplier'>,
  of: RunOfRows,
  edits: readonly { row: number; byte_from: number }[],
): Promise<ItemRow[]> {
  const numbers = [...(await findRowsOfEdits(db, of, edits)).values()];
  const rows = await queryRows<Omit<ItemRow, 'ourId'> & { own_id: string | null }>(db)`
    select rows.row, byte_from, item_key as key, ${itemOfRow(sql`${record.supplier}::int`, sql`row_items.item`)} as item,
      coalesce(outcomes.our_id, own_id, row_items.our_id) as own_id, ${isUnsure} as "isUnsure"
    from rows ${joinFoundItems('rows')} left join lateral (
      select our_id from outcomes
      where import_id = ${of.import_id} and rows_run = ${of.run} and outcomes.product = rows.product offset 0
    ) outcomes on true
    where rows.import_id = ${of.import_id} and rows.run = ${of.run} and rows.row = any(${numbers}::int[])
      and line > 0`;
  const keys = rows.flatMap(({ key }) => key ?? []);
  const shared = await findSharedKeys(db, of, keys);
  return rows.map(({ own_id, isUnsure: isUnsureItem, ...row }) => ({
    ...row,
    ourId: deriveOurId(record, { ...row, own_id }),
    isUnsure: isUnsureItem || (row.key !== null && shared.has(row.key)),
  }));
}

/** Returns the keys that several rows share. Keys have no index, so this reads the run: 150 ms for 250,000 rows. */
async function findSharedKeys(db: Db, { import_id, run }: RunOfRows, keys: readonly string[]) {
  const shared = await queryValues<string>(db)`
    select item_key from rows
    where import_id = ${import_id} and run = ${run} and ${mayHaveItem}
      and item_key = any(${[...new Set(keys)]}::text[])
    group by item_key having count(*) > 1`;
  return new Set(shared);
}
