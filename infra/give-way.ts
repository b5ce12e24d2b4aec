import { readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** A third of the api's share of a busy processor on Linux. Programs of others that keep it busy go first, too. */
export const niceness = 5;

/** The kernel lets a user without privileges change one group every 100 ms (sched(7)). */
const retryMs = 150;
const triesMax = 20;

/**
 * Lets the api run before this process and those that it starts where processors are short, so that screens answer
 * while workers are busy. A process that began a session of its own may be scheduled as a group on Linux; then the
 * priority of the group counts, and that of a process only within it.
 */
export function giveWay(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, niceness);
  } catch {
    // It has ended already, or the system does not allow it. Then it has the priority of the others.
  }
  lowerGroup(pid, triesMax);
}

function lowerGroup(pid: number, triesLeft: number): void {
  const file = `/proc/${pid}/autogroup`;
  try {
    if (groupIn(file) !== groupIn('/proc/self/autogroup')) writeFileSync(file, String(niceness));
  } catch (error) {
    const isTooOften = error instanceof Error && 'code' in error && error.code === 'EAGAIN';
    // Other systems have no such groups.
    if (isTooOften && triesLeft > 0) setTimeout(() => lowerGroup(pid, triesLeft - 1), retryMs).unref();
  }
}

/** '/autogroup-7 nice 0' is group 7. */
const groupIn = (file: string): string | undefined => readFileSync(file, 'utf8').split(' ')[0];
