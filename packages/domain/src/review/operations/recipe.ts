import { canonicalFields, labelOf, type RowField } from '../../base/canonical-fields.ts';
import { canonicalJson } from '../../base/canonical-json.ts';
import { optionsField, parseFieldValue, storeCategoryField } from '../../base/field-value.ts';
import { formatCount } from '../../base/format.ts';
import type { HeaderMapping } from '../../reading/mapping/header-mapping.ts';
import { isCalculation, sourceFieldOf } from './calculate.ts';
import type { CommandTarget } from './command-target.ts';
import { type FieldOperation, fieldOf, type Operation, subjectOf } from './operation.ts';

export type StepTarget = Exclude<CommandTarget, { run: number }> | { items: number[] };

/** `orderedAt`: when the operator last gave the command that the recipe repeats. `rows`: number of changed rows. */
export type CommandStep = {
  recipe: string;
  orderedAt: string;
  operations: Operation[];
  target: StepTarget;
  rows: number;
};

/** Modes of a recipe: ask the operator for each list, always apply the recipe, or never. */
export const recipeModes = ['ask', 'always', 'never'] as const;
export type RecipeMode = (typeof recipeModes)[number];

/** Columns and fields that operations read, except the fields that an earlier operation sets. */
export type RecipeInputs = { columns: string[]; fields: RowField[] };

export const offeredRecipesMax = 20;

export function findRecipeInputs(operations: readonly Operation[]): RecipeInputs {
  const columns = new Set<string>();
  const fields = new Set<RowField>();
  const written = new Set<string>();
  for (const operation of operations) {
    if (operation.kind === 'map-options') continue;
    const read = readBy(operation);
    if (read !== undefined && 'column' in read) columns.add(read.column);
    else if (read !== undefined && !written.has(read.field)) fields.add(read.field);
    written.add(fieldOf(operation));
  }
  return { columns: [...columns], fields: [...fields] };
}

type Read = { column: string } | { field: RowField };

function readBy(operation: FieldOperation): Read | undefined {
  if (operation.kind === 'take') return operation.from;
  return isCalculation(operation) ? { field: sourceFieldOf(operation) } : undefined;
}

/** Columns of a list that are read in place of missing columns or fields. */
export type ColumnSubstitutes = {
  columns: Record<string, string>;
  fields: Partial<Record<RowField, string>>;
};

export const findMissingInputs = (
  { columns, fields }: RecipeInputs,
  { headers, mapping }: { headers: readonly string[]; mapping: Pick<HeaderMapping, 'sources'> },
): RecipeInputs => ({
  columns: columns.filter((column) => !headers.includes(column)),
  fields: fields.filter((field) => mapping.sources[field] === undefined),
});

/** Returns whether a list of only prices and stock has all that a recipe reads, changes and filters by. */
export function canRunOnPartialList(
  {
    operations,
    target,
    takes,
  }: { operations: readonly Operation[]; target: StepTarget; takes: RecipeInputs },
  file: Parameters<typeof findMissingInputs>[1],
): boolean {
  const filter = 'items' in target ? null : parseFieldValue(target.value ?? '');
  const named: string[] = [...takes.fields, ...operations.map(subjectOf), ...(filter ? [filter.field] : [])];
  const fields = canonicalFields.filter((field) => named.includes(field));
  const missing = findMissingInputs({ columns: takes.columns, fields }, file);
  return missing.columns.length + missing.fields.length === 0;
}

/** Returns a sentence if the chosen columns cannot replace the missing columns or fields, else null. */
export function findSubstituteProblem(
  uses: ColumnSubstitutes,
  missing: RecipeInputs,
  headers: readonly string[],
): string | null {
  const names = [
    ...Object.keys(uses.columns).filter((name) => !missing.columns.includes(name)),
    ...Object.keys(uses.fields).filter((name) => !missing.fields.includes(name as RowField)),
  ];
  if (names[0] !== undefined) return `“${names[0]}” is in this list, so no other column is needed for it.`;
  const used = [...Object.values(uses.columns), ...Object.values<string | undefined>(uses.fields)];
  const unknown = used.find((column) => column !== undefined && !headers.includes(column));
  return unknown === undefined ? null : `This list has no column “${unknown}”.`;
}

