import { isCarriedCommand } from '@draftshelf/domain/review/operations/carried-command';
import { type CommandStep, findRecipeInputs, isSameStep } from '@draftshelf/domain/review/operations/recipe';
import { sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import { queryRows } from '../../connection/query-rows.ts';
import type { EditCommandRecord, ImportRecord } from '../../connection/schema.ts';
import { storableJson } from '../../connection/storable-json.ts';
import { currentRows, readParseRun } from '../../work/runs.ts';
import { readItemRows } from '../edits-to-keep.ts';
import { listRecipes, removeUndoneRecipe } from '../recipes.ts';

/** Maximum of recipes per supplier. Above it, the recipes unused for the longest time are removed. */
const recipesMax = 100;

/** Stores a list's commands as recipes, and removes recipes of undone commands. The caller has locked the values. */
export async function keepRecipes(db: Db, record: ImportRecord, ids: readonly string[]): Promise<void> {
  const commands = await queryRows<RecipeCommand>(db)`
    select id, kind, operations, target, steps, state, rows, created_at from edit_commands
    where import_id = ${record.id} and id = any(${ids}::uuid[]) and kind in ('bulk', 'recipes')
    order by created_at, id`;
  for (const command of commands) {
    const steps = await stepsOf(db, record, command);
    for (const step of steps) {
      if (command.state === 'applied') await storeRecipe(db, record, step, command.created_at);
      else if (command.state === 'undone') await removeUndoneRecipe(db, record, step);
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

/** Reads the items of up to 2,000 rows that a command has edited. */
async function readItems(db: Db, record: ImportRecord, { id }: RecipeCommand): Promise<number[]> {
  const edited = await queryRows<{ row: number; byte_from: number }>(db)`
    select distinct on (byte_from) row, byte_from from edits
    where import_id = ${record.id} and command = ${id} order by byte_from, id limit 2000`;
  const rows = await readItemRows(db, record, currentRows(record), edited);
  const items = rows.flatMap(({ item, isUnsure }) => (item === null || isUnsure ? [] : item));
  return items.sort((a, b) => a - b);
}

/** A step of a command in effect. `recipe` is the recipe that the step applied, or null. */
type DoneStep = Pick<CommandStep, 'operations' | 'target' | 'rows'> & {
  recipe: string | null;
  orderedAt?: string;
};

/** Stores a step as a new recipe, or as the last use of its recipe. The caller has locked the supplier's values. */
export async function storeRecipe(db: Db, record: ImportRecord, step: DoneStep, doneAt: Date): Promise<void> {
  const { supplier } = record;
  if (supplier === null) return;
  const recipes = await listRecipes(db, supplier);
  const known =
    recipes.find(({ id }) => id === step.recipe) ?? recipes.find((recipe) => isSameStep(recipe, step));
  const done = {
    rows_last: step.rows,
    rows_then: record.total_rows,
    done_in: record.filename,
    done_at: doneAt,
  };
  if (!known) {
    await db
      .insertInto('supplier_recipes')
      .values({
        ...{ supplier, ...done, made_in: record.id, made_at: doneAt },
        ordered_at: step.recipe === null ? doneAt : (step.orderedAt ?? new Date(0)),
        ...(await columnsOf(db, record, step)),
        target: storableJson(step.target),
        position: (recipes.at(-1)?.position ?? 0) + 1,
      })
      .execute();
    await sql`
      delete from supplier_recipes where id in (
        select id from supplier_recipes where supplier = ${supplier}
        order by done_at desc, id offset ${sql.lit(recipesMax)})`.execute(db);
    return;
  }
  if (known.done_at > doneAt) return;
  await db
    .updateTable('supplier_recipes')
    .set({
      ...done,
      ...(known.made_in === record.id ? {} : { used_at: doneAt }),
      ...(step.recipe === null && { ordered_at: doneAt }),
      // With `orderedAt`, the operator saw the effect on values set by hand, so the unknown order time is replaced.
      ...(step.orderedAt !== undefined && known.ordered_at.getTime() === 0 && { ordered_at: known.made_at }),
      // Stores the columns used in place of missing columns, because the next list will have the same columns.
      ...(isSameStep(known, step) ? {} : await columnsOf(db, record, step)),
    })
    .where('id', '=', known.id)
    .execute();
}

async function columnsOf(db: Db, record: ImportRecord, { operations }: Pick<DoneStep, 'operations'>) {
  const { headers, mapping } = await readParseRun(db, currentRows(record));
  const { columns, fields } = findRecipeInputs(operations);
  const takes = {
    columns: columns.filter((column) => headers.includes(column)),
    fields: fields.filter((field) => mapping.sources[field] !== undefined),
  };
  return { operations: storableJson(operations), takes: storableJson(takes) };
}

type RecipeCommand = Pick<
  EditCommandRecord,
  'id' | 'kind' | 'operations' | 'target' | 'steps' | 'state' | 'rows' | 'created_at'
>;
