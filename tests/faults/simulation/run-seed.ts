import type { Prepared } from './prepared.ts';
import { runInSimulation } from './run-in-simulation.ts';
import { scenarios } from './scenarios.ts';

export type SeedResult = {
  seed: number;
  scenario: string;
  wrong: string[];
  steps: number;
  met: ReadonlyMap<string, number>;
  digest: string;
  trace: readonly string[];
};

/** Runs the scenario of a seed, or scenario `only`, in its order and with its faults. */
export async function runSeed(prepared: Prepared, seed: number, only?: number): Promise<SeedResult> {
  const scenario = scenarios[(only ?? seed) % scenarios.length];
  if (!scenario) throw new Error('There are no scenarios');
  const start = await prepared.startFrom(scenario.base);
  const { wrong, scheduler } = await runInSimulation(start, { seed }, (run) =>
    scenario.drive(run, prepared.imports),
  );
  const { met, trace } = scheduler;
  return {
    ...{ seed, scenario: scenario.name, wrong: [...new Set(wrong)], met, trace },
    ...{ steps: scheduler.steps(), digest: scheduler.digest() },
  };
}
