import type { PushUndoRecord, UndoLineRecord } from '@draftshelf/core/connection/schema';
import type { ActionResult } from '@draftshelf/core/imports/action-result';
import { auditImport } from '@draftshelf/core/operate/audit/audit-import';
import { beginUndoPush, previewUndo } from '@draftshelf/core/push/changes/undo';
import { findPreview } from '@draftshelf/core/push/previews/previews';
import { expect } from 'vitest';
import { until } from './fixture.ts';
import { pushSteps } from './push-steps.ts';
import type { Stack } from './stack.ts';

/** Steps of tests of undos on the imports of a stack, which may be started after this call. */
export function undoSteps(stack: () => Stack) {
  const { read, reach } = pushSteps(stack);
  const act = (step: (trx: Stack['database']['db']) => Promise<ActionResult>) =>
    stack().database.db.transaction().execute(step);

  const readUndo = async (id: string): Promise<PushUndoRecord> => {
    const undo = await findPreview(stack().database.db, id, 'undo');
    if (!undo) throw new Error('The import has no undo');
    return undo;
  };
  const linesOf = ({ id }: PushUndoRecord) =>
    stack()
      .database.db.selectFrom('preview_lines')
      .selectAll()
      .where('preview', '=', id)
      .orderBy('line')
      .$castTo<UndoLineRecord>()
      .execute();
  /** Previews the undo of an import's last push and returns its lines. */
  const preview = async (id: string, options: { run?: number; whenUnsure?: 'keep' | 'archive' } = {}) => {
    expect(await act((trx) => previewUndo(trx, id, { whenUnsure: 'keep', ...options }))).toMatchObject({
      ok: true,
    });
    await until('the undo is previewed', async () => {
      const { problem, previewed_at } = await readUndo(id);
      if (problem !== null) throw new Error(problem);
      return previewed_at !== null;
    }).catch((error: Error) => {
      throw new Error(`${error.message}\n${stack().process('push-worker').output().slice(-1500)}`);
    });
    return linesOf(await readUndo(id));
  };
  const begin = async (id: string) => {
    const { undoes_run: run } = await readUndo(id);
    expect(await act((trx) => beginUndoPush(trx, id, { run }))).toMatchObject({ ok: true });
  };
  const ended = async (id: string) => {
    await until('the undo has ended', async () => {
      const { status, undoes_run, error_message } = await read(id);
      if (status === 'failed' && undoes_run !== null) throw new Error(error_message ?? 'failed');
      return undoes_run === null;
    }).catch((error: Error) => {
      throw new Error(`${error.message}\n${stack().process('push-worker').output().slice(-3000)}`);
    });
    return linesOf(await readUndo(id));
  };
  /** Previews and carries out the undo of an import's last push; its lines afterwards. */
  const undo = async (id: string, options: Parameters<typeof preview>[1] = {}) => {
    await preview(id, options);
    await begin(id);
    return ended(id);
  };
  /** The counters of an import agree with its outcomes and the ledger. */
  const expectAudited = async (id: string) =>
    expect(await auditImport(stack().database.db, id)).toMatchObject({ differences: [] });
  const effects = async (id: string) =>
    (
      await stack().database.pool.query<{ effect: string }>(
        `select effect from ledger where import_id = $1 and origin = 'undo' order by id`,
        [id],
      )
    ).rows.map(({ effect }) => effect);
  return { preview, begin, ended, undo, readUndo, linesOf, expectAudited, effects, reach };
}
