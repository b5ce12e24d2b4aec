import type { Prepared } from './prepared.ts';
import { runSeed, type SeedResult } from './run-seed.ts';

type Report = {
  /** Different orders that the seeds have led to. */
  interleavings: number;
  steps: number;
  seconds: number;
  met: Map<string, number>;
  /** The first seed that ended wrong. */
  failed: SeedResult | null;
};

/** Runs seeds in a row until one ends wrong, each `twiceEvery`th one twice to prove that its trace repeats. */
export async function simulate(
  prepared: Prepared,
  {
    seeds,
    from,
    twiceEvery,
    only,
    onSeed,
  }: {
    seeds: number;
    from: number;
    twiceEvery: number;
    only?: number;
    onSeed?: (result: SeedResult) => void;
  },
): Promise<Report> {
  const since = performance.now();
  const digests = new Set<string>();
  const met = new Map<string, number>();
  let steps = 0;
  let failed: SeedResult | null = null;
  for (let seed = from; seed < from + seeds && !failed; seed += 1) {
    const result = await runSeed(prepared, seed, only);
    if (seed % twiceEvery === 0) result.wrong.push(...(await difference(prepared, result, only)));
    digests.add(result.digest);
    steps += result.steps;
    for (const [fault, times] of result.met) met.set(fault, (met.get(fault) ?? 0) + times);
    onSeed?.(result);
    if (result.wrong.length > 0) failed = result;
  }
  const seconds = (performance.now() - since) / 1000;
  return { interleavings: digests.size, steps, seconds, met, failed };
}

/** Where a second run of a seed differs from the first one. */
async function difference(prepared: Prepared, first: SeedResult, only?: number): Promise<string[]> {
  const again = await runSeed(prepared, first.seed, only);
  if (again.digest === first.digest) return [];
  const at = first.trace.findIndex((line, nth) => line !== again.trace[nth]);
  return [`line ${at} of the trace was ${first.trace[at]}, and is ${again.trace[at]} again`];
}
