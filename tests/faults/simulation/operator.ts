import { findImport } from '@draftshelf/core/imports/imports';
import { planGone, pushGone } from '@draftshelf/core/push/changes/gone';
import { beginUndoPush, previewUndo } from '@draftshelf/core/push/changes/undo';
import { findPreview } from '@draftshelf/core/push/previews/previews';
import type { GoneAction } from '@draftshelf/domain/suppliers/gone';
import type { Run } from './run-in-simulation.ts';

/** Previews the undo of the last push and carries it out, as an operator who tries again when it is refused. */
export async function undo({ database: { db }, settle }: Run, id: string): Promise<void> {
  const act = (step: typeof beginUndoPush | typeof previewUndo, options: object) =>
    db.transaction().execute((trx) => step(trx, id, options as never));
  const preview = () => act(previewUndo, { whenUnsure: 'keep' });
  await preview();
  let hasBegun = false;
  await settle(async () => {
    const record = await findImport(db, id);
    if (record?.status === 'failed') throw new Error(`The undo has failed: ${record.error_message}`);
    if (hasBegun) return record?.undoes_run === null;
    const found = await findPreview(db, id, 'undo');
    if (!found || found.problem !== null) await preview();
    else if (found.previewed_at !== null) hasBegun = (await act(beginUndoPush, { run: found.undoes_run })).ok;
    return false;
  });
}

/** Plans a change of the products that are gone by a list, and carries it out, as undo does. */
export async function changeGone(
  { database: { db }, settle }: Pick<Run, 'database' | 'settle'>,
  id: string,
  action: GoneAction,
): Promise<void> {
  const plan = async () => {
    const planned = await db
      .transaction()
      .execute((trx) => planGone(trx, id, { action, keys: null, automatic: false }));
    if (!planned.ok) throw new Error(planned.reason);
  };
  await plan();
  let hasBegun = false;
  await settle(async () => {
    const record = await findImport(db, id);
    if (record?.status === 'failed') throw new Error(`The change has failed: ${record.error_message}`);
    if (hasBegun) return record?.undoes_run === null;
    const found = await findPreview(db, id, 'gone');
    if (!found || found.problem !== null) await plan();
    else if (found.previewed_at !== null)
      hasBegun = (await db.transaction().execute((trx) => pushGone(trx, id, found.id))).ok;
    return false;
  });
}
