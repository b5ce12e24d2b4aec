import type { AppName, AppProcess } from '../support/app-process.ts';
import { until } from '../support/fixture.ts';
import { type FaultLine, otherFaultsMsMax, readImport, restingStatus } from './fault-stack.ts';

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
export async function kill(line: FaultLine, name: AppName): Promise<void> {
  line.process(name).kill('SIGKILL');
  await line.process(name).ended;
  await startAsSupervised(() => line.start(name));
}

/** Ends one in order, which it must do with success, and starts it again. */
export async function endInOrder(line: FaultLine, name: AppName): Promise<void> {
  const process = line.process(name);
  await process.stop();
  const how = await process.ended;
  if (how !== '0') throw new Error(`${name} was asked to stop and ended with ${how}:\n${process.output()}`);
  await startAsSupervised(() => line.start(name));
}

/** Frozen until another process has done all of its work; then it goes on, and must find nothing left to commit. */
export async function freezeUntilDone(line: FaultLine, name: AppName, importId: string): Promise<void> {
  const frozen = line.process(name);
  frozen.kill('SIGSTOP');
  try {
    const successor = await startAsSupervised(() => line.startAnother(name));
    await until(
      'the successor has done it',
      async () => restingStatus((await readImport(line, importId)).status),
      otherFaultsMsMax,
    );
    frozen.kill('SIGCONT');
    await successor.stop();
  } finally {
    frozen.kill('SIGCONT');
  }
}

/** Frozen until the work has gone on without it. */
export async function freezeUntilProgress(line: FaultLine, name: AppName, importId: string): Promise<void> {
  const before = (await readImport(line, importId)).version;
  line.process(name).kill('SIGSTOP');
  try {
    await until(
      'the work goes on',
      async () => (await readImport(line, importId)).version !== before,
      otherFaultsMsMax,
    );
  } finally {
    line.process(name).kill('SIGCONT');
  }
}

/** Away until somebody has noticed, and at least `awayMs`. */
export async function storageAway(line: FaultLine, importId: string, awayMs: number): Promise<void> {
  line.services.storage().kill('SIGKILL');
  await line.services.storage().ended;
  const away = passes(awayMs);
  await until('the import waits, visibly', async () => {
    return (await readImport(line, importId)).waiting_for === 'Object storage cannot be reached.';
  });
  await away;
  await line.services.startStorage();
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
export async function redisAway({ redis }: FaultLine, awayMs: number): Promise<void> {
  await redis?.end('SIGKILL');
  await passes(awayMs);
  await redis?.start();
}

/** A fault that is a length of time has nothing else to wait for. */
async function passes(ms: number): Promise<void> {
  const since = performance.now();
  await until('it was away long enough', () => performance.now() - since >= ms, ms + 10_000);
}
