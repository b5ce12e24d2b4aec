import { UploadReply } from '@draftshelf/contract/reading/upload';
import { findImport } from '@draftshelf/core/imports/imports';
import { readParseRun } from '@draftshelf/core/work/runs';
import { describe, expect } from 'vitest';
import { csvForm } from '../../support/api-client.ts';
import { until } from '../../support/fixture.ts';
import { isLong } from '../../support/queue-backend.ts';
import { readers, testOnWorkers } from '../../support/test.ts';

const test = testOnWorkers(readers);

const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();
const latin1 = (text: string) => Buffer.from(text, 'latin1');
const rowsOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(';'));

const german = 'Titel;Preis;SKU\nMünsterländer Kissenhülle;10,50;A-1\nTischläufer grün;12,00;A-2\n';
const mixed = 'Title;Price;SKU\nKissenhülle 茶;10.50;A-1\nVase 🪑;12.00;A-2\n';
/** Longer than the head in which the dialect is detected, and more than one chunk. */
const late = `Title;Price;SKU\n${Array.from({ length: 50_000 }, (_, row) => `Plain vase ${row};1.50;B-${row}\n`).join('')}Große Vase für Gärten;9.90;C-1\n`;

describe('from upload to rows', () => {
  const files: [string, string, Buffer, string][] = [
    ['windows-1252', 'one chunk', latin1(german), german],
    ['utf-16le', 'with its mark', Buffer.from(`\uFEFF${mixed}`, 'utf16le'), mixed],
    ['utf-16be', 'without a mark', utf16be(mixed), mixed],
  ];
  const filesOfManyChunks: typeof files = [
    ['windows-1252', 'known only behind a head of ASCII', latin1(late), late],
    ['utf-16le', 'of many chunks', Buffer.from(`\uFEFF${late}`, 'utf16le'), late],
  ];
  test.for(isLong ? [...files, ...filesOfManyChunks] : files)(
    '%s, %s',
    async ([encoding, , bytes, text], { stack }) => {
      const answer = await stack.api.upload(csvForm(new Uint8Array(bytes)));
      expect(answer).toMatchObject({ status: 200 });
      const { id } = UploadReply.parse(answer.body);
      const { db } = stack.database;
      await until('read', async () => (await findImport(db, id))?.status !== 'processing');
      const { dialect } = await readParseRun(db, { import_id: id, run: 1 });
      expect(dialect).toMatchObject({ encoding, delimiter: ';' });
      const stored = await db
        .selectFrom('rows')
        .select('cells')
        .where('import_id', '=', id)
        .orderBy('row')
        .execute();
      expect(stored.map(({ cells }) => cells)).toEqual(rowsOf(text));
    },
  );
});
