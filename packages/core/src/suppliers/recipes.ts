import { subjectOf } from '@draftshelf/domain/review/operations/operation';
import { describeOperations } from '@draftshelf/domain/review/operations/operations-sentence';
import {
  type CommandStep,
  hasDoneRecipe,
  isSameStep,
  offeredRecipesMax,
  type PastCommand,
} from '@draftshelf/domain/review/operations/recipe';
import { sql, type UpdateObject } from 'kysely';
import type { Db } from '../connection/database.ts';
import { queryFreshRows } from '../connection/planner.ts';
import { findRow, hasRows, queryRows, queryValues } from '../connection/query-rows.ts';
import type { EditCommandRecord, ImportRecord, Schema, SupplierRecipe } from '../connection/schema.ts';
import { isUuid } from '../imports/imports.ts';
import type { RunOfRows } from '../work/runs.ts';
import { isUnsure, mayHaveItem } from './row-items.ts';

export const listRecipes = (db: Db, supplier: number): Promise<SupplierRecipe[]> =>
  listRecipesOf(db, [supplier]);

const listRecipesOf = (db: Db, suppliers: readonly number[]) =>
  queryRows<SupplierRecipe>(db)`
    select * from supplier_recipes where supplier = any(${suppliers}::int[]) order by position, made_at, id`;

export async function findRecipe(db: Db, id: string): Promise<SupplierRecipe | undefined> {
  return isUuid(id)
    ? findRow<SupplierRecipe>(db)`select * from supplier_recipes where id = ${id}`
    : undefined;
}

/** Returns, by field, when the supplier's first recipe was ordered. Recipes never change values set after that time. */
export async function readFirstOrderTimes(db: Db, supplier: number): Promise<ReadonlyMap<string, Date>> {
  const newestFirst = (await listRecipes(db, supplier)).sort((a, b) => +b.ordered_at - +a.ordered_at);
  return new Map(
    newestFirst.flatMap(({ operations, ordered_at }) =>
      operations.map((operation) => [subjectOf(operation), ordered_at] as const),
    ),
  );
}

/** Removes the recipe of a step if only this list used it and has undone the step. The caller has locked the values. */
export async function removeUndoneRecipe(
  db: Db,
  { id, supplier }: ImportRecord,
  step: Pick<CommandStep, 'operations' | 'target'>,
): Promise<void> {
  if (supplier === null) return;
  const known = (await listRecipes(db, supplier)).find((recipe) => isSameStep(recipe, step));
  if (known?.made_in !== id || known.used_at !== null) return;
  const done = (await readCommandsOf(db, [id])).get(id) ?? [];
  if (!done.some((command) => hasDoneRecipe(command, known))) await removeRecipe(db, known.id);
}

/** Changes a recipe and increments its version. */
export async function changeRecipe(
  db: Db,
  { id }: Pick<SupplierRecipe, 'id'>,
  set: UpdateObject<Schema, 'supplier_recipes'>,
): Promise<void> {
  await db
    .updateTable('supplier_recipes')
    .set({ ...set, version: sql`version + 1` })
    .where('id', '=', id)
    .execute();
}

/** Moves a recipe one place up or down. The caller has locked the supplier. */
export async function moveRecipe(db: Db, { id, supplier }: SupplierRecipe, to: 'up' | 'down'): Promise<void> {
  const recipes = await listRecipes(db, supplier);
  const at = recipes.findIndex((recipe) => recipe.id === id);
  const moved = recipes.splice(at, 1);
  recipes.splice(Math.max(0, at + (to === 'up' ? -1 : 1)), 0, ...moved);
  for (const [position, recipe] of recipes.entries()) {
    if (recipe.position !== position) await changeRecipe(db, recipe, { position });
  }
}

export async function removeRecipe(db: Db, id: string): Promise<void> {
  await db.deleteFrom('supplier_recipes').where('id', '=', id).execute();
}

const commandsMax = 1_000;

/** Lists earlier lists' recipes that are not applied to an import yet. If there are too many, lists those used last. */
export async function listOfferedRecipes(db: Db, record: ImportRecord): Promise<SupplierRecipe[]> {
  return (await listOfferedRecipesOf(db, [record])).get(record.id) ?? [];
}

