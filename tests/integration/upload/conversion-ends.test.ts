import { beginReread } from '@draftshelf/core/reading/begin-reread';
import { findTableByName } from '@draftshelf/core/reading/file-tables';
import { dropUnwanted } from '@draftshelf/core/work/chunks';
import { ChunkFenced } from '@draftshelf/core/work/claim-chunk';
import { finalizeParse } from '@draftshelf/core/work/finalize/finalize-parse';
import { readLimitsDefault } from '@draftshelf/csv/limits';
import { createTallies } from '@draftshelf/domain/operate/tallies';
import { createObjectStorage, type ObjectStorage } from '@draftshelf/object-storage/connect';
import { type PinnedWork, runChunk } from '@draftshelf/queues/run-chunk';
import { createLogger } from '@draftshelf/runtime/logger';
import { workbookFile } from '@draftshelf/workbooks/testing/workbook-file';
import { afterAll, expect, onTestFinished, vi } from 'vitest';
import { splitStoredFile } from '../../../apps/parse-worker/src/split-stored-file.ts';
import { type HoldingStorage, startHoldingStorage } from '../../faults/holding-storage.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { csvForm } from '../../support/api-client.ts';
import { storedUnder, until } from '../../support/fixture.ts';
import { importSteps } from '../../support/import-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import { api, fixture, testOnApi } from '../../support/test.ts';

let proxy: HoldingStorage;
/** The fixture's, behind the proxy. */
let storage: ObjectStorage;
const { upload, read } = importSteps(() => ({ ...fixture, api }));
const test = testOnApi();
test.beforeAll(async () => {
  proxy = await startHoldingStorage(fixture.storageEnv.S3_ENDPOINT);
  storage = createObjectStorage({ ...fixture.storageEnv, S3_ENDPOINT: proxy.endpoint });
});
afterAll(() => proxy?.close());

/** The text of the second sheet is stored in three parts of 5 MiB: more is read while the first is on its way. */
const longRows = 400;
const long = 'long '.repeat(6_000);
const prices = {
  name: 'Prices',
  rows: [
    ['Title', 'Price'],
    ['Lamp', 1],
  ],
};
let made: ReturnType<typeof workbookFile> | undefined;
const book = () => {
  made ??= workbookFile({
    sheets: [
      prices,
      {
        name: 'New',
        rows: [
          ['Title', 'Price', 'Description'],
          ...Array.from({ length: longRows }, (_, n) => [`Vase ${n}`, 2, `${long}${n}`]),
        ],
      },
    ],
  });
  return made;
};

const tookTooLong = 'Reading the file took more than 15 seconds. Save the list as CSV and upload that.';

/** The deadline of the next conversion, which the test lets pass. */
function ownDeadline(): AbortController {
  const deadline = new AbortController();
  const real = AbortSignal.timeout.bind(AbortSignal);
  const clock = vi.spyOn(AbortSignal, 'timeout');
  clock.mockImplementation((ms) => (ms === 15_000 ? deadline.signal : real(ms)));
  onTestFinished(() => clock.mockRestore());
  return deadline;
}

/** The objects in storage, and the uploads of parts that nobody has ended. */
async function stored(): Promise<string[]> {
  const unfinished: { key: string }[] | null = await Array.fromAsync(
    fixture.storage.client.listIncompleteUploads(fixture.storage.bucket, '', true),
  ).catch((error: Error & { code?: string }) => {
    if (error.code === 'NoSuchUpload') return null;
    throw error;
  });
  // One of them was ended after it had been listed, before its parts were.
  if (unfinished === null) return stored();
  return [...(await storedUnder(fixture.storage, '')), ...unfinished].map(({ key }) => key).sort();
}

/** Ends a conversion by `end` while the first part of a text is on its way to storage. */
async function endMidway<T>(converting: Promise<T>, end: () => unknown): Promise<T> {
  const held = proxy.hold({ method: 'PUT', key: /\.t1v\d+$/, when: 'before' });
  await until('a part of the text is being sent', held.isWaiting);
  expect((await stored()).filter((key) => /\.t1v\d+$/.test(key))).toHaveLength(1);
  await end();
  await held.release();
  return converting;
}

const dialect = JSON.stringify({ table: 'New' });

async function endedUpload(end: (behindProxy: TestApi, sender: AbortController) => unknown) {
  const behindProxy = await startApi(fixture, { set: { storage } });
  onTestFinished(async () => behindProxy.close().catch(() => {}));
  const cookie = (await behindProxy.login()).headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
  const before = await stored();
  const sender = new AbortController();
  const sent = fetch(`${behindProxy.url}/api/upload`, {
    ...{ method: 'POST', headers: { cookie }, signal: sender.signal },
    body: csvForm(await book(), { filename: 'list.xlsx', before: { dialect } }),
  }).then(
    async (reply) => ({ status: reply.status, body: await reply.json() }),
    (error: Error) => error,
  );
  const reply = await endMidway(sent, () => end(behindProxy, sender));
  await until('nothing is left', async () => (await stored()).length === before.length);
  expect(await stored()).toEqual(before);
  return reply;
}

test('an upload whose conversion takes too long is refused with a sentence, and leaves nothing', async () => {
  const deadline = ownDeadline();
  expect(await endedUpload(() => deadline.abort())).toMatchObject({
    ...{ status: 400, body: { code: 'too_much', message: tookTooLong } },
  });
});

