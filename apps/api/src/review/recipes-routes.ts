import * as contract from '@draftshelf/contract/review/recipes';
import type { Db } from '@draftshelf/core/connection/database';
import type { SupplierRecipe } from '@draftshelf/core/connection/schema';
import { bumpImportVersions } from '@draftshelf/core/suppliers/count-rows';
import * as recipes from '@draftshelf/core/suppliers/recipes';
import * as answers from '@draftshelf/core/suppliers/recipes/answer-recipes';
import * as previews from '@draftshelf/core/suppliers/recipes/preview-recipe';
import { lockSupplier } from '@draftshelf/core/suppliers/suppliers';
import { describeOperations } from '@draftshelf/domain/review/operations/operations-sentence';
import { authorOf } from '../http/edit-author.ts';
import { conflict, invalid, notFound } from '../http/refusal.ts';
import { type Api, serve } from '../http/serve.ts';
import type { LargeReads } from '../http/turns.ts';
import { createWireMapper } from '../http/wire-fields.ts';
import { findImportOr404 } from '../imports/read-jobs.ts';
import { serveImport } from '../imports/serve-import.ts';
import { toEditRefusal } from './rows-routes.ts';

export function serveRecipes(api: Api, { large }: { large: LargeReads }): void {
  const { db, changes } = api;
  serveImport(api, contract.listRecipes, async ({ record }) => {
    const offered = await recipes.listOfferedRecipes(db, record);
    return { supplier: record.supplier, recipes: offered.map(toRecipe) };
  });
  serve(api, contract.previewRecipe, ({ params, body, closed }) =>
    large(closed(), async (trx) => {
      const record = await findImportOr404(trx, params.id);
      const recipe = await findOr404(trx, record.supplier, params.recipe);
      const { uses = previews.noSubstitutes } = body;
      const problem = await previews.findSubstitutesRefusal(trx, record, recipe, uses);
      if (problem !== null) throw invalid(problem);
      return previews.previewRecipe(trx, record, recipe, uses);
    }),
  );
  serveImport(api, contract.answerRecipes, async ({ record: { id }, body, request, logSecurity }) => {
    const chosen = body.do.map((one) => ({ id: one.id, uses: one.uses ?? previews.noSubstitutes }));
    const command = await changes.db.transaction().execute(async (trx) => {
      const answered = await answers.answerRecipes(trx, id, chosen, authorOf(request));
      if (!answered.ok) throw toEditRefusal(answered);
      return answered.command;
    });
    if (command === null) return { success: true as const, message: 'Not this time.', command };
    logSecurity('rows-changed', { importId: id, detail: 'In the background' });
    return { success: true as const, message: 'The change is being applied.', command };
  });
  serve(api, contract.listSupplierRecipes, async ({ params }) => ({
    recipes: (await recipes.listRecipes(db, params.id)).map(toRecipe),
  }));
  serve(api, contract.changeRecipe, async ({ params, body: { version, asks, move } }) => {
    const changed = await changes.db.transaction().execute(async (trx) => {
      await lockSupplier(trx, params.id);
      const recipe = await findOr404(trx, params.id, params.recipe);
      if (recipe.version !== version)
        throw conflict('Somebody else has edited this change. Reload the page.');
      if (asks === 'always' && recipe.used_at === null) {
        throw conflict(
          'So far, this change was applied to only one list. To let it run without a question, first apply it to another list.',
        );
      }
      if (asks !== undefined) await recipes.changeRecipe(trx, recipe, { asks });
      if (move !== undefined) await recipes.moveRecipe(trx, recipe, move);
      return toRecipe(await findOr404(trx, params.id, params.recipe));
    });
    if (asks !== undefined) await bumpImportVersions(changes.db, params.id);
    return changed;
  });
  serve(api, contract.removeRecipe, async ({ params }) => {
    const { id } = await findOr404(db, params.id, params.recipe);
    await recipes.removeRecipe(changes.db, id);
    await bumpImportVersions(changes.db, params.id);
    return { success: true as const };
  });
}

async function findOr404(db: Db, supplier: number | null, id: string): Promise<SupplierRecipe> {
  const recipe = await recipes.findRecipe(db, id);
  if (!recipe || recipe.supplier !== supplier) throw notFound('Change not found.');
  return recipe;
}

const recipeFields = createWireMapper(contract.Recipe);

function toRecipe(recipe: SupplierRecipe): contract.Recipe {
  const { operations, target, used_at } = recipe;
  return {
    ...recipeFields(recipe),
    sentence: describeOperations(operations),
    target: 'items' in target ? { products: target.items.length } : target,
    mayBeAlways: used_at !== null,
  };
}
