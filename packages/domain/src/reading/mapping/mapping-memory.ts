import type { RowField } from '../../base/canonical-fields.ts';
import type { ColumnAnswers } from '../column-questions.ts';
import type { MappingOverride, MappingOverrides } from './header-mapping.ts';
import { columnNames, headerKey, namesNothing } from './header-words.ts';

/** The operator's choices for columns, by their unique names: fields, null for none; and readings of their cells. */
export type ColumnChoices = {
  columns: Readonly<Record<string, RowField | null>>;
  readings: Readonly<Record<string, ColumnAnswers>>;
};

/** The operator's settings of a file, kept for files with the same or nearly the same headers. */
export type RememberedMapping = ColumnChoices & {
  /** The keys of the file's headers, see `headerKeys`. */
  headers: readonly string[];
  /** The file for which the operator set them. */
  filename: string;
};

/** Files of one supplier share at least this part of all their headers. */
export const overlapMin = 0.8;

/** Headers of a file without case, punctuation, order and repeats; empty if there are fewer than two. */
export function headerKeys(headers: readonly string[]): string[] {
  const keys = new Set(headers.filter((header) => !namesNothing(header)).map(headerKey));
  keys.delete('');
  return keys.size < 2 ? [] : [...keys].sort();
}

/** The part of the overrides that can be remembered: of columns that the file has and that have a name. */
export function memorable(headers: readonly string[], overrides: MappingOverrides): ColumnChoices {
  const names = columnNames(headers).filter((name) => Object.hasOwn(overrides, name) && !namesNothing(name));
  return choicesIn(Object.fromEntries(names.map((name) => [name, overrides[name] as MappingOverride])));
}

/** Whether nothing is set. */
export const isEmpty = ({ columns, readings }: ColumnChoices): boolean =>
  Object.keys(columns).length + Object.keys(readings).length === 0;

/** The fields and the readings that overrides set, by the column's name. */
export function choicesIn(overrides: MappingOverrides): ColumnChoices {
  const set = Object.entries(overrides);
  return {
    columns: Object.fromEntries(
      set.flatMap(([name, { field }]) => (field === undefined ? [] : [[name, field]])),
    ),
    readings: Object.fromEntries(set.flatMap(([name, { reading }]) => (reading ? [[name, reading]] : []))),
  };
}

/** Overrides of fields and readings by the column's name. */
export function overridesOf(
  { columns, readings }: ColumnChoices,
  by: Pick<MappingOverride, 'by' | 'from'>,
): MappingOverrides {
  const names = new Set([...Object.keys(columns), ...Object.keys(readings)]);
  const ofColumn = (name: string): MappingOverride => ({
    ...by,
    ...(Object.hasOwn(columns, name) && { field: columns[name] ?? null }),
    ...(readings[name] !== undefined && { reading: readings[name] }),
  });
  return Object.fromEntries([...names].map((name) => [name, ofColumn(name)]));
}

/**
 * The remembered mapping for a file, and its overrides under the file's own column names; undefined if there is none.
 * A memory of the same headers comes first, then the one that shares most, if it shares at least 80 % and the file has
 * every column that was set. Of equal ones the first is taken.
 */
export function recallFrom<M extends RememberedMapping>(
  headers: readonly string[],
  memories: readonly M[],
): { memory: M; overrides: MappingOverrides } | undefined {
  const keys = new Set(headerKeys(headers));
  if (keys.size === 0) return undefined;
  const close = memories
    .map((memory) => ({ memory, overlap: overlapOf(keys, memory.headers) }))
    .filter(({ overlap }) => overlap >= overlapMin)
    .sort((a, b) => b.overlap - a.overlap);
  for (const { memory } of close) {
    const overrides = overridesFor(headers, memory);
    if (overrides) return { memory, overrides };
  }
  return undefined;
}

/** The share of all headers of two files that both have. */
function overlapOf(keys: ReadonlySet<string>, others: readonly string[]): number {
  const shared = others.filter((key) => keys.has(key)).length;
  return shared / (keys.size + others.length - shared);
}

/** The overrides of a memory for a file; undefined if the file lacks a column. Columns match by name, else by key. */
function overridesFor(headers: readonly string[], memory: RememberedMapping): MappingOverrides | undefined {
  const names = columnNames(headers);
  const byKey = new Map(names.map((name) => [headerKey(name), name]));
  const overrides: [string, MappingOverride][] = [];
  const remembered = overridesOf(memory, { by: 'memory', from: memory.filename });
  for (const [header, override] of Object.entries(remembered)) {
    const name = names.includes(header) ? header : byKey.get(headerKey(header));
    if (name === undefined) return undefined;
    overrides.push([name, override]);
  }
  return Object.fromEntries(overrides);
}
