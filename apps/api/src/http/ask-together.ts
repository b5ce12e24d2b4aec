import { setTimeout as after } from 'node:timers/promises';
import { answerWithin } from '@draftshelf/runtime/answer-within';
import DataLoader from 'dataloader';

/** A query asks for this many ids at most. */
const idsMax = 500;

/**
 * Asks which ids are among those that `list` returns, with one query at a time, begun at least `everyMs` after the one
 * before: who asks meanwhile shares the next one. A query that fails, or takes longer than `msMax`, rejects for those
 * who share it only. Nothing is cached. `asked` names what is listed for the error.
 */
export function askTogether(
  list: (ids: readonly string[]) => Promise<ReadonlySet<string>>,
  { asked, msMax, everyMs }: { asked: string; msMax: number; everyMs: number },
): (id: string) => Promise<boolean> {
  let asking: Promise<unknown> = Promise.resolve();
  let turn: Promise<unknown> = Promise.resolve();
  const loader = new DataLoader(
    async (ids: readonly string[]) => {
      const listed = answerWithin(msMax, asked, () => list(ids));
      asking = Promise.all([listed.catch(() => {}), after(everyMs, undefined, { ref: false })]);
      const found = await listed;
      return ids.map((id) => found.has(id));
    },
    {
      cache: false,
      maxBatchSize: idsMax,
      batchScheduleFn: (dispatch) => {
        turn = turn.then(() => {
          dispatch();
          return asking;
        });
      },
    },
  );
  return (id) => loader.load(id);
}
