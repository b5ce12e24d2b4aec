import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = '/sys/fs/cgroup';
/** Short, so that a process is not held for long at a time. */
const periodMicros = 20_000;

/** A share of a core that processes are held to. */
export type Quota = { hold(pid: number): void; remove(): void };

/**
 * Makes a control group of `cores` for each process that it holds, with either version of cgroups. Takes root.
 *
 * @throws Error if this system lets nobody make one
 */
export function processorQuota(cores: number): Quota {
  const made: string[] = [];
  const isFirstVersion = existsSync(join(root, 'cpu/cpu.cfs_quota_us'));
  const quotaMicros = Math.round(cores * periodMicros);
  return {
    hold(pid) {
      const dir = join(root, isFirstVersion ? 'cpu' : '', `draftshelf-bench-${pid}`);
      if (!isFirstVersion) writeFileSync(join(root, 'cgroup.subtree_control'), '+cpu');
      mkdirSync(dir);
      made.push(dir);
      if (isFirstVersion) {
        writeFileSync(join(dir, 'cpu.cfs_period_us'), String(periodMicros));
        writeFileSync(join(dir, 'cpu.cfs_quota_us'), String(quotaMicros));
      } else {
        writeFileSync(join(dir, 'cpu.max'), `${quotaMicros} ${periodMicros}`);
      }
      writeFileSync(join(dir, 'cgroup.procs'), String(pid));
    },
    // After the processes have ended.
    remove() {
      for (const dir of made.splice(0)) rmdirSync(dir);
    },
  };
}