/** Lists the recipes offered to some imports, by import id. Imports without recipes are absent. Uses two queries. */
export async function listOfferedRecipesOf(
  db: Db,
  records: readonly ImportRecord[],
): Promise<Map<string, SupplierRecipe[]>> {
  const suppliers = new Set(records.flatMap(({ supplier }) => supplier ?? []));
  if (suppliers.size === 0) return new Map();
  const bySupplier = Map.groupBy(await listRecipesOf(db, [...suppliers]), ({ supplier }) => supplier);
  const earlier = records.flatMap(({ id, supplier, created_at }) => {
    const recipes = (bySupplier.get(supplier ?? 0) ?? []).filter(
      ({ asks, made_at, made_in }) => asks !== 'never' && made_in !== id && made_at < created_at,
    );
    return recipes.length === 0 ? [] : [{ id, recipes }];
  });
  if (earlier.length === 0) return new Map();
  const ids = earlier.map(({ id }) => id);
  const commands = await readCommandsOf(db, ids);
  const offered = earlier.map(({ id, recipes }) => [id, openOf(recipes, commands.get(id) ?? [])] as const);
  return new Map(offered.filter(([, recipes]) => recipes.length > 0));
}

function openOf(recipes: readonly SupplierRecipe[], commands: readonly ComparedCommand[]): SupplierRecipe[] {
  const copied = new Set(commands.flatMap((command) => command.copied ?? []).map(({ sentence }) => sentence));
  const open = recipes.filter(
    (recipe) =>
      !copied.has(describeOperations(recipe.operations)) &&
      !commands.some((command) => hasDoneRecipe(command, recipe)),
  );
  const newestFirst = open.toSorted((a, b) => Number(b.done_at) - Number(a.done_at));
  const newest = new Set(newestFirst.slice(0, offeredRecipesMax));
  return open.filter((recipe) => newest.has(recipe));
}

type ComparedCommand = PastCommand & Pick<EditCommandRecord, 'copied'>;

/** Reads the newest bulk commands by import. `copied` are commands of an earlier upload of the same file. */
async function readCommandsOf(db: Db, ids: readonly string[]): Promise<Map<string, ComparedCommand[]>> {
  const rows = await queryRows<ComparedCommand & { import_id: string }>(db)`
    select import_id, operations, target, steps, copied from unnest(${ids}::uuid[]) list(id)
    cross join lateral (
      select import_id, operations, target, steps, copied from edit_commands
      where import_id = list.id and (kind in ('bulk', 'recipes') and state in ('applied', 'applying')
        or copied is not null and state = 'applied' and rows > 0)
      order by created_at desc limit ${sql.lit(commandsMax)}
    ) commands`;
  return Map.groupBy(rows, ({ import_id }) => import_id);
}

export const hasRecipeCommand = (db: Db, importId: string): Promise<boolean> =>
  hasRows(db)`select from edit_commands where import_id = ${importId} and kind = 'recipes' limit 1`;

/** Reads the steps of each command that applied recipes to an import and was not undone, in order. */
export const readRecipeSteps = (db: Db, importId: string): Promise<CommandStep[][]> =>
  queryValues<CommandStep[]>(db)`
    select steps from edit_commands
    where import_id = ${importId} and kind = 'recipes' and state = 'applied' and steps is not null
    order by created_at, id`;

/** Finds the rows of a run whose item is certain and is one of `items`, in order. */
export async function findRowsOfItems(db: Db, { import_id, run }: RunOfRows, items: readonly number[]) {
  const ofRun = sql`import_id = ${import_id} and run = ${run}`;
  const rows = await queryFreshRows<{ row: number }>(db)`
    select rows.row from (select row, item_key from rows where ${ofRun} and ${mayHaveItem}) rows
    left join (select row, item, change from row_items where ${ofRun}) row_items on row_items.row = rows.row
    left join (
      select id, key from supplier_items where id = any(${items}::bigint[])
    ) items on items.key = item_key and row_items.item is null
    where coalesce(row_items.item = any(${items}::bigint[]), items.id is not null) and not ${isUnsure}
    order by rows.row`;
  return rows.map(({ row }) => row);
}
