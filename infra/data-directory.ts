import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, rename, rm, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { isMissing, readIfThere, writeDurably } from './durable-file.ts';
import { freePort, isPortFree } from './free-port.ts';
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
      stopping: false,
    };
    await takeLock(lock, directory, holder, report);
    return {
      // Optional: a full disk must not prevent the stop.
      markStopping: () => writeDurably(lock, JSON.stringify({ ...holder, stopping: true })).catch(() => {}),
      release: () => rm(lock, { force: true }),
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
  const held = await readIfThere(path.join(directory, 'lock'));
  const holder = held === undefined ? undefined : readHolder(held);
  return holder !== undefined && isRunning(holder);
}

/** The process that holds the lock. If it has ended, also by a crash of the machine, the lock is stale. */
const Holder = z.object({ pid: z.number(), startedAt: z.string(), stopping: z.boolean() });
const isRunning = ({ pid, startedAt }: z.infer<typeof Holder>) => readProcess(pid)?.startedAt === startedAt;

async function takeLock(
  lock: string,
  directory: string,
  own: z.infer<typeof Holder>,
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
      if (holder === undefined || !isRunning(holder)) {
        await removeStale(lock, held);
        continue;
      }
      if (performance.now() - startedAt > (holder.stopping ? stopMsMax : noticeMsMax)) {
        throw new StartError(
          `${directory} is in use by another instance (process ${holder.pid}). Stop it, or set DATA_DIR.`,
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
function readHolder(text: string): z.infer<typeof Holder> | undefined {
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