/** Makes operations read other columns in place of missing columns, and first sets missing fields from columns. */
export function withSubstitutes(operations: readonly Operation[], uses: ColumnSubstitutes): Operation[] {
  const changed = operations.map((operation): Operation => {
    if (operation.kind !== 'take' || !('column' in operation.from)) return operation;
    const column = uses.columns[operation.from.column];
    return column === undefined ? operation : { ...operation, from: { column } };
  });
  const taken = (Object.entries(uses.fields) as [RowField, string][]).map(
    ([field, column]): Operation => ({ kind: 'take', field, from: { column } }),
  );
  return [...taken, ...changed];
}

/**
 * `of`: the number of rows in the list. `rows`: the number that would change. `belowCost.row`: the first row with a
 * price below its cost. `missing`: labels of missing columns. `isOrderKnown`: whether each of the operator's own
 * values is known to be older or newer than the recipe.
 */
export type RecipeEffect = {
  target: StepTarget;
  rows: number;
  of: number;
  belowCost: { rows: number; row: number } | null;
  last: { rows: number; of: number };
  missing: readonly string[];
  isOrderKnown: boolean;
};

/** If the share of changed rows differs from the last list by more than this factor, the operator must decide. */
const shareFactorMax = 3;

/** Returns a sentence if a recipe should not be selected by default, else null. */
export function findReasonToSkip(effect: RecipeEffect): string | null {
  const { target, rows, of, belowCost, last, missing, isOrderKnown } = effect;
  if (missing.length > 0) {
    const names = new Intl.ListFormat('en').format(missing);
    return `${names} ${missing.length === 1 ? 'isn’t' : 'aren’t'} in this list.`;
  }
  if (rows === 0) {
    const value = 'items' in target ? null : parseFieldValue(target.value ?? '');
    if (value === null || value.value === '') return 'The change would have no effect.';
    const name =
      value.field === optionsField
        ? 'an option'
        : value.field === storeCategoryField
          ? 'category in Shopify'
          : labelOf(value.field);
    return `No row to change has “${value.value}” as ${name}.`;
  }
  if (!isOrderKnown) return 'This change may overwrite values that you entered after it.';
  if (belowCost !== null) {
    const others = belowCost.rows > 1 ? ' and in others' : '';
    return `The price would fall below the cost in row ${formatCount(belowCost.row)}${others}.`;
  }
  const [now, before] = [rows * last.of, last.rows * of];
  const isFarLess = rows * shareFactorMax < last.rows && now * shareFactorMax < before;
  if (now > shareFactorMax * before || isFarLess) {
    return `The change would affect ${formatCount(rows)} of ${formatCount(of)} rows. Last time, it affected ${formatCount(last.rows)} of ${formatCount(last.of)}.`;
  }
  return null;
}

export type PastCommand = {
  operations: readonly Operation[] | null;
  target: CommandTarget | null;
  steps: readonly CommandStep[] | null;
};

/** Returns whether a command has already done what a recipe would do. Rows selected one by one are not compared. */
export function hasDoneRecipe(
  { operations, target, steps }: PastCommand,
  recipe: { id: string; operations: readonly Operation[]; target: StepTarget },
): boolean {
  if (steps !== null) return steps.some((step) => step.recipe === recipe.id || isSameStep(step, recipe));
  if (operations === null || target === null) return false;
  if ('rows' in target) return 'items' in recipe.target && isSame(operations, recipe.operations);
  return isSameStep({ operations, target }, recipe);
}

type Step = { operations: readonly Operation[]; target: StepTarget };

export const isSameStep = (one: Step, other: Step): boolean =>
  isSame(one.operations, other.operations) && isSame(one.target, other.target);

const isSame = (one: unknown, other: unknown): boolean => canonicalJson(one) === canonicalJson(other);
