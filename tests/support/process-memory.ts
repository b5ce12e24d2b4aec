import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';

/** The memory of a process, as Linux reports it. */
export type ProcessMemory = {
  residentBytes(): Promise<number>;
  /** The peak resident size since the last `forgetPeak`. */
  peakBytes(): Promise<number>;
  forgetPeak(): Promise<void>;
};

export function memoryOf(pid: number): ProcessMemory {
  const bytesOf = async (field: 'VmRSS' | 'VmHWM') => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024;
  };
  return {
    residentBytes: () => bytesOf('VmRSS'),
    peakBytes: () => bytesOf('VmHWM'),
    forgetPeak: () => writeFile(`/proc/${pid}/clear_refs`, '5'),
  };
}

/** The peak resident size of the children that a process starts until `stop`, as seen every 10 ms. */
export function watchChildren(parent: number): { stop(): number } {
  let peak = 0;
  const look = () => {
    for (const pid of filled(`/proc/${parent}/task/${parent}/children`).split(' ')) {
      const status = pid === '' ? '' : filled(`/proc/${pid}/status`);
      peak = Math.max(peak, 1024 * Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0));
    }
  };
  const timer = setInterval(look, 10);
  return {
    stop() {
      clearInterval(timer);
      return peak;
    },
  };
}

/** A file of a process, which may have ended. */
function filled(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}
