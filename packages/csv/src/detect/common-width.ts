type Records = readonly (readonly string[])[];

/** The number of records by their number of cells. */
export function countWidths(records: Records): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { length } of records) counts.set(length, (counts.get(length) ?? 0) + 1);
  return counts;
}

/** The most frequent number of cells and how many records have it. A tie goes to the first; no records give 0. */
export function commonWidth(records: Records): { width: number; count: number } {
  let common = { width: 0, count: 0 };
  for (const [width, count] of countWidths(records)) if (count > common.count) common = { width, count };
  return common;
}
