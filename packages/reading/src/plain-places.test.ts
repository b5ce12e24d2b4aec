import { createHash } from 'node:crypto';
import type { Encoding } from '@draftshelf/csv/encoding/encodings';
import { createFileScanner } from '@draftshelf/csv/encoding/transcriber';
import { readLimitsDefault as limits } from '@draftshelf/csv/limits';
import { encode } from '@draftshelf/csv/testing/encode';
import { expect, test } from 'vitest';
import { readChunk } from './read-chunk.ts';
import { splitStream } from './split-stream.ts';

const table = ['Handle,Title,Price,UPC', 'lamp,"Lamp, 48""",9.50,012345678905', 'lamp,Lampe für Öl,12.50,'];
const plain = `${table.join('\n')}\n`;
const long = [table[0], ...Array.from({ length: 900 }, (_, row) => `h-${row >> 1},Größe ${row},${row}.5,`)];

/** A hash of what is read of a file: its chunks, and each row with its place. */
function hashOf(text: string, encoding: Encoding): string {
  const bytes = encode(text, encoding);
  const splitter = splitStream({ limits, overrides: { dialect: { encoding } }, chunkRowsMax: 300 });
  for (let at = 0; at < bytes.length; at += 1000) splitter.push(bytes.subarray(at, at + 1000));
  const split = splitter.end();
  if (!split) throw new Error('no header');
  const pieces: Uint8Array[] = [];
  const scanned = createFileScanner(encoding, { push: (piece) => void pieces.push(piece.slice()), end() {} });
  scanned.push(bytes);
  scanned.end();
  const text8 = Buffer.concat(pieces);
  const rows = split.whole.cuts.flatMap((cut) =>
    [...readChunk(text8.subarray(cut.byteFrom, cut.byteTo), cut, split, limits).rows()].map((one) => [
      one.row,
      one.line,
      one.byteFrom,
      one.product,
      one.cells,
      one.cellsAsRead,
      one.ignored,
    ]),
  );
  const read = { cuts: split.whole.cuts, headers: split.headers, rows };
  return createHash('sha256').update(JSON.stringify(read)).digest('hex').slice(0, 16);
}

// Ids of products in stores are hashes of places. Whatever else a reader learns, those of plain files never change.
test.each<[string, string, Encoding, string]>([
  ['plain', plain, 'utf-8', '5d1de31d6f94e307'],
  ['byte order mark', `\uFEFF${plain}`, 'utf-8', '2de76ee3d6a65f22'],
  ['Windows-1252, CRLF', plain.replaceAll('\n', '\r\n'), 'windows-1252', '7b681d7fc0601a48'],
  ['UTF-16', plain, 'utf-16le', '5d1de31d6f94e307'],
  ['old Mac', plain.replaceAll('\n', '\r'), 'macintosh', '4f1217cc24e184a0'],
  [
    'notes, blank lines and totals',
    `Prices 2026\n\n${plain}\n,,,\n${table[0]}\nTotal,,22.00,\n`,
    'utf-8',
    '2d067655081db990',
  ],
  ['no header', `${table.slice(1).join('\n')}\nlamp,Lamp,7,`, 'utf-8', 'cb084b015e3f0446'],
  ['ragged', `${plain}lamp,Lamp,9.50,1,extra\nlamp,Lamp\n"never closed,x,1,\n`, 'utf-8', '4593d2df5f87a415'],
  ['breaks in cells', `${table[0]}\na,"two\nlines",1,\nb,"three\n\nlines",2,\n`, 'utf-8', '48e3db69503637df'],
  ['several chunks', long.join('\n'), 'utf-8', '46f544e62020c41f'],
])('%s: rows, offsets and chunks are those of all versions before', (_name, text, encoding, hash) => {
  expect(hashOf(text, encoding)).toBe(hash);
});
