import { Readable } from 'node:stream';
import { stat } from '@draftshelf/object-storage/objects';
import { putStream } from '@draftshelf/object-storage/put-stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeLeftOvers } from '../../apps/parse-worker/src/remove-left-overs.ts';
import { type Fixture, openFixture, productCsv, storedImport } from './fixtures.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

const soon = () => new Date(Date.now() + 60_000);
const put = (key: string) => putStream(fixture.storage, key, Readable.from([Buffer.from('Title,Price\n')]));

test('files without an import are removed once they are old, an import keeps its file and its transcript', async () => {
  const { database, storage } = fixture;
  const record = await storedImport(fixture, { csv: productCsv(2) });
  const transcript = `${record.object_key}.utf-16le.utf8`;
  await put(transcript);
  await put('imports/cut-off/left.csv');
  expect(await removeLeftOvers(database.db, storage, new Date(Date.now() - 60_000))).toBe(0);
  expect(await removeLeftOvers(database.db, storage, soon())).toBe(1);
  expect(await stat(storage, 'imports/cut-off/left.csv')).toBeUndefined();
  expect(await stat(storage, record.object_key)).toBeDefined();
  expect(await stat(storage, transcript)).toBeDefined();
});
