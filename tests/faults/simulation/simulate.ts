import type { Prepared } from './prepared.ts';
import { createReport, type Report } from './report.ts';
import { runSeed, type SeedResult } from './run-seed.ts';

export type SeedPlan = {
  seeds: readonly number[];
  /** Each so many-th seed runs twice, to prove that its trace repeats. */
  twiceEvery: number;
  /** Only this scenario, by its place. */
  only?: number | undefined;
};

/** Runs seeds in a row until one ends wrong. */
export async function simulate(
  prepared: Prepared,
  { seeds, twiceEvery, only }: SeedPlan,
  onSeed: (result: SeedResult) => void = () => {},
): Promise<Report> {
  const report = createReport();
  for (const seed of seeds) {
    const result = await runSeed(prepared, seed, only);
    if (seed % twiceEvery === 0) result.wrong.push(...(await difference(prepared, result, only)));
    report.add(result);
    onSeed(result);
    if (report.now().failed) break;
  }
  return report.now();
}

/** Postgres wakes several that wait for a row at once, and one of them is first. */
const isRace = (line: string | undefined) => line?.includes(' has the lock for ');

/** Where a second run of a seed differs from the first one, unless by who of several got a lock. */
async function difference(prepared: Prepared, first: SeedResult, only?: number): Promise<string[]> {
  const again = await runSeed(prepared, first.seed, only);
  if (again.digest === first.digest) return [];
  const at = first.trace.findIndex((line, nth) => line !== again.trace[nth]);
  const [one, other] = [first.trace[at], again.trace[at]];
  return isRace(one) && isRace(other) ? [] : [`line ${at} of the trace was ${one}, and is ${other} again`];
}
