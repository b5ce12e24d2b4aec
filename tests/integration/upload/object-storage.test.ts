import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type RunningS3, startS3 } from '@draftshelf/infra/s3/s3-server';
import { createObjectStorage, type ObjectStorage } from '@draftshelf/object-storage/connect';
import { isMissingObjectError, isStorageUnavailable } from '@draftshelf/object-storage/object-errors';
import {
  bucketExists,
  createObjectSource,
  ensureBucket,
  getRange,
  getStream,
  list,
  remove,
} from '@draftshelf/object-storage/objects';
import { putStream, removeUnfinishedUploads } from '@draftshelf/object-storage/put-stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storageEnvOf, storedUnder, until } from '../../support/fixture.ts';

let dir: string;
let s3: RunningS3;
let storage: ObjectStorage;
const megabyte = 1024 * 1024;

function connect(endpoint: string): ObjectStorage {
  return createObjectStorage(storageEnvOf({ ...s3, endpoint }, 'imports'));
}

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'draftshelf-storage-'));
  s3 = await startS3({ dir, port: 0 });
  storage = connect(s3.endpoint);
  await Promise.all([ensureBucket(storage), ensureBucket(storage), ensureBucket(storage)]);
});

afterAll(async () => {
  await s3.stop();
  await rm(dir, { recursive: true });
});

const filesOfBucket = async () => [
  ...(await readdir(path.join(dir, 'imports', 'blobs'))),
  ...(await readdir(path.join(dir, 'imports', 'uploads'))),
];

/** A storage behind a broken proxy. */
async function behind(answer: http.RequestListener): Promise<{ storage: ObjectStorage; stop: () => void }> {
  const server = http.createServer(answer);
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const { port } = server.address() as AddressInfo;
  return { storage: connect(`http://127.0.0.1:${port}`), stop: () => server.closeAllConnections() };
}

describe('putStream', () => {
  test.each([
    ['nothing', 0, 1],
    ['less than a part', 100_000, 64 * 1024],
    ['exactly one part', 5 * megabyte, megabyte],
    ['a part and a byte, in odd pieces', 5 * megabyte + 1, 65_521],
    ['several parts in one piece', 12 * megabyte, 12 * megabyte],
  ])('%s of unknown length comes back byte for byte', async (name, bytes, pieceBytes) => {
    const content = randomBytes(bytes);
    function* pieces() {
      for (let from = 0; from < bytes; from += pieceBytes) yield content.subarray(from, from + pieceBytes);
    }
    const key = `put/${name}`;
    await putStream(storage, key, Readable.from(pieces(), { objectMode: false }));
    expect((await buffer(getStream(storage, key))).equals(content)).toBe(true);
    expect(await storedUnder(storage, key)).toMatchObject([{ key, bytes }]);
  });

  test('a source that fails leaves nothing behind, and its own error is thrown', async () => {
    const before = await filesOfBucket();
    const cut = new Error('the browser went away');
    function* pieces() {
      yield randomBytes(11 * megabyte);
      throw cut;
    }
    await expect(putStream(storage, 'cut', Readable.from(pieces(), { objectMode: false }))).rejects.toBe(cut);
    expect(await storedUnder(storage, 'cut')).toEqual([]);
    expect(await filesOfBucket()).toEqual(before);
  });

  test('an abort in the middle leaves nothing behind and destroys the source', async () => {
    const before = await filesOfBucket();
    const abort = new AbortController();
    const source = new PassThrough();
    const uploads = path.join(dir, 'imports', 'uploads');
    const put = putStream(storage, 'aborted', source, { signal: abort.signal });
    source.write(randomBytes(6 * megabyte));
    await until('the upload has begun', async () => (await readdir(uploads)).length === 1);
    const reason = new Error('too large');
    abort.abort(reason);
    await expect(put).rejects.toBe(reason);
    expect(source.destroyed).toBe(true);
    expect(await filesOfBucket()).toEqual(before);
  });

  test('unfinished uploads of a killed process are removed, those under other keys stay', async () => {
    const before = await filesOfBucket();
    await storage.client.initiateNewMultipartUpload('imports', 'left', {});
    expect(await removeUnfinishedUploads(storage, 'left-')).toBe(0);
    expect(await removeUnfinishedUploads(storage, 'left')).toBe(1);
    expect(await filesOfBucket()).toEqual(before);
  });
});

