import { Readable } from 'node:stream';
import { withLock } from '@draftshelf/database/connection/advisory-lock';
import { putStream } from '@draftshelf/object-storage/put-stream';
import { createLogger } from '@draftshelf/runtime/logger';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { leftOversLock, removeLeftOvers } from '../../../apps/parse-worker/src/remove-left-overs.ts';
import { sweepFiles } from '../../../apps/parse-worker/src/sweep-files.ts';
import {
  type Fixture,
  openFixture,
  productCsv,
  storedImport,
  storedUnder,
  until,
} from '../../support/fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

const soon = () => new Date(Date.now() + 60_000);
const anHourAgo = () => new Date(Date.now() - 3_600_000);
const removeOlder = (olderThan: Date) =>
  removeLeftOvers(fixture.database, fixture.storage, { olderThan, signal: new AbortController().signal });
const put = (key: string) => putStream(fixture.storage, key, Readable.from([Buffer.from('Title,Price\n')]));

test('old files without an import are removed, an import keeps its file and its transcript', async () => {
  const { storage } = fixture;
  const record = await storedImport(fixture, { csv: productCsv(2) });
  const transcript = `${record.object_key}.utf-16le.utf8`;
  await put(transcript);
  await put('imports/cut-off/left.csv');
  expect(await removeOlder(anHourAgo())).toBe(0);
  expect(await removeOlder(soon())).toBe(1);
  const stored = await storedUnder(storage, 'imports/');
  expect(stored.map(({ key }) => key)).toEqual([record.object_key, transcript]);
});

test('one worker at a time removes them', async () => {
  const { database, storage } = fixture;
  await put('imports/cut-off/turn.csv');
  expect(await withLock(database, leftOversLock, () => removeOlder(soon()))).toBe(0);
  expect(await storedUnder(storage, 'imports/cut-off/')).toHaveLength(1);
  expect(await removeOlder(soon())).toBe(1);
});

test('a worker does it when it starts', async () => {
  const { database, storage } = fixture;
  await put('imports/cut-off/start.csv');
  const logger = createLogger({ name: 'test', level: 'silent', pretty: false });
  const sweeping = sweepFiles(database, storage, { olderThan: soon, logger });
  await until(
    'the file is removed',
    async () => (await storedUnder(storage, 'imports/cut-off/')).length === 0,
  );
  await sweeping.stop();
});
