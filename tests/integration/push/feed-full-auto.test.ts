import { savePreferences } from '@draftshelf/core/access/preferences';
import { findPreview } from '@draftshelf/core/push/previews/previews';
import { upsertShop } from '@draftshelf/core/push/store/shops';
import { setFeedFullAuto } from '@draftshelf/core/suppliers/feeds';
import { expect, onTestFinished } from 'vitest';
import { feedSteps } from '../../support/feed-steps.ts';
import { csvOf, until } from '../../support/fixture.ts';
import { startListServer } from '../../support/list-server.ts';
import { pushSteps } from '../../support/push-steps.ts';
import { pushers, stack, testOnWorkers } from '../../support/test.ts';
import { undoSteps } from '../../support/undo-steps.ts';

const test = testOnWorkers(pushers);
const { read, reach, push, counted, calls, productsNamed } = pushSteps(() => stack);
const { undo } = undoSteps(() => stack);
const currency = 'CAD';

/** Ten products with a price that differs in each version. */
const listOf = (version: number, { rows = 10, columns = 4 } = {}) =>
  csvOf(
    [
      ['Title', 'SKU', 'Price', 'Quantity'],
      ...Array.from({ length: rows }, (_, at) => [`Feed ${at}`, `F-${at}`, `10.${10 + version}`, '5']),
    ].map((row) => row.slice(0, columns)),
  );

test('after three lists that were pushed as planned the next ones are; each gate takes that back', async () => {
  const server = await startListServer();
  onTestFinished(server.close);
  const { db, pool } = stack.database;
  const steps = feedSteps(stack, { allowedOrigins: [server.origin], currency });
  await savePreferences(db, { autoPushDelayMinutes: 0 });
  await upsertShop(db, { shop: 'draftshelf-demo.myshopify.com', url: stack.store.url, currency });
  server.serve('/list.csv', listOf(0));
  const { id, supplier } = await steps.add(`${server.origin}/list.csv`, 'Acme');
  const setItself = (to: boolean) => db.transaction().execute((trx) => setFeedFullAuto(trx, supplier, to));
  const bring = async (list: string): Promise<string> => {
    server.serve('/list.csv', list);
    await steps.fetch(supplier);
    return (await steps.imports()).at(-1)?.id ?? '';
  };
  for (let version = 1; version <= 3; version += 1) {
    const list = await bring(listOf(version));
    await reach(list, 'processed', 'queued');
    await steps.run('poll-feeds');
    await until(
      'the push is planned',
      async () => (await findPreview(db, list, 'push'))?.previewed_at != null,
    );
    expect(await setItself(true)).toBe('not yet');
    await push(list);
    await reach(list, 'completed');
    await counted(list);
    await steps.run('poll-feeds');
    expect((await steps.fetches(id))[0]).toMatchObject({ import_id: list, agreed: 'equal' });
  }
  expect(await setItself(true)).toBe('not yet');
  await pool.query(
    `update feed_fetches set at = at - interval '1 day' where id = (select min(id) from feed_fetches)`,
  );
  expect(await setItself(true)).toBe(true);

  const byItself = async (version: number) => {
    const list = await bring(listOf(version));
    await reach(list, 'completed');
    await counted(list);
    await steps.run('poll-feeds');
    expect(await steps.find(id)).toMatchObject({ runs_itself: true, itself_ended: null });
    const prices = (await productsNamed('Feed')).map(({ variants }) => variants[0]?.price);
    expect(prices).toEqual(Array(10).fill(`10.${10 + version}`));
    return list;
  };
  await byItself(4);

  /** It has ended for a reason, and lists wait for a person until three of them agree again. */
  const endsWith = async (reason: RegExp) => {
    await until('full auto has ended', async () => {
      await steps.run('poll-feeds');
      return !(await steps.find(id)).runs_itself;
    });
    expect((await steps.find(id)).itself_ended).toMatch(reason);
    expect(await setItself(true)).toBe('not yet');
    await pool.query(
      'update feeds set runs_itself = true, itself_at = clock_timestamp(), itself_ended = null where id = $1',
      [id],
    );
  };
  const isHeld = async (list: string, reason: RegExp) => {
    const before = await calls();
    await until('it is held', async () => (await read(list)).auto_held !== null);
    await endsWith(reason);
    expect(await calls()).toBe(before);
    expect(await read(list)).toMatchObject({ push_run: 0 });
  };
  await isHeld(await bring(listOf(5, { columns: 3 })), /no longer has a column for Quantity/);
  await isHeld(await bring(listOf(6, { rows: 7 })), /3 of 10 rows of the last list were missing/);
  await byItself(7);

  await savePreferences(db, { autoPushDelayMinutes: 10 });
  const stopped = await bring(listOf(8));
  await until('its push is due', async () => (await read(stopped)).auto_push_at !== null);
  const stop = { body: { action: 'stop' } };
  expect((await stack.api.call('POST', `/api/queue/${stopped}/auto-push`, stop)).status).toBe(200);
  await isHeld(stopped, /you stopped it/);
  await savePreferences(db, { autoPushDelayMinutes: 0 });

  await undo(await byItself(9));
  await endsWith(/A push was undone/);
});
