import { isCarriedCommand } from '@draftshelf/domain/review/operations/carried-command';
import type { Db } from '../../connection/database.ts';
import type { ImportRecord } from '../../connection/schema.ts';
import { currentRows } from '../../work/runs.ts';
import { readItemRows } from '../edits-to-keep.ts';
import {
  type DoneStep,
  type RecipeCommand,
  readRecipeCommands,
  readRowsOfCommand,
  removeUndone,
  storeRecipe,
} from '../recipes.ts';

/** Keeps the effects of commands on a list as recipes; removes those of undone commands. Values are locked. */
export async function keepRecipes(db: Db, record: ImportRecord, commands: readonly string[]): Promise<void> {
  for (const command of await readRecipeCommands(db, record.id, commands)) {
    const steps = await stepsOf(db, record, command);
    for (const step of steps) {
      if (command.state === 'applied') await storeRecipe(db, record, step, command.created_at);
      else if (command.state === 'undone') await removeUndone(db, record, step);
    }
  }
}

async function stepsOf(db: Db, record: ImportRecord, command: RecipeCommand): Promise<DoneStep[]> {
  const { operations, target, steps, rows, kind } = command;
  if (steps !== null) return steps.filter((step) => step.rows > 0);
  if (operations === null || target === null) return [];
  if (!('rows' in target)) return [{ recipe: null, operations, target, rows }];
  if (isCarriedCommand({ kind, operations, targets: 'rows' })) return [];
  const items = await readItems(db, record, command);
  return items.length === 0 ? [] : [{ recipe: null, operations, target: { items }, rows }];
}

async function readItems(db: Db, record: ImportRecord, { id }: RecipeCommand): Promise<number[]> {
  const of = currentRows(record);
  const rows = await readItemRows(db, record, of, await readRowsOfCommand(db, record.id, id));
  const items = rows.flatMap(({ item, isUnsure }) => (item === null || isUnsure ? [] : item));
  return items.sort((a, b) => a - b);
}
