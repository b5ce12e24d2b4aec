import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { link, mkdir, rename, rm, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { isMissing, readIfThere, writeDurably } from './durable-file.ts';
import { freePort, isPortFree } from './free-port.ts';
import { type KernelLock, tryKernelLock } from './kernel-lock.ts';
import { readProcess } from './process-table.ts';
import { explained, StartError } from './start-error.ts';

/** Below this, Postgres cannot even write its write-ahead log. */
const freeBytesMin = 256 * 1024 * 1024;

/** How long an instance may take to notice that its npm was killed and to mark itself as stopping. */
const noticeMsMax = 1500;
/** How long a stopping instance may take: its workers finish their chunks, Postgres writes a checkpoint. */
const stopMsMax = 90_000;
const lookEveryMs = 100;

/** A data directory that this process holds until `release`. */
export type HeldDirectory = {
  /** Lets the next start wait for this instance. */
  markStopping: () => Promise<void>;
  release: () => Promise<void>;
};

/** Creates the data directory and locks it for this process. Waits for an instance that is stopping. */
export async function openDataDirectory(
  directory: string,
  report: (text: string) => void,
): Promise<HeldDirectory> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await checkSpace(directory);
    const lock = path.join(directory, 'lock');
    const holder = {
      pid: process.pid,
      startedAt: readProcess(process.pid)?.startedAt ?? '',
      place,
      stopping: false,
    };
    await takeLock(lock, directory, holder, report);
    const kernelLock = await takeKernelLock(kernelLockOf(lock));
    return {
      // Optional: a full disk must not prevent the stop.
      markStopping: () => writeDurably(lock, JSON.stringify({ ...holder, stopping: true })).catch(() => {}),
      release: async () => {
        await rm(lock, { force: true });
        kernelLock?.release();
      },
    };
  } catch (error) {
    throw explained(error, directory);
  }
}

async function checkSpace(directory: string): Promise<void> {
  const disk = await statfs(directory);
  const freeBytes = disk.bavail * disk.bsize;
  if (freeBytes >= freeBytesMin) return;
  const megabytes = (bytes: number) => `${Math.floor(bytes / 1024 / 1024)} MB`;
  throw new StartError(
    `The disk of ${directory} is full: ${megabytes(freeBytes)} are free, ${megabytes(freeBytesMin)} are needed.`,
  );
}

/** Whether a running process holds the data directory. */
export async function isHeld(directory: string): Promise<boolean> {
  const lock = path.join(directory, 'lock');
  const held = await readIfThere(lock);
  const holder = held === undefined ? undefined : readHolder(held);
  return holder !== undefined && (await isRunning(holder, lock));
}

/** The process that holds the lock. If it has ended, also by a crash of the machine, the lock is stale. */
const Holder = z.object({
  pid: z.number(),
  startedAt: z.string(),
  /** Where its pid is valid. A version before has not written it. */
  place: z.string().optional(),
  stopping: z.boolean(),
});
type Holder = z.infer<typeof Holder>;

/** The start of this machine and the container: processes of others cannot be seen. */
const place = process.platform === 'linux' ? readPlace() : '';

function readPlace(): string {
  const start = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return `${start} ${readlinkSync('/proc/self/ns/pid')}`;
}

const isElsewhere = (holder: Holder) => holder.place !== undefined && holder.place !== place;

/** The child of an instance that was killed here may hold it for a moment. */
async function takeKernelLock(file: string): Promise<KernelLock | undefined> {
  for (const startedAt = performance.now(); ; await sleep(lookEveryMs)) {
    const lock = await tryKernelLock(file);
    if (typeof lock === 'object') return lock;
    if (lock === 'unknown') return undefined;
    if (performance.now() - startedAt > noticeMsMax)
      throw new StartError(`${file} is locked by another instance.`);
  }
}

/** What a holder has locked in the kernel: the lock itself is replaced when it changes. */
const kernelLockOf = (lock: string) => `${lock}.kernel`;

async function isRunning(holder: Holder, lock: string): Promise<boolean> {
  if (!isElsewhere(holder)) return readProcess(holder.pid)?.startedAt === holder.startedAt;
  const found = await tryKernelLock(kernelLockOf(lock));
  if (typeof found === 'object') found.release();
  return found === 'held';
}

async function takeLock(
  lock: string,
  directory: string,
  own: Holder,
  report: (text: string) => void,
): Promise<void> {
  const temporary = `${lock}.${randomUUID()}`;
  // Synced: after a power failure the lock must not be there without its content.
  await writeFile(temporary, JSON.stringify(own), { mode: 0o600, flush: true });
  const startedAt = performance.now();
  let waiting = false;
  try {
    while (!(await linkIfFree(temporary, lock))) {
      const held = await readIfThere(lock);
      if (held === undefined) continue;
      const holder = readHolder(held);
      if (holder === undefined || !(await isRunning(holder, lock))) {
        await removeStale(lock, held);
        continue;
      }
      if (performance.now() - startedAt > (holder.stopping ? stopMsMax : noticeMsMax)) {
        const where = isElsewhere(holder) ? 'in another container or machine' : `process ${holder.pid}`;
        throw new StartError(
          `${directory} is in use by another instance (${where}). Stop it, or set DATA_DIR.`,
        );
      }
      if (holder.stopping && !waiting) report('Waiting for the previous instance to stop …');
      waiting = holder.stopping;
      await sleep(lookEveryMs);
    }
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Undefined if it is not what a holder writes: its machine has lost power, so it holds nothing. */
function readHolder(text: string): Holder | undefined {
  try {
    return Holder.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

async function linkIfFree(temporary: string, lock: string): Promise<boolean> {
  try {
    await link(temporary, lock);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Removes a stale lock, and puts it back if another starter has replaced it meanwhile. */
async function removeStale(lock: string, stale: string): Promise<void> {
  const aside = `${lock}.${randomUUID()}`;
  try {
    await rename(lock, aside);
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  if ((await readIfThere(aside)) !== stale) await linkIfFree(aside, lock);
  await rm(aside, { force: true });
}

/** A secret that is generated at the first start and stored, readable by its owner only. */
export async function keptSecret(file: string): Promise<string> {
  const kept = (await readIfThere(file))?.trim();
  if (kept) return kept;
  const secret = randomBytes(32).toString('hex');
  await writeDurably(file, `${secret}\n`);
  return secret;
}

/** A key that people type: 5 groups of 4 letters and digits, without look-alikes (100 bits). */
export async function keptAccessKey(file: string): Promise<string> {
  const kept = (await readIfThere(file))?.trim();
  if (kept) return kept;
  const alphabet = 'abcdefghjkmnpqrstuvwxyz023456789';
  const letters = Array.from(randomBytes(20), (byte) => alphabet[byte % alphabet.length]).join('');
  const key = letters.replace(/(.{4})(?=.)/g, '$1-');
  await writeDurably(file, `${key}\n`);
  return key;
}

/** A loopback port that stays the same between starts, unless another program has taken it. */
export async function keptPort(file: string): Promise<number> {
  const kept = Number(await readIfThere(file));
  if (Number.isInteger(kept) && kept > 0 && (await isPortFree('127.0.0.1', kept))) return kept;
  const port = await freePort();
  await writeDurably(file, `${port}\n`);
  return port;
}
