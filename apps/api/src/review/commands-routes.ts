import { applyEdits, type EditTarget, previewEdits, resumeEdits } from '@draftshelf/contract/review/commands';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { type BulkEdit, beginCommand, isOtherRun } from '@draftshelf/core/review/commands/begin-command';
import { resumeCommand } from '@draftshelf/core/review/commands/begin-undo';
import { previewCommand } from '@draftshelf/core/review/commands/preview-command';
import { formatCount } from '@draftshelf/domain/base/format';
import type { CommandTarget } from '@draftshelf/domain/review/operations/command-target';
import { authorOf } from '../http/edit-author.ts';
import { type Api, serve } from '../http/serve.ts';
import type { LargeReads } from '../http/turns.ts';
import { findImportOr404 } from '../imports/read-jobs.ts';
import { serveImport } from '../imports/serve-import.ts';
import { rowsRereadRefusal, toEditRefusal } from './rows-routes.ts';

export function serveCommands(api: Api, { large }: { large: LargeReads }): void {
  const { changes } = api;
  serveImport(api, applyEdits, async ({ record, body, request, logSecurity }) => {
    const { id } = record;
    const { operations, sinceEdit = null } = body;
    const target = targetOfRun(record, body.target);
    const edit: BulkEdit = { target, operations, sinceEdit, author: authorOf(request) };
    const applied = await changes.db.transaction().execute(async (trx) => {
      const begun = await beginCommand(trx, id, edit);
      if (!begun.ok) throw toEditRefusal(begun);
      const { inBackground, command } = begun;
      const { rows, edits, left_cells, left_rows } = command;
      const changed = `${rowsWords(rows, formatCount(rows))} changed.`;
      const message = inBackground ? 'The change is being applied.' : changed;
      const counts = { rows, cells: edits ?? 0, left: left_cells ?? {}, leftRows: left_rows?.rows ?? {} };
      return { success: true as const, message, command: command.id, inBackground, ...counts };
    });
    const detail = applied.inBackground ? 'In the background' : rowsWords(applied.rows, String(applied.rows));
    logSecurity('rows-changed', { importId: id, detail });
    return applied;
  });
  serve(api, previewEdits, ({ params, body, closed }) =>
    large(closed(), async (trx) => {
      const record = await findImportOr404(trx, params.id);
      const target = targetOfRun(record, body.target);
      if (isOtherRun(record, target)) throw rowsRereadRefusal();
      return previewCommand(trx, record, { ...body, target });
    }),
  );
  serveImport(api, resumeEdits, async ({ record: { id }, params: { command } }) => {
    return changes.db.transaction().execute(async (trx) => {
      const resumed = await resumeCommand(trx, id, command);
      if (!resumed.ok) throw toEditRefusal(resumed);
      return { success: true as const, message: 'The change continues.', command };
    });
  });
}

const targetOfRun = ({ rows_run }: ImportRecord, target: EditTarget): CommandTarget =>
  'rows' in target ? { ...target, run: target.run ?? rows_run } : target;

const rowsWords = (rows: number, shown: string) => `${shown} ${rows === 1 ? 'row' : 'rows'}`;
