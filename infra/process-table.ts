import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process as the system sees it. `startedAt` tells it from a later one that was given the same id. */
export type ProcessEntry = { pid: number; parentPid: number; startedAt: string; command: string };

/** The process with this id, or undefined if there is none any more (a zombie is none). */
export function readProcess(pid: number): ProcessEntry | undefined {
  try {
    return process.platform === 'linux' ? readFromProc(pid) : readFromPs(pid);
  } catch {
    // Whatever could not be read ended while it was looked at, or before.
    return undefined;
  }
}

function readFromProc(pid: number): ProcessEntry | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // proc_pid_stat(5): the name in brackets may hold anything, so counting begins behind it with the third field.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parentPid, startedAt] = [fields[0], fields[1], fields[19]];
  if (state === 'Z' || parentPid === undefined || startedAt === undefined) return undefined;
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  return { pid, parentPid: Number(parentPid), startedAt, command };
}

function readFromPs(pid: number): ProcessEntry | undefined {
  const line = execFileSync('ps', ['-o', 'ppid=,stat=,lstart=,command=', '-p', String(pid)], {
    encoding: 'utf8',
  });
  const found = /^\s*(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s+(.*)$/.exec(line.trimEnd());
  if (!found || found[2]?.startsWith('Z')) return undefined;
  return { pid, parentPid: Number(found[1]), startedAt: found[3] ?? '', command: found[4] ?? '' };
}
