const stepItems = 500;

/** Sorts like toSorted, yielding after each short step so that a caller can let others work. */
export function* sortInSteps<T>(
  items: readonly T[],
  compare: (one: T, other: T) => number,
): Generator<undefined, T[]> {
  let pieces: T[][] = [];
  for (let at = 0; at < items.length; at += stepItems) {
    pieces.push(items.slice(at, at + stepItems).sort(compare));
    yield;
  }
  while (pieces.length > 1) {
    const longer: T[][] = [];
    for (let at = 0; at < pieces.length; at += 2) {
      longer.push(yield* merged(pieces[at] ?? [], pieces[at + 1] ?? [], compare));
    }
    pieces = longer;
  }
  return pieces[0] ?? [];
}

function* merged<T>(
  one: readonly T[],
  other: readonly T[],
  compare: (one: T, other: T) => number,
): Generator<undefined, T[]> {
  const all: T[] = [];
  let from = 0;
  for (const item of other) {
    while (from < one.length && compare(one[from] as T, item) <= 0) {
      all.push(one[from] as T);
      from += 1;
      if (all.length % stepItems === 0) yield;
    }
    all.push(item);
    if (all.length % stepItems === 0) yield;
  }
  for (; from < one.length; from += 1) all.push(one[from] as T);
  return all;
}
