import { offeredRecipesMax, recipeModes } from '@draftshelf/domain/review/operations/recipe';
import { z } from 'zod';
import { route } from '../route.ts';
import { count, FieldName, SuccessReply } from '../values.ts';
import { EditTarget, previewEdits } from './commands.ts';

/** A command on a supplier's list that can be repeated on the supplier's next list. */
export const Recipe = z.object({
  id: z.uuid(),
  /** Description of the command, such as 'Price × 1.2, to .99'. */
  sentence: z.string(),
  /** The recipe's rows: a filter, or a number of chosen products. */
  target: z.union([EditTarget.options[1], z.strictObject({ products: count })]),
  /** Rows that the command changed last time, rows of the list at that time, and that list's filename. */
  rowsLast: count,
  rowsThen: count,
  doneIn: z.string(),
  asks: z.enum(recipeModes),
  /** Whether the recipe was applied to two lists, so that it may be applied without a question. */
  mayBeAlways: z.boolean(),
  version: count,
});
export type Recipe = z.infer<typeof Recipe>;

/** Lists the recipes that were applied to earlier lists but not to this one, in the order in which they apply. */
export const listRecipes = route('listRecipes', {
  reply: z.object({ supplier: count.nullable(), recipes: z.array(Recipe).max(offeredRecipesMax) }),
});

const Column = z.string().max(1_000);

/** Columns of this list to use in place of missing columns, and for fields without a column. */
const ColumnUses = z.strictObject({
  columns: z.record(Column, Column),
  fields: z.partialRecord(FieldName, Column),
});

/**
 * Previews a recipe on a list. Cells that the operator has edited in this list or an earlier one stay as they are. 400
 * if `uses` replaces a column or field that the list has, or names a column that the list lacks.
 */
export const previewRecipe = route('previewRecipe', {
  body: z.strictObject({ uses: ColumnUses.optional() }),
  reply: z.object({
    preview: previewEdits.reply,
    /** Number of rows that the recipe would change. An estimate unless `isExact` is true. */
    rows: count,
    isExact: z.boolean(),
    /** Columns and fields that earlier lists had and this one lacks, with this list's columns that may replace them. */
    missing: z.array(
      z.object({
        in: z.enum(['columns', 'fields']),
        name: z.string(),
        label: z.string(),
        columns: z.array(z.string()),
      }),
    ),
    /** Why the recipe is not selected by default, as a sentence. Null if it is selected. */
    reason: z.string().nullable(),
  }),
});
export type RecipePreview = z.infer<(typeof previewRecipe)['reply']>;

/**
 * Applies recipes in their order, as one command in the background. An empty `do` declines all recipes for this list.
 * Afterwards a push asks nothing about recipes. 400 as for the preview; 409 if a recipe is no longer offered.
 */
export const answerRecipes = route('answerRecipes', {
  body: z.strictObject({
    do: z.array(z.strictObject({ id: z.uuid(), uses: ColumnUses.optional() })).max(offeredRecipesMax),
  }),
  reply: SuccessReply.extend({ command: z.uuid().nullable() }),
});

const SupplierParams = z.object({ id: z.coerce.number().int().min(1).max(2_147_483_647) });

/** Lists all recipes of a supplier, in the order in which they apply. */
export const listSupplierRecipes = route('listSupplierRecipes', {
  params: SupplierParams,
  reply: z.object({ recipes: z.array(Recipe) }),
});

/**
 * Changes a recipe. `asks`: whether the recipe needs an answer, applies without a question (only after its second
 * list) or is off. `move` changes its position. 409 if somebody else has changed the recipe since `version`.
 */
export const changeRecipe = route('changeRecipe', {
  params: SupplierParams,
  body: z.strictObject({
    version: count,
    asks: z.enum(recipeModes).optional(),
    move: z.enum(['up', 'down']).optional(),
  }),
  reply: Recipe,
});

export const removeRecipe = route('removeRecipe', {
  params: SupplierParams,
  reply: z.object({ success: z.literal(true) }),
});
