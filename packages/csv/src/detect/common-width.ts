type Records = readonly (readonly string[])[];

/** By number of cells: how many records have so many. */
export function countWidths(records: Records): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { length } of records) counts.set(length, (counts.get(length) ?? 0) + 1);
  return counts;
}

/** The number of cells that most records have, and how many have it; of equals the first. 0 of none. */
export function commonWidth(records: Records): { width: number; count: number } {
  let common = { width: 0, count: 0 };
  for (const [width, count] of countWidths(records)) if (count > common.count) common = { width, count };
  return common;
}
