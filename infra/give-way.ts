import { setPriority } from 'node:os';

/** A third of the api's share of a busy processor on Linux. Programs of others that keep it busy go first, too. */
export const niceness = 5;

/**
 * Lets the api run before this process and those that it starts where processors are short, so that screens answer
 * while workers and Postgres are busy.
 */
export function giveWay(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, niceness);
  } catch {
    // It has ended already, or the system does not allow it. Then it has the priority of the others.
  }
}
