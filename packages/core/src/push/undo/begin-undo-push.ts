import { deletedAnywayUnasked, deletionsUnasked } from '@draftshelf/domain/push/push-undo';
import { undoSumsOf, withChoices } from '@draftshelf/domain/push/undo-actions';
import { sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import {
  type GoneRecord,
  type ImportRecord,
  type PushUndoRecord,
  undoneColumns,
} from '../../connection/schema.ts';
import { storableJson } from '../../connection/storable-json.ts';
import { endAsking } from '../../enrich/ai/ai-imports.ts';
import type { ActionRefused, ActionResult } from '../../imports/action-result.ts';
import { moveStatus } from '../../imports/imports.ts';
import { enqueueFinalize } from '../../work/chunks.ts';
import { stopPlan } from '../plan/plan.ts';
import { changePreview, findPreview } from '../previews/previews.ts';
import { countChosen } from '../previews/undo-lines.ts';
import { insertPushChunks } from '../push-chunks.ts';
import { insertPreviewRun } from '../push-run.ts';
import { eventOfUndo } from './end-undo.ts';
import { lockUndoable } from './preview-undo.ts';

/** Counts a preview's deletions with the choices made so far. */
export async function countDeletions(
  db: Db,
  undo: Pick<PushUndoRecord, 'id' | 'sums' | 'choices'>,
): Promise<ReturnType<typeof withChoices>> {
  return withChoices(undoSumsOf(undo.sums), undo.choices, await countChosen(db, undo.id));
}

/** Whether the operator has to type the number of deletions. */
export const asksForDeletions = ({ deletions, deletedAnyway }: ReturnType<typeof withChoices>): boolean =>
  deletions > deletionsUnasked || deletedAnyway > deletedAnywayUnasked;

/** Like a push's chunks: reads of several chunks share a request. */
const linesPerChunk = 25;

/** Carries an undo out, as the next push run in chunks of lines. `deletions`: as typed. In its own transaction. */
export async function beginUndoPush(
  db: Db,
  id: string,
  { run, deletions }: { run: number; deletions?: number | undefined },
): Promise<ActionResult> {
  const locked = await lockUndoable(db, id);
  if (!locked.ok) return locked;
  const undo = await findPreview(db, id, 'undo');
  const refused = await refusalOf(db, locked.import, undo, { run, deletions });
  if (refused || !undo) return refused ?? notPreviewed;
  const moved = await beginCarryingOut(db, locked.import, undo);
  await endAsking(db, id, 'A push is being undone, so nothing more was asked.');
  return { ok: true, import: moved };
}

/** Moves a locked import to the run that carries a preview out, in chunks of lines. */
export async function beginCarryingOut(
  db: Db,
  record: ImportRecord,
  preview: PushUndoRecord | GoneRecord,
): Promise<ImportRecord> {
  const { id } = record;
  const next = { import_id: id, run: record.push_run + 1 };
  const undoes_run = preview.kind === 'undo' ? preview.undoes_run : next.run;
  const total = preview.total ?? 0;
  const chunks = await insertPushChunks(db, next, { productNumbers: total, batchSize: linesPerChunk });
  await changePreview(db, preview.id, { run: next.run, status_before: storableJson(stateOf(record)) });
  const moved = await moveStatus(db, id, {
    from: [record.status],
    to: 'uploading',
    event: preview.kind === 'undo' ? await eventOfUndo(db, { id, undoes_run }, 'undo begun') : 'gone begun',
    set: {
      ...{ stage: 'push', push_run: next.run, open_chunks: chunks },
      undoes_run,
      ...{ push_total: total, push_done: 0, auto_push_at: null, auto_held: null },
      ...{ failed_in: null, error_message: null, error_log: sql`'{}'`, error_count: 0 },
      ...{ started_at: sql`now()`, completed_at: null, waiting_for: null, waiting_until: null },
    },
  });
  if (!moved) throw new Error(`Import ${id} changed its status while it was locked`);
  await stopPlan(db, id);
  const automatic = preview.kind === 'gone' && preview.gone.automatic;
  await insertPreviewRun(db, next, { kind: preview.kind, shop: preview.shop ?? '', automatic });
  if (chunks === 0) await enqueueFinalize(db, { ...next, stage: 'push' });
  return moved;
}

const notPreviewed: ActionRefused = {
  ok: false,
  reason: 'The undo of this push has not been previewed. Preview it first.',
};

async function refusalOf(
  db: Db,
  record: ImportRecord,
  undo: PushUndoRecord | undefined,
  { run, deletions }: { run: number; deletions?: number | undefined },
): Promise<ActionRefused | undefined> {
  if (!undo || undo.undoes_run !== run || undo.run !== null || undo.problem !== null) return notPreviewed;
  if (undo.previewed_at === null) {
    return { ok: false, reason: 'The undo is still being previewed. Wait until that has ended.' };
  }
  if (undo.made_at_run !== record.push_run) {
    return { ok: false, reason: 'The import was pushed after the preview. Preview the undo again.' };
  }
  const planned = await countDeletions(db, undo);
  if (!asksForDeletions(planned) || deletions === planned.deletions) return undefined;
  const products = planned.deletions.toLocaleString('en-US');
  return {
    ok: false,
    reason: `${products} products would be deleted. Type this number to confirm it.`,
  };
}

const stateOf = (record: ImportRecord) => ({
  status: record.status,
  columns: Object.fromEntries(undoneColumns.map((column) => [column, record[column]])) as Pick<
    ImportRecord,
    (typeof undoneColumns)[number]
  >,
});
