import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process as the system sees it. `startedAt` distinguishes it from a later one with the same id. */
export type ProcessEntry = { pid: number; parentPid: number; startedAt: string; command: string };

/** The process with this id, or undefined if it has ended (a zombie has ended). */
export function readProcess(pid: number): ProcessEntry | undefined {
  try {
    return process.platform === 'linux' ? readFromProc(pid) : readFromPs(pid);
  } catch {
    // What cannot be read has ended.
    return undefined;
  }
}

function readFromProc(pid: number): ProcessEntry | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // proc_pid_stat(5): the name in brackets may contain anything, so fields are counted after it, from the third.
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
