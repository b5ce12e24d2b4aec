import type { AppName, AppProcess } from '../support/app-process.ts';
import { until } from '../support/fixture.ts';
import { type FaultStack, otherFaultsMsMax, readImport, restingStatus } from './fault-stack.ts';

/** As a supervisor does: a process that cannot start, because a service is just away, is started again. */
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
export async function kill(stack: FaultStack, name: AppName): Promise<void> {
  stack.process(name).kill('SIGKILL');
  await stack.process(name).ended;
  await startAsSupervised(() => stack.start(name));
}

/** Ends one in order, which it must do with success, and starts it again. */
export async function endInOrder(stack: FaultStack, name: AppName): Promise<void> {
  const process = stack.process(name);
  await process.stop();
  const how = await process.ended;
  if (how !== '0') throw new Error(`${name} was asked to stop and ended with ${how}:\n${process.output()}`);
  await startAsSupervised(() => stack.start(name));
}

/** Frozen until another process has done all of its work; then it goes on, and must find nothing left to commit. */
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

/** Frozen until the work has gone on without it. */
export async function freezeUntilProgress(stack: FaultStack, name: AppName, importId: string): Promise<void> {
  const before = (await readImport(stack, importId)).version;
  stack.process(name).kill('SIGSTOP');
  try {
    await until(
      'the work goes on',
      async () => (await readImport(stack, importId)).version !== before,
      otherFaultsMsMax,
    );
  } finally {
    stack.process(name).kill('SIGCONT');
  }
}

/** Away until somebody has noticed, and at least `awayMs`. */
export async function storageAway(stack: FaultStack, importId: string, awayMs: number): Promise<void> {
  stack.services.storage().kill('SIGKILL');
  await stack.services.storage().ended;
  const away = passes(awayMs);
  await until('the import waits, visibly', async () => {
    return (await readImport(stack, importId)).waiting_for === 'Object storage is unavailable.';
  });
  await away;
  await stack.services.startStorage();
}

/** What can be stopped and let go on by signals. */
type Freezable = { kill(signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> | void };

/** Frozen for so long: whoever asks it gets no answer, and no broken connection either. */
export async function freezeFor(frozen: Freezable, ms: number): Promise<void> {
  await frozen.kill('SIGSTOP');
  try {
    await passes(ms);
  } finally {
    await frozen.kill('SIGCONT');
  }
}

/** Redis gone for so long; it comes back over the same file. */
export async function redisAway({ redis }: FaultStack, awayMs: number): Promise<void> {
  await redis?.end('SIGKILL');
  await passes(awayMs);
  await redis?.start();
}

/** A fault that is a length of time has nothing else to wait for. */
async function passes(ms: number): Promise<void> {
  const since = performance.now();
  await until('it was away long enough', () => performance.now() - since >= ms, ms + 10_000);
}
