import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openCatalogue, type StoredProduct } from './catalogue.ts';
import { openJournal } from './journal.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'journal-'));
});
afterEach(() => rm(dir, { recursive: true }));

async function recordsIn(): Promise<unknown[]> {
  const records: unknown[] = [];
  const journal = await openJournal(dir, (record) => records.push(record));
  await journal.close();
  return records;
}

test('flushed records are on disk before the file is closed', async () => {
  const journal = await openJournal(dir, () => {});
  journal.append({ n: 1 });
  const first = journal.flushed();
  journal.append({ n: 2 });
  await Promise.all([first, journal.flushed()]);
  expect(await readFile(join(dir, 'store.jsonl'), 'utf8')).toBe('{"n":1}\n{"n":2}\n');
  await journal.close();
  expect(await recordsIn()).toEqual([{ n: 1 }, { n: 2 }]);
});

test('an incomplete line after a crash is truncated, and the next line is valid', async () => {
  const journal = await openJournal(dir, () => {});
  journal.append({ text: 'ä\n' });
  await journal.flushed();
  await journal.close();
  await appendFile(join(dir, 'store.jsonl'), '{"n":');
  const again = await openJournal(dir, () => {});
  again.append({ n: 3 });
  await again.flushed();
  await again.close();
  expect(await recordsIn()).toEqual([{ text: 'ä\n' }, { n: 3 }]);
});

const product = (changes: Partial<StoredProduct>): StoredProduct => ({
  id: 8_100_000_000_001,
  handle: 'lamp',
  title: 'Lamp',
  descriptionHtml: '',
  vendor: '',
  productType: '',
  tags: [],
  status: 'DRAFT',
  createdAtMs: 0,
  updatedAtMs: 0,
  options: [],
  variants: [],
  media: [],
  metafields: [{ id: 8_100_000_000_002, namespace: 'scd', key: 'external_id', type: 'id', value: 'a' }],
  collectionIds: [],
  ...changes,
});

test('a journal with many old states is rewritten, with nothing lost', async () => {
  const catalogue = await openCatalogue(dir);
  for (let n = 0; n < 10_500; n += 1)
    catalogue.putProduct(product({ title: `Lamp ${n}`, handle: `lamp-${n}` }));
  catalogue.putProduct(product({ id: 8_100_000_000_009, handle: 'gone', metafields: [] }));
  catalogue.deleteProduct(8_100_000_000_009);
  await catalogue.close();

  const again = await openCatalogue(dir);
  expect((await readFile(join(dir, 'store.jsonl'), 'utf8')).split('\n')).toHaveLength(2);
  expect(again.productByCustomId('scd', 'external_id', 'a')?.title).toBe('Lamp 10499');
  expect(again.productByHandle('lamp-10498')).toBeUndefined();
  expect(again.productByHandle('gone')).toBeUndefined();
  expect(again.nextId()).toBeGreaterThan(8_100_000_000_002);
  await again.close();
});
