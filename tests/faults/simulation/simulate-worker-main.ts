import type { TestServices } from '../../support/services.ts';
import { putBack } from './put-back.ts';
import type { SeedPlan } from './simulate.ts';

/** What a process of the simulation does, as JSON in the variable SIMULATION. */
export type WorkerPlan = SeedPlan & { services: TestServices; fault: string | undefined; isTraced: boolean };

const { services, fault, isTraced, ...plan }: WorkerPlan = JSON.parse(process.env.SIMULATION ?? '');
if (fault) putBack(fault);
// After that, because a mended fault is put back into modules while they are loaded.
const { prepare } = await import('./prepared.ts');
const { simulate } = await import('./simulate.ts');
const prepared = await prepare(services);
await simulate(prepared, plan, (result) => {
  const isShown = isTraced || result.wrong.length > 0;
  process.send?.(isShown ? result : { ...result, trace: [] });
});
await prepared.close();
process.disconnect?.();
