import type { CommandStep } from '@draftshelf/domain/review/operations/recipe';
import type { Kysely } from 'kysely';
import type { Db } from '../../connection/database.ts';
import type { ChunkRecord, EditCommandRecord, ImportRecord, Schema } from '../../connection/schema.ts';
import { changeImport, findImport } from '../../imports/imports.ts';
import { insertTarget, insertTargetOfSteps } from '../../review/commands/command-targets.ts';
import { runCommandPart } from '../../review/commands/command-task.ts';
import {
  findCommand,
  removeCommand,
  requireProgress,
  storeCommandProgress,
  storeSteps,
} from '../../review/commands/edit-commands.ts';
import { toShownRun } from '../../review/search/row-sql.ts';
import { lockHeldChunk, markDone } from '../../work/claim-chunk.ts';
import { currentRows } from '../../work/runs.ts';
import { setTaskTotal, storeTaskProgress, type TaskProgress } from '../../work/tasks.ts';
import { findRecipe, findRowsOfItems } from '../recipes.ts';
import { previewRecipe } from './preview-recipe.ts';

/** The task 'apply-recipes': finds all steps' rows, then changes the rows. Without an author, skips doubtful steps. */
export async function applyRecipes(db: Kysely<Schema>, chunk: ChunkRecord): Promise<TaskProgress> {
  const command = await findCommand(db, chunk.import_id, chunk.command ?? '');
  const record = await findImport(db, chunk.import_id);
  if (!command?.steps || !record) throw new Error(`Task ${chunk.id} has no steps`);
  if (requireProgress(command).step !== 'search') return runCommandPart(db, chunk);
  return db
    .transaction()
    .execute((trx) => searchPart(trx, { chunk, record, command, steps: command.steps ?? [] }));
}

type Work = { chunk: ChunkRecord; record: ImportRecord; command: EditCommandRecord; steps: CommandStep[] };

async function searchPart(db: Db, work: Work): Promise<TaskProgress> {
  const { chunk, record, command, steps } = work;
  const progress = requireProgress(command);
  const { searched = 0 } = progress;
  const step = steps[searched];
  const isLeft = step && command.author === null && (await isToBeAsked(db, record, step));
  const found = step && !isLeft ? await findRows(db, record, step) : null;
  await lockHeldChunk(db, chunk);
  const target = { ...toShownRun(record), command: command.id };
  if (steps.length === 0) {
    await removeCommand(db, record.id, command.id);
    await markDone(db, chunk);
    await changeImport(db, record.id, {});
    return 'done';
  }
  await storeTaskProgress(db, chunk, 0);
  if (!step) {
    await setTaskTotal(db, chunk, await insertTargetOfSteps(db, target));
    await storeCommandProgress(db, command, { ...progress, step: 'rows', at: 0 });
    return 'more';
  }
  if (found === null) {
    await storeSteps(db, command, steps.toSpliced(searched, 1));
    return 'more';
  }
  await insertTarget(db, target, found, searched + 1);
  await storeCommandProgress(db, command, { ...progress, searched: searched + 1 });
  return 'more';
}

async function isToBeAsked(db: Db, record: ImportRecord, { recipe: id }: CommandStep): Promise<boolean> {
  const recipe = await findRecipe(db, id);
  return recipe?.asks !== 'always' || (await previewRecipe(db, record, recipe)).reason !== null;
}

async function findRows(db: Db, record: ImportRecord, { target }: CommandStep) {
  return 'items' in target ? findRowsOfItems(db, currentRows(record), target.items) : target;
}
