import type { ServerResponse } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';

/** Maximum time for which a poll is held. Screens poll every two seconds. */
export const pollHeldMsDefault = 1_800;
/** Pause between queries. One query serves all held polls and takes its connection for a millisecond. */
const checkEveryMs = 40;
/** Maximum number of held polls. Further polls are answered at once. */
const heldMax = 100;

type HeldPoll = { importId: string; release: () => void };

/**
 * Returns a function that resolves when an import has left `processing`, its client has gone, or `heldMsMax` has
 * passed. `listProcessing` returns the given ids whose imports are still processing.
 */
export function createPollHolder(
  listProcessing: (ids: string[]) => Promise<ReadonlySet<string>>,
  heldMsMax: number,
) {
  const held = new Set<HeldPoll>();
  let checking = false;
  const check = async () => {
    checking = true;
    while (held.size > 0) {
      const asked = [...held];
      // If the query fails, all held polls are released. Each poll's own read then fails too and reports the error.
      const processing = await listProcessing(asked.map(({ importId }) => importId)).catch(() => null);
      for (const { importId, release } of asked) if (!processing?.has(importId)) release();
      if (held.size > 0) await after(checkEveryMs);
    }
    checking = false;
  };
  return async (importId: string, response: ServerResponse): Promise<void> => {
    if (held.size >= heldMax) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const poll = { importId, release: resolve };
    held.add(poll);
    const timeout = setTimeout(resolve, heldMsMax);
    response.once('close', resolve);
    if (!checking) void check();
    await promise;
    clearTimeout(timeout);
    response.removeListener('close', resolve);
    held.delete(poll);
  };
}
