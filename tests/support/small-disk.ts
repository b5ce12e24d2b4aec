import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const bytes = 16 * 1024 * 1024;

/** A disk of a few megabytes. */
export type SmallDisk = {
  dir: string;
  /** Puts a file on it, so that this share of the disk is free. */
  leaveFree(share: number): Promise<void>;
  /** Its space as node_exporter shows it. */
  nodeMetrics(): Promise<string>;
  remove(): Promise<void>;
};

/** Makes a small disk in memory; undefined, and a line that says so, where this process may not mount one. */
export async function makeSmallDisk(): Promise<SmallDisk | undefined> {
  const dir = await mkdtemp(path.join(tmpdir(), 'draftshelf-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', dir], {
    stdio: 'ignore',
  });
  if (mounted.status !== 0) {
    console.warn('NOT TESTED: a disk that fills (only root may mount one)');
    await rm(dir, { recursive: true });
    return undefined;
  }
  return {
    dir,
    leaveFree: (share) => writeFile(path.join(dir, 'ballast'), Buffer.alloc(Math.floor(bytes * (1 - share)))),
    async nodeMetrics() {
      const { bavail, blocks, bsize } = await statfs(dir);
      const of = `{mountpoint="${dir}"}`;
      return `node_filesystem_avail_bytes${of} ${bavail * bsize}\nnode_filesystem_size_bytes${of} ${blocks * bsize}\n`;
    },
    async remove() {
      spawnSync('umount', [dir], { stdio: 'ignore' });
      await rm(dir, { recursive: true, force: true });
    },
  };
}
