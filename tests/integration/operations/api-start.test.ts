import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { simulatedAiName } from '@draftshelf/core/enrich/ai/service';
import { addProposals } from '@draftshelf/core/review/proposals/proposals';
import { lockRows } from '@draftshelf/core/review/rows-lock';
import { aiSource } from '@draftshelf/domain/enrich/sources';
import { startS3 } from '@draftshelf/infra/s3/s3-server';
import { expect, onTestFinished } from 'vitest';
import { browserOf, csvForm } from '../../support/api-client.ts';
import { startApiProcess } from '../../support/api-process.ts';
import { productCsv, storedImport, until } from '../../support/fixture.ts';
import { ownPort } from '../../support/own-port.ts';
import { test as base } from '../../support/test.ts';

/** An import with a proposal of the simulated AI service and one of a real one. */
const imported = base.extend('importId', { scope: 'file' }, async ({ fixture }) => {
  const { id } = await storedImport(fixture, { csv: productCsv(2) });
  const proposal = { field: 'type', before: null, source: aiSource, reason: 'Test.' } as const;
  await fixture.database.db.transaction().execute(async (trx) => {
    await lockRows(trx, id);
    await addProposals(trx, id, [
      { ...proposal, row: 1, byteFrom: 1, value: 'Made up', attribution: simulatedAiName },
      { ...proposal, row: 2, byteFrom: 2, value: 'Real' },
    ]);
  });
  return id;
});

/** An api that starts without object storage and with an AI service in its environment, and a client of it. */
const test = imported.extend('started', { scope: 'file' }, async ({ fixture, importId }, { onCleanup }) => {
  expect(importId).toEqual(expect.any(String));
  const storagePort = await ownPort();
  const process = await startApiProcess(fixture, {
    ...{ S3_ENDPOINT: `http://127.0.0.1:${storagePort}`, S3_BUCKET: 'new' },
    ...{ AI_BASE_URL: 'http://127.0.0.1:9/v1', AI_MODEL: 'strict' },
  });
  onCleanup(process.stop);
  const client = browserOf(process.url);
  await client.login();
  return { process, client, storagePort };
});

test('the api starts while object storage is away, and takes uploads once it is there', async ({
  fixture,
  started: { client, storagePort: port },
}) => {
  const upload = () => client.upload(csvForm(productCsv(2)));
  expect((await client.call('GET', '/api/queue')).status).toBe(200);
  expect(await upload()).toMatchObject({
    status: 503,
    body: { message: 'Object storage is unavailable right now. Try again in a moment.' },
  });

  const dir = await mkdtemp(join(tmpdir(), 'draftshelf-s3-'));
  const { S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey } = fixture.storageEnv;
  const s3 = await startS3({ dir, port, credentials: { accessKey, secretKey, region: 'us-east-1' } });
  onTestFinished(async () => {
    await s3.stop();
    await rm(dir, { recursive: true });
  });
  await until('the bucket is there', async () => (await upload()).status === 200);
});

test('an AI service of the environment removes open proposals of the simulated one at the start', async ({
  fixture,
  importId,
  started,
}) => {
  expect(started.client).toBeDefined();
  const { rows } = await fixture.database.pool.query('select value from proposals where import_id = $1', [
    importId,
  ]);
  expect(rows).toEqual([{ value: 'Real' }]);
});

test('an internal error is logged with the request id of the answer', async ({ fixture, started }) => {
  await fixture.database.db.schema.dropTable('settings').execute();
  const answer = await started.client.call('GET', '/api/settings');
  expect(answer).toMatchObject({ status: 500, body: { code: 'internal' } });
  const request = /for request (\S+)\.$/.exec((answer.body as { message: string }).message)?.[1];
  const lines = () => started.process.output().split('\n');
  const isFailure = (line: string) => line.includes('request failed') && line.includes(`"${request}"`);
  await until('the failure is logged', () => lines().some(isFailure));
  expect(JSON.parse(lines().find(isFailure) ?? '')).toMatchObject({ level: 50, status: 500 });
});
