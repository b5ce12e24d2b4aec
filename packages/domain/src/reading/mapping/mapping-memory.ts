import type { CanonicalField } from '../../base/canonical-fields.ts';
import type { MappingOverrides } from './header-mapping.ts';
import { columnNames, headerKey, namesNothing } from './header-words.ts';

/** What the operator set for a file, kept for files with the same or nearly the same headers. */
export type RememberedMapping = {
  /** The keys of the file's headers, see `headerKeys`. */
  headers: readonly string[];
  /** Fields by the column's unique name; null: the column has no field. */
  columns: Readonly<Record<string, CanonicalField | null>>;
  /** The file for which the operator set them. */
  filename: string;
};

/** Files of one supplier share at least this part of all their headers. */
export const overlapMin = 0.8;

/**
 * The headers of a file without case, punctuation and order, each once. Columns without a name are left out. With fewer
 * than two keys nothing can be remembered for a file.
 */
export function headerKeys(headers: readonly string[]): string[] {
  const keys = new Set(
    headers
      .filter((header) => !namesNothing(header))
      .map(headerKey)
      .filter((key) => key !== ''),
  );
  return keys.size < 2 ? [] : [...keys].sort();
}

/** The part of the overrides that can be remembered: of columns that the file has and that have a name. */
export function memorable(
  headers: readonly string[],
  overrides: MappingOverrides,
): RememberedMapping['columns'] {
  const names = columnNames(headers).filter((name) => Object.hasOwn(overrides, name) && !namesNothing(name));
  return Object.fromEntries(names.map((name) => [name, overrides[name]?.field ?? null]));
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
  const overrides: [string, MappingOverrides[string]][] = [];
  for (const [header, field] of Object.entries(memory.columns)) {
    const name = names.includes(header) ? header : byKey.get(headerKey(header));
    if (name === undefined) return undefined;
    overrides.push([name, { field, by: 'memory', from: memory.filename }]);
  }
  return Object.fromEntries(overrides);
}
