import {
  type ColumnSubstitutes,
  type CommandStep,
  withSubstitutes,
} from '@draftshelf/domain/review/operations/recipe';
import type { Db } from '../../connection/database.ts';
import type { ImportRecord, SupplierRecipe } from '../../connection/schema.ts';
import { storableJson } from '../../connection/storable-json.ts';
import { changeImport, findImport, lockImport } from '../../imports/imports.ts';
import { type ChangeRefusal, findRefusal, notEditableRefusal } from '../../review/change-refused.ts';
import { beginStepsCommand, lockImportLast } from '../../review/commands/begin-command.ts';
import { lockRows } from '../../review/rows-lock.ts';
import { changeList, findListOfImport } from '../lists.ts';
import { hasRecipeCommand, listOfferedRecipes } from '../recipes.ts';
import { findSubstitutesRefusal, noSubstitutes } from './preview-recipe.ts';

/** A recipe to apply. `uses`: columns to use in place of missing columns. */
export type ChosenRecipe = { id: string; uses: ColumnSubstitutes };

/** Applies chosen recipes as one command; without any, records a skip. The caller must roll back on a refusal. */
export async function answerRecipes(
  db: Db,
  importId: string,
  chosen: readonly ChosenRecipe[],
  author: string,
): Promise<{ ok: true; command: string | null } | ChangeRefusal> {
  if (chosen.length === 0) {
    await lockImport(db, importId);
    await storeRecipesAnswer(db, importId, 'skip');
    return { ok: true, command: null };
  }
  await lockRows(db, importId);
  const record = await findImport(db, importId);
  const refused = record && (await findRefusal(db, record, 'bulkEdit'));
  if (!record || refused) return refused ?? notEditableRefusal;
  const byId = new Map(chosen.map(({ id, uses }) => [id, uses]));
  const offered = (await listOfferedRecipes(db, record)).filter(({ id }) => byId.has(id));
  if (offered.length < byId.size) return { ok: false, reason: 'not offered' };
  for (const recipe of offered) {
    const sentence = await findSubstitutesRefusal(db, record, recipe, byId.get(recipe.id) ?? noSubstitutes);
    if (sentence !== null) return { ok: false, reason: 'invalid', sentence };
  }
  const steps = offered.map((recipe) => stepOf(recipe, byId.get(recipe.id)));
  const command = await beginStepsCommand(db, record, steps, author);
  const refusedAfter = await lockImportLast(db, importId, 'bulkEdit');
  if (refusedAfter) return refusedAfter;
  await storeRecipesAnswer(db, importId, 'do');
  return { ok: true, command };
}

/** Stores the answer about recipes in an import's list. The caller has locked the import. */
export async function storeRecipesAnswer(db: Db, importId: string, recipes: 'do' | 'skip'): Promise<void> {
  const list = await findListOfImport(db, importId);
  if (!list) return;
  await changeList(db, list, { answers: storableJson({ ...list.answers, recipes }) });
  await changeImport(db, importId, {});
}

/** Applies recipes that need no question to a locked, unpushed list, unless recipes were answered or applied before. */
export async function applyUnaskedRecipes(db: Db, record: ImportRecord): Promise<void> {
  const list = await findListOfImport(db, record.id);
  const isAnswered = list?.answers.recipes !== undefined || (await hasRecipeCommand(db, record.id));
  if (isAnswered || record.push_run > 0) return;
  const always = (await listOfferedRecipes(db, record)).filter(({ asks }) => asks === 'always');
  if (always.length === 0) return;
  const steps = always.map((recipe) => stepOf(recipe));
  await beginStepsCommand(db, record, steps, undefined);
}

const stepOf = (
  { id, ordered_at, operations, target }: SupplierRecipe,
  uses = noSubstitutes,
): CommandStep => ({
  ...{ recipe: id, orderedAt: ordered_at.toISOString(), target, rows: 0 },
  operations: withSubstitutes(operations, uses),
});
