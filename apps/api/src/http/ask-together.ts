import { setTimeout as after } from 'node:timers/promises';
import { answerWithin } from '@draftshelf/runtime/answer-within';
import DataLoader from 'dataloader';

const idsMax = 500;

/** Runs one query at a time, at least `everyMs` after the last. Callers meanwhile share the next one. */
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
