import { canonicalFields, labelOf, type RowField } from '@draftshelf/domain/base/canonical-fields';
import { findPossibleColumns } from '@draftshelf/domain/reading/column-details';
import { isKnownName } from '@draftshelf/domain/reading/mapping/header-candidates';
import type { CommandPreview } from '@draftshelf/domain/review/operations/command-preview';
import { subjectOf } from '@draftshelf/domain/review/operations/operation';
import {
  type ColumnSubstitutes,
  findMissingInputs,
  findReasonToSkip,
  findSubstituteProblem,
  type StepTarget,
  withSubstitutes,
} from '@draftshelf/domain/review/operations/recipe';
import type { Db } from '../../connection/database.ts';
import { hasRows } from '../../connection/query-rows.ts';
import type { ImportRecord, SupplierRecipe } from '../../connection/schema.ts';
import { previewCommand } from '../../review/commands/preview-command.ts';
import { readSampleCells } from '../../review/row-samples.ts';
import { currentRows, readParseRun } from '../../work/runs.ts';
import { findRowsOfItems } from '../recipes.ts';

/** A column or field that a list lacks. `columns`: the list's columns that may hold the same values. */
export type MissingColumn = { in: keyof ColumnSubstitutes; name: string; label: string; columns: string[] };

export type RecipePreview = {
  preview: CommandPreview;
  /** The number of rows that would change, estimated from a sample unless `isExact`. */
  rows: number;
  isExact: boolean;
  missing: MissingColumn[];
  /** Why the recipe is not preselected, as a sentence. Null if it is preselected. */
  reason: string | null;
};

export const noSubstitutes: ColumnSubstitutes = { columns: {}, fields: {} };

/** Previews a recipe on a list. `uses`: columns to use in place of missing columns. */
export async function previewRecipe(
  db: Db,
  record: ImportRecord,
  recipe: SupplierRecipe,
  uses: ColumnSubstitutes = noSubstitutes,
): Promise<RecipePreview> {
  const { target, rows_last, rows_then } = recipe;
  const missing = await readMissing(db, record, recipe);
  const preview = await previewCommand(db, record, {
    target: await targetNow(db, record, target),
    operations: withSubstitutes(recipe.operations, uses),
    orderedAt: recipe.ordered_at.toISOString(),
  });
  const rows = rowsOf(preview);
  const reason = findReasonToSkip({
    ...{ target, rows, of: record.total_rows, belowCost: preview.belowCost },
    last: { rows: rows_last, of: rows_then },
    missing: missing.filter((one) => !Object.hasOwn(uses[one.in], one.name)).map(({ label }) => label),
    isOrderKnown: await isOrderKnown(db, recipe),
  });
  return { preview, rows, isExact: preview.sample.isAll, missing, reason };
}

async function isOrderKnown(db: Db, { supplier, operations, ordered_at }: SupplierRecipe): Promise<boolean> {
  if (ordered_at.getTime() > 0) return true;
  return !(await hasRows(db)`
    select from carried_values
    where supplier = ${supplier} and value is not null and kind = 'value' and set_at = 'epoch'
      and field = any(${operations.map(subjectOf)}::text[]) limit 1`);
}

/** Returns why `uses` cannot replace the recipe's missing columns, as a sentence. Null if the columns can be used. */
export async function findSubstitutesRefusal(
  db: Db,
  record: ImportRecord,
  { takes }: Pick<SupplierRecipe, 'takes'>,
  uses: ColumnSubstitutes,
): Promise<string | null> {
  const run = await readParseRun(db, currentRows(record));
  return findSubstituteProblem(uses, findMissingInputs(takes, run), run.headers);
}

async function targetNow(db: Db, record: ImportRecord, target: StepTarget) {
  if (!('items' in target)) return target;
  return { rows: await findRowsOfItems(db, currentRows(record), target.items), run: record.rows_run };
}

function rowsOf({ changed, sample, rows }: CommandPreview): number {
  if (sample.isAll || sample.rows === 0) return changed.rows;
  return Math.round((changed.rows / sample.rows) * rows);
}

async function readMissing(
  db: Db,
  record: ImportRecord,
  { takes }: SupplierRecipe,
): Promise<MissingColumn[]> {
  const of = currentRows(record);
  const { headers, mapping } = await readParseRun(db, of);
  const { columns, fields } = findMissingInputs(takes, { headers, mapping });
  if (columns.length + fields.length === 0) return [];
  const sample = await readSampleCells(db, of);
  const holding = (field: RowField | undefined): string[] => {
    if (field === undefined) return [];
    const own = headers[mapping.sources[field]?.[0] ?? -1];
    return [...(own === undefined ? [] : [own]), ...findPossibleColumns(field, mapping, sample)];
  };
  return [
    ...columns.map((name) => {
      const field = canonicalFields.find((one) => isKnownName(name, one));
      return { in: 'columns' as const, name, label: name, columns: holding(field) };
    }),
    ...fields.map((name) => ({ in: 'fields' as const, name, label: labelOf(name), columns: holding(name) })),
  ];
}
