import { cpus, totalmem } from 'node:os';
import type { OpenDatabase } from '@draftshelf/core/connection/database';

/** The median; for an even count, the lower of the two middle values. */
export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor((sorted.length - 1) / 2)];
  if (middle === undefined) throw new Error('There is no middle of nothing');
  return middle;
}

/** The percentile: the value below which `percent` of the figures are. */
export function percentile(figures: readonly number[], percent: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const at = sorted[Math.min(sorted.length - 1, Math.ceil((percent / 100) * sorted.length) - 1)];
  if (at === undefined) throw new Error('There is no percentile of nothing');
  return at;
}

/** The milliseconds that some work takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** The machine of the measurement. */
export async function describeMachine(database: OpenDatabase): Promise<string> {
  const { rows } = await database.pool.query<{ version: string }>(
    `select split_part(current_setting('server_version'), ' ', 1) as version`,
  );
  const cores = cpus();
  const gib = Math.round(totalmem() / 1024 ** 3);
  const postgres = `PostgreSQL ${rows[0]?.version}`;
  return `${cores.length} × ${cores[0]?.model.trim() || process.arch}, ${gib} GiB, ${process.platform}, Node ${process.versions.node}, ${postgres}`;
}
