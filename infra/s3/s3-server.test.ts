import { createHash, randomBytes } from 'node:crypto';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Client } from 'minio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningS3, startS3 } from './s3-server.ts';

let dir: string;
let s3: RunningS3;
let client: Client;
const bucket = 'imports';

function connect(changes: Partial<{ accessKey: string; secretKey: string; region: string }> = {}): Client {
  const { accessKey, secretKey, region } = { ...s3, ...changes };
  const address = { endPoint: '127.0.0.1', port: s3.port, useSSL: false, pathStyle: true };
  return new Client({ ...address, accessKey, secretKey, region, partSize: 5 * 1024 * 1024 });
}

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'draftshelf-s3-'));
  s3 = await startS3({ dir, port: 0 });
  client = connect();
  await client.makeBucket(bucket);
});

afterAll(async () => {
  await s3.stop();
  await rm(dir, { recursive: true });
});

const blobCount = async () => (await readdir(path.join(dir, bucket, 'blobs'))).length;
const read = async (key: string) => buffer(await client.getObject(bucket, key));
const listed = async (prefix: string) => {
  const names: string[] = [];
  for await (const item of client.listObjectsV2(bucket, prefix, true)) names.push(item.name ?? '');
  return names;
};

describe('objects', () => {
  test('an object is returned byte for byte with its headers', async () => {
    const content = randomBytes(100_000);
    const key = "photos/ä b+c/100%/.. (1)*'!.png";
    await client.putObject(bucket, key, content, content.length, {
      'Content-Type': 'image/png',
      source: 'phone',
    });
    expect((await read(key)).equals(content)).toBe(true);
    const stat = await client.statObject(bucket, key);
    expect(stat.size).toBe(100_000);
    expect(stat.etag).toBe(createHash('md5').update(content).digest('hex'));
    expect(stat.metaData).toMatchObject({ 'content-type': 'image/png', source: 'phone' });
    expect(await listed('photos/')).toEqual([key]);
  });

  test('new content replaces the old one, whose bytes are removed', async () => {
    await client.putObject(bucket, 'replaced', 'old');
    const blobs = await blobCount();
    await client.putObject(bucket, 'replaced', 'new');
    expect((await read('replaced')).toString()).toBe('new');
    expect(await blobCount()).toBe(blobs);
    await client.removeObject(bucket, 'replaced');
    expect(await blobCount()).toBe(blobs - 1);
    await expect(client.statObject(bucket, 'replaced')).rejects.toMatchObject({ code: 'NotFound' });
    await client.removeObject(bucket, 'replaced');
  });

  test('an empty object, and a key that is also the directory of another', async () => {
    await client.putObject(bucket, 'a', '');
    await client.putObject(bucket, 'a/b', 'below');
    await client.putObject(bucket, 'a//b', 'empty segment');
    expect((await read('a')).length).toBe(0);
    expect((await read('a/b')).toString()).toBe('below');
    expect(await listed('a')).toEqual(['a', 'a//b', 'a/b']);
  });

  test.each([
    [0, 10],
    [5_000_000, 2_000_000],
    [20_971_000, 9_999_999],
    [5_242_880, 1],
  ])('of 20 MB in parts, the range from %i of %i bytes', async (from, length) => {
    const content = await twentyMegabytes();
    const piece = await buffer(await client.getPartialObject(bucket, 'large.csv', from, length));
    expect(piece.equals(content.subarray(from, from + length))).toBe(true);
  });

  test('a range after the end, a missing key and a missing bucket have their error codes', async () => {
    await client.putObject(bucket, 'short', 'abc');
    await expect(client.getPartialObject(bucket, 'short', 3, 1)).rejects.toMatchObject({
      code: 'InvalidRange',
    });
    await expect(client.getObject(bucket, 'none')).rejects.toMatchObject({ code: 'NoSuchKey' });
    await expect(client.getObject('no-such-bucket', 'none')).rejects.toMatchObject({ code: 'NoSuchBucket' });
    expect(await client.bucketExists('no-such-bucket')).toBe(false);
  });

  let large: Buffer | undefined;
  async function twentyMegabytes(): Promise<Buffer> {
    if (large) return large;
    large = randomBytes(20 * 1024 * 1024 + 7);
    await client.putObject(bucket, 'large.csv', Readable.from([large], { objectMode: false }));
    const uploads = await client.listIncompleteUploadsQuery(bucket, '', '', '', '');
    expect(uploads.uploads).toEqual([]);
    return large;
  }
});

