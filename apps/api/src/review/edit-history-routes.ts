import * as contract from '@draftshelf/contract/review/edit-history';
import * as history from '@draftshelf/core/review/commands/edit-history';
import { readFirstRows, readRowsByNumber } from '@draftshelf/core/review/effective-rows';
import { currentRows } from '@draftshelf/core/work/runs';
import { sourceLabel } from '@draftshelf/domain/enrich/sources';
import { browserOf, toAuthor } from '../http/edit-author.ts';
import { notFound } from '../http/refusal.ts';
import type { Api } from '../http/serve.ts';
import { createWireMapper } from '../http/wire-fields.ts';
import { serveSnapshot } from '../imports/serve-import.ts';
import { countCarriedProposals } from '../suppliers/read-carried.ts';
import { commandSentence, editsReadForSentence } from './edit-sentence.ts';

export function serveEditHistory(api: Api): void {
  serveSnapshot(api, contract.listCommands, async (trx, record, { query: { author, ...page }, request }) => {
    const browser = browserOf(request);
    if (author !== undefined && browser === undefined) return { commands: [], later: false };
    const filter = { ...page, author: author && browser, limit: contract.commandsListedMax + 1 };
    const found = await history.listCommands(trx, record.id, filter);
    const listed = found.slice(0, contract.commandsListedMax);
    const ofOneRow = listed.filter(({ kind, rows }) => kind === 'single' || rows === 1).map(({ id }) => id);
    const edits = await history.readFirstEdits(trx, currentRows(record), ofOneRow, editsReadForSentence);
    const editsOf = Map.groupBy(edits, ({ command }) => command);
    const toDecide = listed.some(({ kind }) => kind === 'carried')
      ? await countCarriedProposals(trx, record)
      : 0;
    const commands = listed.map((one) =>
      toCommand(one, { edits: editsOf.get(one.id) ?? [], toDecide, run: currentRows(record).run }, browser),
    );
    return { commands, later: found.length > listed.length };
  });
  serveSnapshot(api, contract.listRowEdits, async (trx, record, { params, request }) => {
    const of = currentRows(record);
    const [row] = await readRowsByNumber(trx, of, [params.row]);
    if (row === undefined) throw notFound('Row not found.');
    const first = (await readFirstRows(trx, of, [row.product])).get(row.product) ?? row;
    const records = { byteFrom: row.byte_from, first: first.byte_from };
    const { edits, earlier } = await history.listEditsOfRow(
      trx,
      record.id,
      records,
      contract.rowEditsListedMax,
    );
    const browser = browserOf(request);
    return { edits: edits.map((edit) => toRowEdit(edit, browser)), earlier };
  });
}

function toCommand(
  { id, kind, state, created_at, rows, ...command }: history.ListedCommand,
  { edits, toDecide, run }: { edits: readonly history.ListedEdit[]; toDecide: number; run: number },
  browser: string | undefined,
): contract.Command {
  const { undo_id, left_rows } = command;
  return {
    id,
    kind: kind as contract.Command['kind'],
    state,
    author: toAuthor({ author: command.author, kind }, browser),
    at: created_at.toISOString(),
    sentence: commandSentence({ kind, state, rows, ...command }, edits, toDecide),
    rows,
    left: Object.values(command.left_cells ?? {}).reduce((sum, cells) => sum + cells, 0),
    leftCells: command.left_cells ?? {},
    leftRows: left_rows?.run === run ? left_rows.rows : {},
    undo:
      undo_id === null
        ? null
        : {
            ...{ id: undo_id, at: command.undone_at.toISOString(), left: command.undo_left },
            author: toAuthor({ author: command.undo_author, kind: 'undo' }, browser),
          },
  };
}

const editFields = createWireMapper(contract.RowEdit);

const toRowEdit = (edit: history.RowEditRecord, browser: string | undefined): contract.RowEdit => ({
  ...editFields(edit),
  at: edit.edited_at.toISOString(),
  author: toAuthor(edit, browser),
  source: edit.source === null ? null : sourceLabel(edit.source),
});
