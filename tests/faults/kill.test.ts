import { findImport } from '@draftshelf/database/imports';
import { pushImport } from '@draftshelf/database/journey';
import type { ImportRecord } from '@draftshelf/database/schema';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserOf, csvForm } from '../integration/api-fixture.ts';
import { productCsv, storedImport, until } from '../integration/fixtures.ts';
import type { AppName } from '../line/app-process.ts';
import { queueBackends } from '../line/queue-backend.ts';
import { type Line, startLine } from '../line/start-line.ts';
import { bigCsv, differences } from './truth.ts';

const rows = 100_000;
const recoveryMsMax = 15_000;
const csv = bigCsv(rows);

let line: Line;

const read = async (id: string): Promise<ImportRecord> => {
  const found = await findImport(line.database.db, id);
  if (!found) throw new Error('The import is gone');
  return found;
};

async function upload(): Promise<string> {
  const browser = browserOf(line.apiUrl);
  await browser.login();
  const answer = await browser.upload(csvForm(csv, { filename: 'big.csv' }));
  expect(answer.status).toBe(200);
  return (answer.body as { id: string }).id;
}

/** Kills a process when the work of its stage has begun and is not over; says how far it was. */
async function killMidway(name: AppName, id: string, done: (record: ImportRecord) => number, total: number) {
  let at = 0;
  await until(`${name} in the middle of its work`, async () => {
    at = done(await read(id));
    return at > 0;
  });
  const killedAt = performance.now();
  line.process(name).kill('SIGKILL');
  await line.process(name).ended;
  const left = done(await read(id));
  console.log(`${name} killed at ${left} of ${total} (seen at ${at})`);
  expect(left, 'the work was over before the kill').toBeLessThan(total);
  await line.start(name);
  return killedAt;
}

const ended = async (id: string) =>
  ['processed', 'queued', 'failed', 'completed'].includes((await read(id)).status);

describe.each(queueBackends())('in the middle of a 100,000-row import, jobs in %s', (backend) => {
  beforeAll(async () => {
    line = await startLine({
      names: ['store-simulator', 'parse-worker', 'enrich-worker', 'push-worker', 'api'],
      env: { CONCURRENCY: '1' },
      backend,
    });
  });
  afterAll(() => line?.close());

  it('kill -9 of the parse worker: exactly the right rows, by itself, in time', async () => {
    const id = await upload();
    const killedAt = await killMidway('parse-worker', id, (record) => record.parsed_rows, rows);
    await until('parsed', async () => (await read(id)).parsed_rows === rows, recoveryMsMax);
    console.log(`all rows parsed ${Math.round(performance.now() - killedAt)} ms after the kill`);
    await until('ended', () => ended(id), recoveryMsMax);
    expect(await differences(line.database, id, rows)).toEqual([]);
  });

  it('kill -9 of the enrich worker: every row is enriched once', async () => {
    const id = await upload();
    const killedAt = await killMidway('enrich-worker', id, (record) => record.enriched_rows, rows);
    await until('ended', () => ended(id), recoveryMsMax);
    console.log(`ended ${Math.round(performance.now() - killedAt)} ms after the kill`);
    expect(await differences(line.database, id, rows)).toEqual([]);
  });

  it('kill -9 of the api: the work does not need it', async () => {
    const id = await upload();
    await killMidway('api', id, (record) => record.parsed_rows, rows);
    await until('ended', () => ended(id), 2 * recoveryMsMax);
    expect(await differences(line.database, id, rows)).toEqual([]);
  });

  it('kill -9 of the push worker: no product twice, none missing', async () => {
    const products = 400;
    const record = await storedImport(line, { csv: productCsv(products), set: { sha256: 'ab'.repeat(32) } });
    await until('processed', () => ended(record.id));
    await line.database.db.transaction().execute((trx) => pushImport(trx, record.id, 25));
    await killMidway('push-worker', record.id, (now) => now.push_done, products);
    await until('pushed', () => ended(record.id), 4 * recoveryMsMax);
    expect(await read(record.id)).toMatchObject({
      status: 'completed',
      created: products,
      failed: 0,
      skipped: 0,
    });
    const titles = (await line.store.products()).map((product) => product.title);
    expect(titles.length).toBe(products);
    expect(new Set(titles).size).toBe(products);
  });

  it('loses nothing when the queue is emptied', async () => {
    const id = await upload();
    await until('some rows parsed', async () => (await read(id)).parsed_rows > 0);
    const taken = await line.emptyQueue();
    const at = (await read(id)).parsed_rows;
    console.log(`queue emptied of ${taken} entries at ${at} of ${rows} rows`);
    expect(at).toBeLessThan(rows);
    await until('ended', () => ended(id), 2 * recoveryMsMax);
    expect(await differences(line.database, id, rows)).toEqual([]);
  });
});
