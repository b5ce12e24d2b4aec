type Records = readonly (readonly string[])[];

export function countWidths(records: Records): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { length } of records) counts.set(length, (counts.get(length) ?? 0) + 1);
  return counts;
}

/** Returns the most frequent number of cells (the first in a tie), and the number of records with it (0 if none). */
export function commonWidth(records: Records): { width: number; count: number } {
  let common = { width: 0, count: 0 };
  for (const [width, count] of countWidths(records)) if (count > common.count) common = { width, count };
  return common;
}
