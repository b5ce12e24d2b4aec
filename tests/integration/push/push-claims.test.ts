import { afterEach, expect } from 'vitest';
import { productCsv, until } from '../../support/fixture.ts';
import { pushSteps } from '../../support/push-steps.ts';
import { pushers, stack, testOnWorkers } from '../../support/test.ts';
import { undoSteps } from '../../support/undo-steps.ts';

const it = testOnWorkers(pushers);
const { reach, push, importOf, productsNamed } = pushSteps(() => stack);
const { preview, begin, ended } = undoSteps(() => stack);

afterEach(() => stack.store.clearFaults());

/** A worker may take this long to get the chunk of a killed one. */
const againMsMax = 100_000;

const open = `stage = 'push' and state in ('pending', 'published')`;

type Killed = {
  /** The call of which every second one takes so long; it takes effect at the end of that, also after a kill. */
  slow: { operation: string; delayMs: number };
  /** SQL: counts the products that are decided. */
  decided: string;
};

/** Kills the push worker while it has a chunk for the ninth and the tenth time, each time some products further. */
async function killTwice(id: string, { slow, decided }: Killed, start: () => Promise<unknown>) {
  const { pool } = stack.database;
  const counted = async (sql: string) => Number((await pool.query(sql, [id])).rows[0]?.n ?? 0);
  const worker = () => stack.process('push-worker');
  worker().kill('SIGSTOP');
  await start();
  // Eight claims have ended with their worker before.
  await pool.query(`update chunks set claims = 8 where import_id = $1 and ${open}`, [id]);
  for (const claims of [9, 10]) {
    const before = await counted(decided);
    await stack.store.fault({ kind: 'delay', ...slow, every: 2, times: 100 });
    if (claims === 9) worker().kill('SIGCONT');
    else await stack.start('push-worker');
    await until(
      `claim ${claims} gets on`,
      async () =>
        (await counted(`select max(claims) as n from chunks where import_id = $1 and ${open}`)) === claims &&
        (await counted(decided)) > before,
      againMsMax,
    );
    worker().kill('SIGKILL');
    await worker().ended;
    await stack.store.clearFaults();
  }
  await stack.start('push-worker');
}

it('a push, and its undo, end although their worker is killed each time, if each time gets further', async () => {
  const id = (await importOf(productCsv(12), 'f'.repeat(64))).id;
  const pushed = 'select count(*) as n from outcomes where import_id = $1';
  const set = { slow: { operation: 'productSet', delayMs: 5_000 }, decided: pushed };
  await killTwice(id, set, () => push(id));
  expect(await reach(id, 'completed', 'failed')).toMatchObject({ status: 'completed', created: 12 });
  await preview(id);
  const undone = `select count(*) as n from preview_lines join previews on previews.id = preview
    where import_id = $1 and result is not null`;
  const removed = { slow: { operation: 'productDelete', delayMs: 60_000 }, decided: undone };
  await killTwice(id, removed, () => begin(id));
  await ended(id);
  expect(await productsNamed('')).toEqual([]);
});
