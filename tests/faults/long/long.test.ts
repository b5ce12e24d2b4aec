import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { queueBackends } from '../../support/queue-backend.ts';
import { buttonFaults, runCancelled } from '../buttons.ts';
import { allFaults, type Fault, together } from '../fault-kinds.ts';
import { createRandom, type Random, seedOfRun } from '../fault-random.ts';
import { type FaultStack, startFaultStack } from '../fault-stack.ts';
import type { Sizes } from '../midway.ts';
import { runRound } from '../round.ts';
import { measureRecovery } from './recovery.ts';
import { createSummary, spread } from './summary.ts';

const minutes = Number(process.env.FAULT_MINUTES ?? 10);
const kills = 20;
const recoveryMsMax = 15_000;
const faultsPerRoundMax = 5;
const faults: readonly Fault[] = [...allFaults, ...buttonFaults];
const backends = queueBackends();
const summary = createSummary();

let stack: FaultStack;

describe.each(backends)('with jobs in %s', (backend) => {
  const possible = faults.filter((one) => one.backend === undefined || one.backend === backend);

  beforeAll(async () => {
    stack = await startFaultStack(backend);
  });
  afterAll(() => stack?.close());

  it('random faults leave the expected result', async () => {
    const until = performance.now() + (minutes * 60_000) / backends.length;
    const first = seedOfRun();
    for (let round = 0; performance.now() < until; round += 1) {
      const random = createRandom(first + round);
      try {
        await playRound(stack, possible, random);
      } catch (error) {
        summary.wrong(backend, random.seed, String(error));
        console.log(`${backend}, seed ${random.seed} FAILED: ${error}`);
        // The failure may have left anything behind: the next round gets a new stack.
        await stack
          .close()
          .catch((problem: Error) => console.log(`and did not stop in order: ${problem.message}`));
        stack = await startFaultStack(backend);
      }
    }
    expect(summary.failures()).toEqual([]);
  });

  it(`recovers from ${kills} kills -9 of a worker in time`, async () => {
    const times: number[] = [];
    for (let kill = 0; kill < kills; kill += 1) {
      const during = kill % 2 === 0 ? 'parse' : 'enrich';
      const { recoveredMs, wrong } = await measureRecovery(stack, during, createRandom(kill));
      expect(wrong).toEqual([]);
      times.push(recoveredMs);
    }
    console.log(`${backend}: recovery after kill -9 of a worker, ${kills} times: ${spread(times)}`);
    const slow = times.filter((one) => one > recoveryMsMax).length;
    expect(slow / kills, 'kills that took longer than 15 s').toBeLessThanOrEqual(0.05);
  });
});

afterAll(() => console.log(summary.table()));

/** A random round: some faults at once, or a cancelled import. */
async function playRound(stack: FaultStack, possible: readonly Fault[], random: Random): Promise<void> {
  const rowsPerChunk = random.pick([200, 500, 5_000]);
  const sizes: Sizes = {
    rows: Math.floor(random.between(10_000, 40_000)),
    rowsPerChunk,
    products: Math.floor(random.between(60, 200)),
    productsPerChunk: random.pick([1, 5, 25]),
  };
  const { injected, wrong } = await playSome(stack, possible, sizes, random);
  for (const one of injected) {
    summary.add(stack.backend, one.name, one.restMs);
    console.log(
      `${stack.backend}, seed ${random.seed}: ${one.name} at ${one.done} of ${one.total}, ${one.restMs} ms`,
    );
  }
  if (wrong.length > 0)
    throw new Error(`${injected.map((one) => one.name).join(' + ')}: ${wrong.join('; ')}`);
}

async function playSome(stack: FaultStack, possible: readonly Fault[], sizes: Sizes, random: Random) {
  if (random.between(0, 10) < 1) {
    const { injected, wrong } = await runCancelled(stack, random.pick(['parse', 'push']), sizes, random);
    return { injected: [injected], wrong };
  }
  const count = Math.floor(random.between(1, faultsPerRoundMax + 1));
  const chosen = together(Array.from({ length: count }, () => random.pick(possible)));
  return runRound(stack, chosen, sizes, random);
}
