import type { AppName } from '@draftshelf/infra/app-mains';
import type { AppProcess } from '../support/app-process.ts';
import { until } from '../support/fixture.ts';
import type { Stack } from '../support/stack.ts';
import { type FaultStack, otherFaultsMsMax, readImport, restingStatus } from './fault-stack.ts';

/** Like a supervisor: restarts a process that cannot start because a service is down. */
async function startAsSupervised(start: () => Promise<AppProcess>): Promise<AppProcess> {
  let started: AppProcess | undefined;
  let problem: unknown;
  await until(
    'the process has started',
    async () => {
      started = await start().catch((error: unknown) => {
        problem = error;
        return undefined;
      });
      return started !== undefined;
    },
    otherFaultsMsMax,
  ).catch(() => {});
  if (!started) throw problem;
  return started;
}

/** Kills one of the product's processes with -9, and starts it again. */
export async function kill(stack: Stack, name: AppName): Promise<void> {
  stack.process(name).kill('SIGKILL');
  await stack.process(name).ended;
  await startAsSupervised(() => stack.start(name));
}

/** Stops a process in order, which must succeed, and starts it again. */
export async function endInOrder(stack: FaultStack, name: AppName): Promise<void> {
  const process = stack.process(name);
  await process.stop();
  const how = await process.ended;
  if (how !== '0') throw new Error(`${name} was asked to stop and ended with ${how}:\n${process.output()}`);
  await startAsSupervised(() => stack.start(name));
}

/** Freezes a process until another one has done all the work; then it continues and must commit nothing. */
export async function freezeUntilDone(stack: FaultStack, name: AppName, importId: string): Promise<void> {
  const frozen = stack.process(name);
  frozen.kill('SIGSTOP');
  try {
    const successor = await startAsSupervised(() => stack.startAnother(name));
    await until(
      'the successor has done it',
      async () => restingStatus((await readImport(stack, importId)).status),
      otherFaultsMsMax,
    );
    frozen.kill('SIGCONT');
    await successor.stop();
  } finally {
    frozen.kill('SIGCONT');
  }
}

/** Freezes a process for a duration, while another one of its kind does the work. */
export async function freezeBesideAnother(stack: FaultStack, name: AppName, ms: number): Promise<void> {
  const frozen = stack.process(name);
  frozen.kill('SIGSTOP');
  try {
    const successor = await startAsSupervised(() => stack.startAnother(name));
    await passes(ms);
    frozen.kill('SIGCONT');
    await successor.stop();
  } finally {
    frozen.kill('SIGCONT');
  }
}

/** Freezes a process until the import has progressed without it. */
export async function freezeUntilProgress(stack: FaultStack, name: AppName, importId: string): Promise<void> {
  const before = (await readImport(stack, importId)).version;
  stack.process(name).kill('SIGSTOP');
  try {
    await until(
      'the work continues',
      async () => (await readImport(stack, importId)).version !== before,
      otherFaultsMsMax,
    );
  } finally {
    stack.process(name).kill('SIGCONT');
  }
}

/** Kills object storage until the import shows it, and at least for `downMs`. */
export async function storageDown(stack: FaultStack, importId: string, downMs: number): Promise<void> {
  stack.services.storage().kill('SIGKILL');
  await stack.services.storage().ended;
  const down = passes(downMs);
  await until('the import waits, visibly', async () => {
    return (await readImport(stack, importId)).waiting_for === 'Object storage is unavailable.';
  });
  await down;
  await stack.services.startStorage();
}

/** What can be frozen and continued by signals. */
type Freezable = { kill(signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> | void };

/** Freezes for a duration: clients get no answer, but their connections stay open. */
export async function freezeFor(frozen: Freezable, ms: number): Promise<void> {
  await frozen.kill('SIGSTOP');
  try {
    await passes(ms);
  } finally {
    await frozen.kill('SIGCONT');
  }
}

/** Kills Redis for a duration and restarts it with the same file. */
export async function redisDown({ redis }: FaultStack, downMs: number): Promise<void> {
  await redis?.end('SIGKILL');
  await passes(downMs);
  await redis?.start();
}

/** Waits for a duration, which is the fault itself. */
async function passes(ms: number): Promise<void> {
  const since = performance.now();
  await until('it was down long enough', () => performance.now() - since >= ms, ms + 10_000);
}