test('1,200 keys are listed over two pages', async () => {
  const keys = Array.from(
    { length: 1200 },
    (_, index) => `many/${index % 3}/${String(index).padStart(4, '0')}`,
  );
  for (let from = 0; from < keys.length; from += 50) {
    await Promise.all(keys.slice(from, from + 50).map((key) => client.putObject(bucket, key, key)));
  }
  expect(await listed('many/')).toEqual(keys.toSorted());
  expect(await listed('many/1/000')).toEqual(['many/1/0001', 'many/1/0004', 'many/1/0007']);
});

describe('multipart uploads', () => {
  test('an aborted upload leaves nothing', async () => {
    const blobs = await blobCount();
    const uploadID = await client.initiateNewMultipartUpload(bucket, 'ended', {});
    const part = { bucketName: bucket, objectName: 'ended', uploadID, partNumber: 1, headers: {} };
    await client.uploadPart(part, Buffer.alloc(1000));
    expect(await client.findUploadId(bucket, 'ended')).toBe(uploadID);
    await client.abortMultipartUpload(bucket, 'ended', uploadID);
    expect(await client.findUploadId(bucket, 'ended')).toBeUndefined();
    expect(await blobCount()).toBe(blobs);
    await expect(client.uploadPart(part, Buffer.alloc(1))).rejects.toMatchObject({ code: 'NoSuchUpload' });
  });

  test('a wrong part, and a small part before the last, are refused', async () => {
    const uploadID = await client.initiateNewMultipartUpload(bucket, 'refused', {});
    const part = { bucketName: bucket, objectName: 'refused', uploadID, headers: {} };
    const first = await client.uploadPart({ ...part, partNumber: 1 }, Buffer.alloc(1000));
    const second = await client.uploadPart({ ...part, partNumber: 2 }, Buffer.alloc(1000));
    const complete = (etags: { part: number; etag: string }[]) =>
      client.completeMultipartUpload(bucket, 'refused', uploadID, etags);
    await expect(complete([{ part: 1, etag: 'f'.repeat(32) }])).rejects.toMatchObject({
      code: 'InvalidPart',
    });
    await expect(complete([first, second])).rejects.toMatchObject({ code: 'EntityTooSmall' });
    await expect(complete([second, first])).rejects.toMatchObject({ code: 'InvalidPartOrder' });
    await complete([second]);
    expect((await client.statObject(bucket, 'refused')).size).toBe(1000);
  });

  test('of two concurrent completions of an upload one succeeds, and the bytes stay', async () => {
    for (let round = 0; round < 20; round += 1) {
      const uploadID = await client.initiateNewMultipartUpload(bucket, 'twice', {});
      const part = { bucketName: bucket, objectName: 'twice', uploadID, partNumber: 1, headers: {} };
      const first = await client.uploadPart(part, Buffer.from(`round ${round}`));
      const complete = () => client.completeMultipartUpload(bucket, 'twice', uploadID, [first]);
      const [one, other] = await Promise.allSettled([complete(), complete()]);
      expect([one?.status, other?.status].sort()).toEqual(['fulfilled', 'rejected']);
      expect((await read('twice')).toString()).toBe(`round ${round}`);
    }
  });

  test('aborting an upload whose object was already stored keeps the object', async () => {
    const uploadID = await client.initiateNewMultipartUpload(bucket, 'back', {});
    const part = { bucketName: bucket, objectName: 'back', uploadID, partNumber: 1, headers: {} };
    const first = await client.uploadPart(part, Buffer.from('whole'));
    const directory = path.join(dir, bucket, 'uploads', uploadID);
    await cp(directory, `${directory}-kept`, { recursive: true });
    const blobs = await blobCount();
    await client.completeMultipartUpload(bucket, 'back', uploadID, [first]);
    const comeBack = () => cp(`${directory}-kept`, directory, { recursive: true });
    const abort = () => client.abortMultipartUpload(bucket, 'back', uploadID);
    await comeBack();
    await abort();
    expect((await read('back')).toString()).toBe('whole');
    await comeBack();
    await client.completeMultipartUpload(bucket, 'back', uploadID, [first]);
    expect((await read('back')).toString()).toBe('whole');
    await comeBack();
    await client.uploadPart(part, Buffer.from('another'));
    await abort();
    expect((await read('back')).toString()).toBe('whole');
    expect(await blobCount()).toBe(blobs);
    await rm(`${directory}-kept`, { recursive: true });
  });
});

