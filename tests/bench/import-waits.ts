import { setTimeout as pause } from 'node:timers/promises';
import type { OpenDatabase } from '@draftshelf/core/connection/database';

/** Waits until a condition holds. `everyMs`: how exact a measured time is. */
export async function waitUntil(
  holds: () => Promise<boolean>,
  { everyMs = 10, msMax = Number.POSITIVE_INFINITY } = {},
): Promise<void> {
  const deadline = performance.now() + msMax;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error('It took too long');
    await pause(everyMs);
  }
}

/** Waits until an import has no open chunks and tasks, or none of which `which` holds. */
export async function waitForTasks({ pool }: OpenDatabase, id: string, which = 'true'): Promise<void> {
  await waitUntil(async () => {
    const { rowCount } = await pool.query(
      `select from chunks where import_id = $1 and state in ('pending', 'published') and ${which} limit 1`,
      [id],
    );
    return rowCount === 0;
  });
}