describe('reading', () => {
  test('ranges, also of zero bytes and beyond the end', async () => {
    await putStream(storage, 'ranges', Readable.from([Buffer.from('0123456789')]));
    expect((await getRange(storage, 'ranges', 2, Buffer.alloc(3))).toString()).toBe('234');
    expect((await getRange(storage, 'ranges', 8, Buffer.alloc(100))).toString()).toBe('89');
    expect((await getRange(storage, 'ranges', 0, Buffer.alloc(0))).length).toBe(0);
    expect((await buffer(getStream(storage, 'ranges'))).toString()).toBe('0123456789');
  });

  test('a missing object differs from a storage that is down', async () => {
    const error = await getRange(storage, 'none', 0, Buffer.alloc(1)).catch((cause) => cause);
    expect([isMissingObjectError(error), isStorageUnavailable(error)]).toEqual([true, false]);
    const ofStream = await buffer(getStream(storage, 'none')).catch((cause) => cause);
    expect(isMissingObjectError(ofStream)).toBe(true);
    await remove(storage, 'none');
  });

  test('a listing is limited by prefix', async () => {
    for (const key of ['list/a', 'list/b', 'listed'])
      await putStream(storage, key, Readable.from([Buffer.from(key)]));
    const found = await Array.fromAsync(list(storage, 'list/'), ({ key }) => key);
    expect(found).toEqual(['list/a', 'list/b']);
  });
});

describe('a storage that cannot be used now', () => {
  const asked: [string, (gone: ObjectStorage) => Promise<unknown>][] = [
    ['bucketExists', (gone) => bucketExists(gone)],
    ['getRange', (gone) => getRange(gone, 'x', 0, Buffer.alloc(1))],
    ['getStream', (gone) => buffer(getStream(gone, 'x'))],
    ['putStream', (gone) => putStream(gone, 'x', Readable.from([Buffer.from('x')]))],
    ['putStream in parts', (gone) => putStream(gone, 'x', Readable.from([Buffer.alloc(6 * megabyte)]))],
    ['remove', (gone) => remove(gone, 'x')],
    ['list', (gone) => list(gone, '').next()],
    ['removeUnfinishedUploads', (gone) => removeUnfinishedUploads(gone, '')],
  ];

  test.each(asked)('%s reports it if nothing listens', async (_, ask) => {
    const gone = connect('http://127.0.0.1:1');
    expect(isStorageUnavailable(await ask(gone).catch((error) => error))).toBe(true);
  });

  test.each(asked)('%s reports a 503, at once', async (_, ask) => {
    const broken = await behind((req, res) => {
      req.resume();
      res.writeHead(503).end();
    });
    expect(await ask(broken.storage).catch((error) => error)).toMatchObject({
      name: 'StorageUnavailableError',
      message: 'object storage answered 503',
    });
    broken.stop();
  });

  test('an answer that ends in the middle is not a short object', async () => {
    const broken = await behind((_, res) => {
      res.writeHead(206, { 'content-length': '10' });
      res.write('01234', () => res.destroy());
    });
    const error = await getRange(broken.storage, 'x', 0, Buffer.alloc(10)).catch((cause) => cause);
    expect(isStorageUnavailable(error)).toBe(true);
    const ofStream = await buffer(getStream(broken.storage, 'x')).catch((cause) => cause);
    expect(isStorageUnavailable(ofStream)).toBe(true);
  });

  test('a range whose connection ends is asked for again from where it ended, as long as bytes come', async () => {
    const ranges: (string | undefined)[] = [];
    const broken = await behind(({ headers }, res) => {
      ranges.push(headers.range);
      const [from = 0, to = 0] = (headers.range ?? '').match(/\d+/g)?.map(Number) ?? [];
      res.writeHead(206, { 'content-length': String(to + 1 - from) });
      // The object has six bytes, of which each connection gives two.
      if (from < 6) res.write('012345'.slice(from, from + 2), () => res.destroy());
      else res.destroy();
    });
    const read = async (to: number) =>
      Buffer.concat(
        await Array.fromAsync(createObjectSource(broken.storage, 'x', 10).stream(1, to)),
      ).toString();
    expect(await read(5)).toBe('1234');
    expect(ranges.splice(0)).toEqual(['bytes=1-4', 'bytes=3-4']);
    expect(isStorageUnavailable(await read(9).catch((error) => error))).toBe(true);
    expect(ranges).toEqual(['bytes=1-8', 'bytes=3-8', 'bytes=5-8', 'bytes=6-8']);
    broken.stop();
  });
});
