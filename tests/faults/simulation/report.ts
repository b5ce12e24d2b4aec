import type { SeedResult } from './run-seed.ts';

/** What has happened in some seeds. */
export type Report = {
  /** Different orders that the seeds have led to. */
  interleavings: number;
  steps: number;
  met: ReadonlyMap<string, number>;
  /** The first seed that ended wrong. */
  failed: SeedResult | null;
};

/** Sums up the results of seeds. */
export function createReport() {
  const digests = new Set<string>();
  const met = new Map<string, number>();
  let steps = 0;
  let failed: SeedResult | null = null;
  return {
    add(result: SeedResult): void {
      digests.add(result.digest);
      steps += result.steps;
      for (const [fault, times] of result.met) met.set(fault, (met.get(fault) ?? 0) + times);
      if (result.wrong.length > 0) failed ??= result;
    },
    now: (): Report => ({ interleavings: digests.size, steps, met, failed }),
  };
}