describe('links for browsers', () => {
  test('a presigned PUT stores the content with its type, and a presigned GET returns it', async () => {
    const put = await client.presignedPutObject(bucket, 'linked', 60);
    const headers = { 'content-type': 'image/png' };
    expect((await fetch(put, { method: 'PUT', body: 'picture', headers })).status).toBe(200);
    const got = await fetch(await client.presignedGetObject(bucket, 'linked', 60));
    expect(await got.text()).toBe('picture');
    expect(got.headers.get('content-type')).toBe('image/png');
  });

  test('a link is valid only for its key, its method and its time', async () => {
    await client.putObject(bucket, 'secret', 'secret');
    const get = await client.presignedGetObject(bucket, 'linked', 60);
    expect((await fetch(get.replace('linked', 'secret'))).status).toBe(403);
    expect((await fetch(get, { method: 'DELETE' })).status).toBe(403);
    expect((await fetch(get.replace('X-Amz-Expires=60', 'X-Amz-Expires=600'))).status).toBe(403);
    const anHourAgo = new Date(Date.now() - 3_600_000);
    const expired = await client.presignedGetObject(bucket, 'linked', 60, {}, anHourAgo);
    expect(await (await fetch(expired)).text()).toContain('Request has expired');
  });
});

describe('refusals', () => {
  test.each([
    ['a wrong secret', { secretKey: 'wrong-secret' }, 'SignatureDoesNotMatch'],
    ['an unknown key', { accessKey: 'stranger' }, 'InvalidAccessKeyId'],
    ['another region', { region: 'eu-west-1' }, 'AuthorizationHeaderMalformed'],
  ])('%s', async (_, changes, code) => {
    await expect(connect(changes).putObject(bucket, 'x', 'x')).rejects.toMatchObject({ code });
  });

  test('anonymous requests', async () => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      expect((await fetch(`${s3.endpoint}/${bucket}/secret`, { method })).status).toBe(403);
    }
    expect((await fetch(`${s3.endpoint}/`)).status).toBe(403);
  });

  test('a modified request', async () => {
    await expect(
      changedOnItsWay((signed) => ({ ...signed, headers: { ...signed.headers, 'x-amz-meta-a': '2' } })),
    ).resolves.toBe(403);
    await expect(changedOnItsWay((signed) => ({ ...signed, body: 'other' }))).resolves.toBe(400);
    await expect(changedOnItsWay((signed) => ({ ...signed, path: `/${bucket}/other` }))).resolves.toBe(403);
    await expect(changedOnItsWay((signed) => signed)).resolves.toBe(200);
    expect((await read('changed')).toString()).toBe('right');
  });
});

test('a sender that is refused before its body has arrived does not block the server', async () => {
  const refusing = await startS3({ dir: path.join(dir, 'refusing'), port: 0 });
  const { promise: answered, resolve, reject } = Promise.withResolvers<number | undefined>();
  const at = { port: refusing.port, host: '127.0.0.1', method: 'PUT', path: '/none/x' };
  const sent = http.request({ ...at, headers: { 'content-length': 100 * 1024 * 1024 } }, (response) => {
    resolve(response.statusCode);
    sent.destroy();
  });
  sent.on('error', reject);
  sent.write(Buffer.alloc(8 * 1024 * 1024));
  expect(await answered).toBe(403);
  await refusing.stop();
});

type Signed = { path: string; headers: Record<string, string>; body: string };

/** Signs a PUT with the minio client, lets `change` modify it, sends it, and returns the status. */
async function changedOnItsWay(change: (signed: Signed) => Signed): Promise<number> {
  let signed: Signed | undefined;
  const capturing = new Client({
    endPoint: '127.0.0.1',
    port: s3.port,
    useSSL: false,
    accessKey: s3.accessKey,
    secretKey: s3.secretKey,
    region: s3.region,
    transport: {
      request: ((options: { path: string; headers: Record<string, string> }) => {
        signed = { path: options.path, headers: options.headers, body: 'right' };
        throw new Error('captured');
      }) as unknown as typeof http.request,
    },
  });
  await expect(capturing.putObject(bucket, 'changed', 'right', 5)).rejects.toThrow('captured');
  if (!signed) throw new Error('nothing was signed');
  const { path: url, headers, body } = change(signed);
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const sent = http.request(
    { port: s3.port, host: '127.0.0.1', method: 'PUT', path: url, headers },
    (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    },
  );
  sent.on('error', reject);
  sent.end(body);
  return promise;
}

test('a new server on the same directory finds the objects, and removes bytes that no record names', async () => {
  await client.putObject(bucket, 'kept', 'kept');
  const before = await blobCount();
  await rm(path.join(dir, bucket, 'keys', 'kept.json'));
  await client.putObject(bucket, 'stays', 'stays');
  await s3.stop();
  s3 = await startS3({ dir, port: 0 });
  client = connect();
  await expect.poll(blobCount).toBe(before);
  expect((await read('stays')).toString()).toBe('stays');
});
