import { type Selectable, sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import { queryRows } from '../../connection/query-rows.ts';
import type { EditCommandKind, EditCommandRecord, EditsTable } from '../../connection/schema.ts';
import type { RunOfRows } from '../../work/runs.ts';
import { namesProductField } from '../product-field-sql.ts';

/** `corrected_by`: the name of the corrections file that was applied. `undo_id`: the undo in effect, or null. */
export type ListedCommand = EditCommandRecord & {
  corrected_by: string | null;
  undo_id: string | null;
  undo_author: string | null;
  undone_at: Date;
  undo_left: number;
};

/** `before`: lists only commands older than the command with this id. An unknown id matches no commands. */
type CommandPage = {
  before?: string | undefined;
  kind?: EditCommandKind | undefined;
  author?: string | undefined;
  limit: number;
};

/** Returns an import's commands, newest first, without undos and redos. */
export async function listCommands(db: Db, importId: string, { before, kind, author, limit }: CommandPage) {
  const isBefore =
    before === undefined
      ? sql``
      : sql`and (created_at, id) < (
          select created_at, id from edit_commands where import_id = ${importId} and id = ${before})`;
  return queryRows<ListedCommand>(db)`
    select listed.*, undo.id as undo_id, undo.author as undo_author, undo.created_at as undone_at,
      (select filename from corrections where corrections.command = listed.id) as corrected_by,
      (select coalesce(sum(value::int), 0)::int from json_each_text(undo.left_cells)) as undo_left
    from (
      select * from edit_commands
      where import_id = ${importId} and kind not in ('undo', 'redo') ${isBefore}
        ${kind === undefined ? sql`` : sql`and kind = ${kind}`}
        ${author === undefined ? sql`` : sql`and author = ${author}`}
      order by created_at desc, id desc limit ${limit}
    ) listed
    left join lateral (
      select * from edit_commands undo
      where undo.import_id = ${importId} and undo.undoes = listed.id and undo.kind = 'undo' and undo.state = 'applied'
        and listed.state = 'undone'
      order by undo.created_at desc limit 1
    ) undo on true
    order by listed.created_at desc, listed.id desc`;
}

/** `is_here`: true if the record that was edited still has the same row number. */
export type ListedEdit = Pick<EditsTable, 'command' | 'row' | 'field' | 'after' | 'source'> & {
  is_here: boolean;
};

/** Returns the first `limit` edits of each command, with `after` cut to `chars` characters. */
export const readFirstEdits = (
  db: Db,
  of: RunOfRows,
  commands: readonly string[],
  { limit, chars }: { limit: number; chars: number },
) =>
  queryRows<ListedEdit>(db)`
    select edited.*, exists (
      select 1 from rows
      where rows.import_id = ${of.import_id} and rows.run = ${of.run} and rows.row = edited.row
        and rows.byte_from = edited.byte_from
    ) as is_here
    from unnest(${commands}::uuid[]) as command (id) cross join lateral (
      select command, row, byte_from, field, left(after, ${chars}) as after, source from edits
      where import_id = ${of.import_id} and edits.command = command.id order by edits.id limit ${limit}
    ) edited`;

export type RowEditRecord = Pick<
  Selectable<EditsTable>,
  'id' | 'command' | 'field' | 'before' | 'after' | 'source' | 'edited_at'
> &
  Pick<EditCommandRecord, 'kind' | 'author'>;

const valueBytesMax = 2_000_000;

/**
 * Returns the edits of a record, newest first. Includes edits of product fields, which are stored with the product's
 * first record, at `first`. Searches by record, because without statistics the planner would read all edits of the
 * import.
 */
export async function listEditsOfRow(
  db: Db,
  importId: string,
  { byteFrom, first }: { byteFrom: number; first: number },
  limit: number,
): Promise<{ edits: RowEditRecord[]; earlier: boolean }> {
  const ofProduct = namesProductField('field');
  const rows = await queryRows<RowEditRecord & { found: number }>(db)`
    select id, command, field, before, after, source, edited_at, kind, author, found from (
      select edited.*, (count(*) over ())::int as found, sum(coalesce(octet_length(before), 0) + coalesce(octet_length(after), 0))
        over (order by id desc) as bytes
      from (
        select edited.* from unnest(${[...new Set([byteFrom, first])]}::bigint[]) as record (byte_from)
        cross join lateral (
          select * from edits where import_id = ${importId} and byte_from = record.byte_from
            and (byte_from = ${byteFrom} or ${ofProduct}) offset 0
        ) edited
        order by id desc limit ${limit + 1}
      ) edited
    ) sized
    join lateral (
      select kind, author from edit_commands where import_id = ${importId} and edit_commands.id = sized.command
    ) of_command on true
    where bytes <= ${valueBytesMax}
    order by id desc limit ${limit}`;
  return { edits: rows, earlier: (rows[0]?.found ?? 0) > rows.length };
}