test.runIf(isLong)(
  'an upload that waits for others is refused before its connection would be closed',
  async () => {
    let late = () => {};
    const real = setTimeout;
    const clock = vi.spyOn(globalThis, 'setTimeout');
    const ownTime = (does: () => void, ms?: number, ...args: []) => {
      if (ms === 105_000) late = does;
      return real(does, ms, ...args);
    };
    clock.mockImplementation(ownTime as typeof setTimeout);
    onTestFinished(() => clock.mockRestore());
    expect(await endedUpload(() => late())).toMatchObject({
      status: 503,
      body: {
        code: 'busy',
        message: 'The server is reading other files right now. Try again in a minute.',
      },
    });
  },
);

test('an upload whose sender is gone during the conversion leaves nothing', async () => {
  expect(await endedUpload((_, sender) => sender.abort())).toBeInstanceOf(Error);
});

test.runIf(isLong)(
  'an upload is refused with a sentence when the process stops during the conversion',
  async () => {
    let closing: Promise<void> | undefined;
    const close = (behindProxy: TestApi) => {
      closing = behindProxy.close();
    };
    expect(await endedUpload(close)).toMatchObject({
      status: 503,
      body: { code: 'stopping', message: 'The server is being restarted. Upload the file again.' },
    });
    await closing;
  },
);

/** Begins to read the other sheet of an import. No worker runs, so that it is done by `doChunk` only. */
async function begunReread(): Promise<string> {
  const id = await upload(await book(), { supplier: '', dialect: JSON.stringify({ table: 'Prices' }) });
  const { db, pool } = fixture.database;
  await pool.query(`update chunks set state = 'done' where import_id = $1`, [id]);
  await pool.query(
    `with changed as (update imports set status = 'processed', rows_run = 1 where id = $1)
       update runs set open_chunks = 0, completed_at = now() where import_id = $1 and stage = 'parse'`,
    [id],
  );
  await db.transaction().execute(async (trx) => {
    const table = await findTableByName(trx, id, 'New');
    if (typeof table === 'string') throw new Error(table);
    expect(await beginReread(trx, id, { table })).toMatchObject({ ok: true });
  });
  return id;
}

/** Does a chunk of a re-read, as a worker does. */
async function doChunk(
  id: string,
  kind: 'split' | 'finalize',
  signal = new AbortController().signal,
): Promise<void> {
  const { database } = fixture;
  const { rows } = await database.pool.query(
    `select id as "chunkId", publication from chunks where import_id = $1 and kind = $2 and state = 'pending'`,
    [id, kind],
  );
  const limits = { ...readLimitsDefault, csvBytesMax: 50 * 2 ** 20, archiveBytesMax: 50 * 2 ** 20 };
  const logger = createLogger({ name: 'test', level: 'silent', pretty: false });
  const perform = (work: PinnedWork) => splitStoredFile(work, { storage, limits });
  await runChunk(
    rows[0],
    { stage: 'parse', perform, finalize: finalizeParse, tasks: {} },
    { database, logger, tallies: createTallies(), signal },
  );
}

async function endedReread(end: (id: string, stop: AbortController) => unknown): Promise<string> {
  const id = await begunReread();
  const before = await stored();
  const stop = new AbortController();
  const reading = doChunk(id, 'split', stop.signal).catch((error: Error) => error);
  await endMidway(reading, () => end(id, stop));
  expect(await stored()).toEqual(before);
  return id;
}

test.runIf(isLong)('a re-read whose conversion takes too long says so, and changes nothing', async () => {
  const deadline = ownDeadline();
  const id = await endedReread(() => deadline.abort());
  await doChunk(id, 'finalize');
  expect(await read(id)).toMatchObject({
    ...{ status: 'processed', rows_run: 1, total_rows: 1 },
    error_message: `The file couldn’t be read with these settings: ${tookTooLong} The previous rows were kept.`,
  });
});

test.runIf(isLong)(
  'a re-read that is cancelled during its conversion leaves the import as it was',
  async () => {
    const aborts = vi.spyOn(AbortController.prototype, 'abort');
    onTestFinished(() => aborts.mockRestore());
    const isTold = async () => aborts.mock.calls.some(([reason]) => reason instanceof ChunkFenced);
    const id = await endedReread(async (of) => {
      const cancelled = await api.call('POST', `/api/queue/${of}/cancel`, { body: { only: 'reread' } });
      expect(cancelled.body).toMatchObject({
        message: 'Re-read cancelled. The previous rows and your edits are kept.',
      });
      // As the sweep of a worker does.
      await dropUnwanted(fixture.database.db, 'parse');
      await until('the conversion has found that its chunk was taken', isTold);
    });
    expect(await read(id)).toMatchObject({ status: 'processed', rows_run: 1, error_message: null });
  },
);

test('a re-read goes on in another process when its own stops during the conversion', async () => {
  const id = await endedReread((_, stop) => stop.abort());
  expect(await read(id)).toMatchObject({ status: 'processing', error_message: null, error_count: 0 });
  await doChunk(id, 'split');
  expect(await read(id)).toMatchObject({ status: 'processing', total_rows: longRows });
});

test.runIf(isLong)(
  'a list is taken while more workbooks than have a place wait to be converted',
  async () => {
    const behindProxy = await startApi(fixture, { set: { storage } });
    onTestFinished(async () => behindProxy.close().catch(() => {}));
    await behindProxy.login();
    const held = proxy.hold({ method: 'PUT', key: /\.t0v\d+$/, when: 'before' });
    const small = await workbookFile({ sheets: [prices] });
    const workbooks = Array.from({ length: 5 }, async (_, n) =>
      behindProxy.upload(csvForm(small, { filename: `list-${n}.xlsx` })),
    );
    await until('the first is being converted', held.isWaiting);
    const list = await behindProxy.upload(csvForm('Title,Price\nLamp,1\n'));
    expect(list.status, JSON.stringify(list.body)).toBe(200);
    await held.release();
    for (const { status } of await Promise.all(workbooks)) expect(status).toBe(200);
  },
);
