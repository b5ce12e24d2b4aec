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
