import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startS3 } from '@draftshelf/infra/s3/s3-server';
import { expect, test } from 'vitest';
import { browserOf, csvForm } from '../../support/api-client.ts';
import { startApiProcess } from '../../support/api-process.ts';
import { openFixture, productCsv, until } from '../../support/fixture.ts';
import { ownPort } from '../../support/own-port.ts';

test('the api starts while object storage is away, and takes uploads once it is there', async () => {
  const fixture = await openFixture();
  const port = await ownPort();
  const dir = await mkdtemp(join(tmpdir(), 'draftshelf-s3-'));
  const { accessKey, secretKey } = fixture.storageConfig;
  const api = await startApiProcess(fixture, { S3_ENDPOINT: `http://127.0.0.1:${port}`, S3_BUCKET: 'new' });
  const browser = browserOf(api.url);
  await browser.login();
  const upload = () => browser.upload(csvForm(productCsv(2)));

  expect((await browser.call('GET', '/api/queue')).status).toBe(200);
  expect(await upload()).toMatchObject({
    status: 503,
    body: { message: 'Object storage is unavailable right now. Try again in a moment.' },
  });

  const s3 = await startS3({ dir, port, credentials: { accessKey, secretKey, region: 'us-east-1' } });
  await until('the bucket is there', async () => (await upload()).status === 200);

  await api.stop();
  await s3.stop();
  await rm(dir, { recursive: true });
  await fixture.close();
});
