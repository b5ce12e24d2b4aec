import { recipeAsks, recipesOfferedMax } from '@draftshelf/domain/review/operations/recipe';
import { z } from 'zod';
import { route } from '../route.ts';
import { count, Done, FieldName } from '../values.ts';
import { EditTarget, previewEdits } from './commands.ts';

/** A command on a list of a supplier that can be repeated on the next one. */
export const Recipe = z.object({
  id: z.uuid(),
  /** 'Price × 1.2, to .99'. */
  sentence: z.string(),
  /** Its rows: by a filter, or a number of chosen products. */
  target: z.union([EditTarget.options[1], z.strictObject({ products: count })]),
  /** Rows that it changed last, of how many, and the file of that list. */
  rowsLast: count,
  rowsThen: count,
  doneIn: z.string(),
  asks: z.enum(recipeAsks),
  /** Whether it was done twice, so that it may be done without asking. */
  mayBeAlways: z.boolean(),
  version: count,
});
export type Recipe = z.infer<typeof Recipe>;

/** Recipes of earlier lists that were not applied to this one, in their order. */
export const listRecipes = route('listRecipes', {
  reply: z.object({ supplier: count.nullable(), recipes: z.array(Recipe).max(recipesOfferedMax) }),
});

const Column = z.string().max(1_000);

/** Columns of the list that replace missing columns, and fields without a column. */
const ColumnUses = z.strictObject({
  columns: z.record(Column, Column),
  fields: z.partialRecord(FieldName, Column),
});

/**
 * Previews a recipe on a list. Cells that the operator has changed in it, or before, are left. 400 if `uses` replaces a
 * column or field that the list has, or names a column that it lacks.
 */
export const previewRecipe = route('previewRecipe', {
  body: z.strictObject({ uses: ColumnUses.optional() }),
  reply: z.object({
    preview: previewEdits.reply,
    /** Rows that it would change; about, unless it is exact. */
    rows: count,
    isExact: z.boolean(),
    /** Columns and fields of earlier lists that this one lacks, with its columns that may hold the same. */
    missing: z.array(
      z.object({
        in: z.enum(['columns', 'fields']),
        name: z.string(),
        label: z.string(),
        columns: z.array(z.string()),
      }),
    ),
    /** A sentence if it is not ticked by default, else null. */
    reason: z.string().nullable(),
  }),
});
export type RecipePreview = z.infer<(typeof previewRecipe)['reply']>;

/**
 * Applies recipes again, in their order, as one command with one undo, in the background. None: declined for this list.
 * A push asks nothing after either. 400 as for the preview; 409 if one of them is not offered any more.
 */
export const answerRecipes = route('answerRecipes', {
  body: z.strictObject({
    do: z.array(z.strictObject({ id: z.uuid(), uses: ColumnUses.optional() })).max(recipesOfferedMax),
  }),
  reply: Done.extend({ command: z.uuid().nullable() }),
});

const SupplierParams = z.object({ id: z.coerce.number().int().min(1).max(2_147_483_647) });

/** All recipes of a supplier, in their order. */
export const listSupplierRecipes = route('listSupplierRecipes', {
  params: SupplierParams,
  reply: z.object({ recipes: z.array(Recipe) }),
});

/**
 * Changes a recipe: whether it is asked about, done without asking (after its second time only), or off; or its place
 * among the others. 409 if somebody else has changed it since `version`.
 */
export const changeRecipe = route('changeRecipe', {
  params: SupplierParams,
  body: z.strictObject({
    version: count,
    asks: z.enum(recipeAsks).optional(),
    move: z.enum(['up', 'down']).optional(),
  }),
  reply: Recipe,
});

export const removeRecipe = route('removeRecipe', {
  params: SupplierParams,
  reply: z.object({ success: z.literal(true) }),
});
