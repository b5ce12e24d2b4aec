import { constants, setPriority } from 'node:os';

/**
 * Lets the api run before this process and its children where processors are short, so that screens answer while
 * workers and Postgres are busy. What runs behind them gets what is left, which is all of it once the api has answered.
 */
export function giveWay(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended already, or the system does not allow it. Then it has the priority of the others.
  }
}
