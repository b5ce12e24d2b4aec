import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** The kernel counts processor time in ticks; this many per second on current Linux. */
const ticksPerSecond = 100;

type Times = { parentPid: number; own: number; ofEndedChildren: number };

/** Seconds of processor time that a process has used so far; 0 where the system does not report it. */
export function processorSeconds(pid: number): number {
  return (readTimes(pid)?.own ?? 0) / ticksPerSecond;
}

/** The same including all children, also ended ones; for Postgres, which consists of several processes. */
export function familyProcessorSeconds(pid: number): number {
  const top = readTimes(pid);
  if (!top) return 0;
  const children = readdirSync('/proc').flatMap((name) => {
    const times = /^\d+$/.test(name) ? readTimes(Number(name)) : undefined;
    return times?.parentPid === pid ? [times.own] : [];
  });
  const ticks = top.own + top.ofEndedChildren + children.reduce((sum, own) => sum + own, 0);
  return ticks / ticksPerSecond;
}

/** Lets the peak of a process begin again at its memory now, where the system can do that. */
export function forgetPeakMemory(pid: number): void {
  try {
    // proc_pid_clear_refs(5)
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    // The peak stays that of the whole run.
  }
}

/** The peak memory of a process so far, in MB; undefined where the system does not report it. */
export function peakMemoryMb(pid: number): number | undefined {
  try {
    const kb = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kb === undefined ? undefined : Math.round(Number(kb) / 1024);
  } catch {
    return undefined;
  }
}

function readTimes(pid: number): Times | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // proc_pid_stat(5): the name in brackets may contain anything, so fields are counted after it, from the third.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = (from: number) => Number(fields[from]) + Number(fields[from + 1]);
    return { parentPid: Number(fields[1]), own: ticks(11), ofEndedChildren: ticks(13) };
  } catch {
    return undefined;
  }
}
