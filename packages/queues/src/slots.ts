import type { Db } from '@draftshelf/core/connection/database';
import { findWaitingImports } from '@draftshelf/core/work/chunks';
import type { Stage } from '@draftshelf/domain/imports/stages';

export type Slots = ReturnType<typeof createSlots>;

/** Tracks slots by import. If an import lacks a slot at two looks, the import with most slots releases its newest. */
export function createSlots(db: Db, { stage, count }: { stage: Stage; count: number }) {
  type Held = { importId: string; releasing: AbortController };
  const all = new Set<Held>();
  let waitedBefore = new Set<string>();
  return {
    /** Runs `work` on an import's chunk in a slot. The signal aborts if another import needs the slot. */
    async hold<T>(importId: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
      const held = { importId, releasing: new AbortController() };
      all.add(held);
      try {
        return await work(held.releasing.signal);
      } finally {
        all.delete(held);
      }
    },
    /** Releases a slot if another import has waited since the last look. Call it periodically. */
    async look(): Promise<void> {
      const several = [...Map.groupBy(all, (held) => held.importId).values()].filter(
        (held) => held.length > 1,
      );
      const isFreeing = [...all].some(({ releasing }) => releasing.signal.aborted);
      const waiting =
        all.size < count || isFreeing || several.length === 0 ? [] : await findWaitingImports(db, stage);
      const isLate = waiting.some((importId) => waitedBefore.has(importId));
      waitedBefore = new Set(waiting);
      if (!isLate) return;
      const [most] = several.toSorted((one, other) => other.length - one.length);
      most?.at(-1)?.releasing.abort();
    },
  };
}
