import { reportThisProcess } from '@draftshelf/core/work/report-process';
import { fileDeathSentences } from '@draftshelf/domain/work/deaths';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { until } from '../support/fixture.ts';
import { askForLook, beginWatching, dropFile } from '../support/folder-steps.ts';
import { type Stack, startStack } from '../support/stack.ts';
import { fileOf } from '../support/watched-folder.ts';
import { type HoldingStorage, startHoldingStorage } from './holding-storage.ts';
import { kill } from './inject.ts';

let stack: Stack;
let proxy: HoldingStorage;
let other: { stop(): Promise<void> };
beforeAll(async () => {
  proxy = await startHoldingStorage(inject('services').s3.endpoint);
  stack = await startStack({
    names: ['folder-worker'],
    env: { S3_ENDPOINT: proxy.endpoint, FOLDER_SETTLE_MS: '200' },
  });
  await beginWatching(stack);
  // Another process that has the database meanwhile.
  other = await reportThisProcess(stack.database.db, {
    ...{ kind: 'api', version: '1', slots: 0, onProblem: () => {} },
  });
});
afterAll(async () => {
  await other?.stop();
  await stack?.close();
  await proxy?.close();
});

const fileNamed = async (wanted: string) => {
  const { rows } = await stack.database.pool.query(
    'select state, reason, deaths, suspected from watched_files where name = $1',
    [wanted],
  );
  return rows[0];
};
/** Waits until the worker is held at the file that it is about to store. */
const isHeld = (hold: ReturnType<typeof holdNext>) =>
  until('a file is read', async () => {
    await askForLook(stack);
    return hold.isWaiting();
  });
/** Holds the worker when it is about to store the next file. */
const holdNext = () => proxy.hold({ method: 'PUT', key: /^files\//, when: 'before' });

/** As if the dead process had been silent for a while, if Postgres ran then. */
async function timePasses() {
  const { pool } = stack.database;
  await pool.query(`
    update processes set answered_since = answered_since - interval '1 minute';
    update processes set seen_at = greatest(seen_at - interval '16 s', pg_postmaster_start_time() + interval '1 s')
    where died_at is null and id in (
      select id from processes where kind = 'folder-worker' order by started_at desc offset 1)`);
  await until('the death is noted', async () => {
    const { rows } = await pool.query(
      `select from processes where kind = 'folder-worker' and died_at is null`,
    );
    return rows.length === 1;
  });
}

it('a file that kills its worker each time lets the others be read, and fails with a sentence', async () => {
  await dropFile(stack.watchFolder, 'a-bomb.csv', fileOf('bomb'));
  let bomb = holdNext();
  await isHeld(bomb);
  await dropFile(stack.watchFolder, 'b-good.csv', fileOf('good'));
  await until('the other file is seen', async () => {
    await askForLook(stack);
    return (await fileNamed('b-good.csv')) !== undefined;
  });
  await kill(stack, 'folder-worker');
  await bomb.release();
  const good = holdNext();
  await timePasses();
  await isHeld(good);
  expect(await fileNamed('a-bomb.csv')).toMatchObject({ state: 'waiting', deaths: 1, suspected: true });
  for (const deaths of [2, 3]) {
    bomb = holdNext();
    if (deaths === 2) await good.release();
    else await timePasses();
    await isHeld(bomb);
    expect(await fileNamed('b-good.csv')).toMatchObject({ state: 'taken' });
    await kill(stack, 'folder-worker');
    await bomb.release();
  }
  await timePasses();
  await until('the file has failed', async () => (await fileNamed('a-bomb.csv'))?.state === 'failed');
  expect(await fileNamed('a-bomb.csv')).toMatchObject({ deaths: 3, reason: fileDeathSentences.failed });
});

it('a file counts nothing when its worker stops in order', async () => {
  await dropFile(stack.watchFolder, 'c.csv', fileOf('c'));
  const hold = holdNext();
  await isHeld(hold);
  await stack.process('folder-worker').stop();
  // The storage may hold it for longer than a stop takes. The process has removed itself: nothing is noted later.
  expect(await fileNamed('c.csv')).toMatchObject({ deaths: 0, suspected: false });
  const { rows } = await stack.database.pool.query(
    `select from processes where kind = 'folder-worker' and died_at is null`,
  );
  expect(rows).toEqual([]);
  await hold.release();
});
