/**
 * The column names of a header record: trimmed, never empty ('Column 3') and unique ('Price (2)'), because rows are
 * also returned as objects with these keys.
 */
export function uniqueHeaders(cells: readonly string[]): string[] {
  const given = new Set(cells.map((cell) => cell.trim()));
  const taken = new Set<string>();
  /** The number that the next column with this name gets: thousands may have the same. */
  const counts = new Map<string, number>();
  return cells.map((cell, index) => {
    const wanted = cell.trim() || `Column ${index + 1}`;
    let name = wanted;
    let count = counts.get(wanted) ?? 2;
    for (; taken.has(name) || (name !== wanted && given.has(name)); count += 1) {
      name = `${wanted} (${count})`;
    }
    counts.set(wanted, count);
    taken.add(name);
    return name;
  });
}
