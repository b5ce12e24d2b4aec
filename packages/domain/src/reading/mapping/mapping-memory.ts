import type { RowField } from '../../base/canonical-fields.ts';
import type { ColumnAnswers } from '../column-questions.ts';
import type { MappingOverride, MappingOverrides } from './header-mapping.ts';
import { columnNames, headerKey, isMeaninglessHeader } from './header-words.ts';

/** The operator's choices for columns, by unique column name: fields (null: no field), and readings of cells. */
export type ColumnChoices = {
  columns: Readonly<Record<string, RowField | null>>;
  readings: Readonly<Record<string, ColumnAnswers>>;
};

/** The operator's settings for a file, kept for files with the same or nearly the same headers. */
export type RememberedMapping = ColumnChoices & {
  /** The keys of the file's headers, see `headerKeys`. */
  headers: readonly string[];
  /** The file for which the operator made the settings. */
  filename: string;
};

/** Two files are similar if at least this share of all their headers is in both. */
export const headerOverlapMin = 0.8;

/** Returns the keys of a file's headers, sorted and without repeats. Empty if there are fewer than two. */
export function headerKeys(headers: readonly string[]): string[] {
  const keys = new Set(headers.filter((header) => !isMeaninglessHeader(header)).map(headerKey));
  keys.delete('');
  return keys.size < 2 ? [] : [...keys].sort();
}

/** Returns the overrides that can be remembered: those of existing columns whose header has a meaning. */
export function selectMemorableChoices(
  headers: readonly string[],
  overrides: MappingOverrides,
): ColumnChoices {
  const names = columnNames(headers).filter(
    (name) => Object.hasOwn(overrides, name) && !isMeaninglessHeader(name),
  );
  return toColumnChoices(Object.fromEntries(names.map((name) => [name, overrides[name] as MappingOverride])));
}

export const hasNoChoices = ({ columns, readings }: ColumnChoices): boolean =>
  Object.keys(columns).length + Object.keys(readings).length === 0;

/** Returns the fields and readings that overrides set, by column name. */
export function toColumnChoices(overrides: MappingOverrides): ColumnChoices {
  const set = Object.entries(overrides);
  return {
    columns: Object.fromEntries(
      set.flatMap(([name, { field }]) => (field === undefined ? [] : [[name, field]])),
    ),
    readings: Object.fromEntries(set.flatMap(([name, { reading }]) => (reading ? [[name, reading]] : []))),
  };
}

/** Returns overrides for fields and readings, by column name. */
export function overridesFromChoices(
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
 * Returns the best fitting memory for a file, with its overrides under the file's own column names, or undefined. A
 * memory fits if the two files share at least 80 % of their headers and the file has every column that the memory
 * sets. The memory with the largest share is best; of equal memories, the first.
 */
export function findRememberedMapping<M extends RememberedMapping>(
  headers: readonly string[],
  memories: readonly M[],
): { memory: M; overrides: MappingOverrides } | undefined {
  const keys = new Set(headerKeys(headers));
  if (keys.size === 0) return undefined;
  const close = memories
    .map((memory) => ({ memory, overlap: overlapOf(keys, memory.headers) }))
    .filter(({ overlap }) => overlap >= headerOverlapMin)
    .sort((a, b) => b.overlap - a.overlap);
  for (const { memory } of close) {
    const overrides = overridesFor(headers, memory);
    if (overrides) return { memory, overrides };
  }
  return undefined;
}

/** Returns the number of headers in both files, divided by the number of headers in either file. */
function overlapOf(keys: ReadonlySet<string>, others: readonly string[]): number {
  const shared = others.filter((key) => keys.has(key)).length;
  return shared / (keys.size + others.length - shared);
}

/** Returns a memory's overrides for a file, by column name or header key. Undefined if the file lacks a column. */
function overridesFor(headers: readonly string[], memory: RememberedMapping): MappingOverrides | undefined {
  const names = columnNames(headers);
  const byKey = new Map(names.map((name) => [headerKey(name), name]));
  const overrides: [string, MappingOverride][] = [];
  const remembered = overridesFromChoices(memory, { by: 'memory', from: memory.filename });
  for (const [header, override] of Object.entries(remembered)) {
    const name = names.includes(header) ? header : byKey.get(headerKey(header));
    if (name === undefined) return undefined;
    overrides.push([name, override]);
  }
  return Object.fromEntries(overrides);
}
