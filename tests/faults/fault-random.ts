/** Repeatable random numbers: the same seed gives the same faults at the same times. */
export type Random = {
  readonly seed: number;
  /** A number in [from, to). */
  between(from: number, to: number): number;
  pick<T>(list: readonly T[]): T;
};

/** The seed of this run: FAULT_SEED, or a new one each time. */
export function seedOfRun(): number {
  return Number(process.env.FAULT_SEED) || Date.now() % 1_000_000_000;
}

/** mulberry32: small, and good enough to choose faults by. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    seed,
    between: (from, to) => from + next() * (to - from),
    pick(list) {
      const one = list[Math.floor(next() * list.length)];
      if (one === undefined) throw new Error('Nothing to pick from');
      return one;
    },
  };
}
