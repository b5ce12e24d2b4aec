/** Returns a random whole number from 0 to `below - 1`. */
export type Random = (below: number) => number;

/** Makes a generator of numbers that are the same for the same seed (Numerical Recipes). */
export function seededRandom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

export const pick = <T>(random: Random, from: readonly T[]): T => from[random(from.length)] as T;
