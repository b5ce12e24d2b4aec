/** Returns a random whole number from 0 to `below - 1`; the same seed gives the same numbers. */
export type Random = (below: number) => number;

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

export const pick = <T>(random: Random, from: readonly T[]): T => from[random(from.length)] as T;

/** A random table whose cells are made of `parts`; the first column is never empty, so no record is blank. */
export function randomTable(random: Random, parts: readonly string[]): string[][] {
  const columns = 2 + random(5);
  return Array.from({ length: 1 + random(40) }, (_, row) =>
    Array.from({ length: columns }, (_, column) =>
      column === 0 ? `r${row}` : Array.from({ length: random(6) }, () => pick(random, parts)).join(''),
    ),
  );
}
