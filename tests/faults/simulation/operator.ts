import { findImport } from '@draftshelf/core/imports/imports';
import { planGone, pushGone } from '@draftshelf/core/push/changes/gone';
import { beginUndoPush, previewUndo } from '@draftshelf/core/push/changes/undo';
import { findPreview } from '@draftshelf/core/push/previews/previews';
import { pauseImport, resumeImport } from '@draftshelf/core/work/import-actions';
import type { GoneAction } from '@draftshelf/domain/suppliers/gone';
import { editRow } from '../../support/edit-row.ts';
import { createActor } from './actor.ts';
import { beginPush, listed } from './model.ts';
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

/** In one of so many steps. */
const editEvery = 100;

/**
 * Pushes an import, and changes titles and pauses it between any two steps meanwhile; then pushes it again until no
 * change is left. Returns the titles by SKU. An operator whose change waits for a lock gives up, and tries another.
 */
export async function pushAndEdit(
  { database, scheduler, settle }: Run,
  id: string,
): Promise<ReadonlyMap<string, string>> {
  const { db } = database;
  const { random } = scheduler;
  const titles = new Map<string, string>();
  let changes = random.pick([2, 4, 8]);
  let isPaused = false;
  const act = (change: (trx: typeof db) => Promise<{ ok: boolean }>): Promise<boolean> =>
    database.pool
      .query(`select setval('sim.clock', ${scheduler.now()})`)
      .then(() => db.transaction().execute(change))
      .then(({ ok }) => ok)
      .catch((error: { code?: string }) => {
        if (error.code !== lockNotAvailable) throw error;
        return false;
      });
  const change = async (): Promise<string> => {
    if (isPaused || random.between(0, 4) < 1) {
      const set = isPaused ? resumeImport : pauseImport;
      if (!(await act((trx) => set(trx, id)))) return 'is refused';
      isPaused = !isPaused;
      return isPaused ? 'pauses' : 'resumes';
    }
    const { sku, row, title } = random.pick(firstRows);
    const next = `${title} again ${changes}`;
    if (!(await act((trx) => editRow(trx, id, row, { title: next })))) return 'is refused';
    changes -= 1;
    titles.set(sku, next);
    return `edits ${sku}`;
  };
  const actor = createActor('operator');
  scheduler.provide(() =>
    (changes === 0 && !isPaused) || random.between(0, editEvery) >= 1
      ? []
      : [{ actor, kind: 'operator', name: '', perform: change }],
  );
  await beginPush(database, id);
  await settle(async () => {
    const record = await findImport(db, id);
    if (record?.status === 'processed') await beginPush(database, id);
    return record?.status === 'completed';
  });
  return titles;
}

const lockNotAvailable = '55P03';

/** The first rows of the list's products. */
const firstRows = listed.list.map(({ sku, title }, at) => ({
  ...{ sku, title },
  row: at + 1 + listed.list.slice(0, at).filter(({ large }) => large).length,
}));
