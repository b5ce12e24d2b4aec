import { headBytesMax } from '@draftshelf/csv/detect/sniff';
import { readLimitsDefault } from '@draftshelf/csv/limits';
import { describe, expect, test } from 'vitest';
import { type ReadOverrides, readProducts } from './read-products.ts';

const pieceSizes = [1, 100, 64 * 1024, Number.POSITIVE_INFINITY];
/** Single bytes of a file that is longer than the head are only tried this far around its end. */
const nearHeadBytes = 200;

type Row = { cells: string[]; byteTo: number; startsProduct: boolean | undefined; ignored: string | null };

function readInPieces(bytes: Uint8Array, pieceBytes: number, overrides?: ReadOverrides) {
  const rows: Row[] = [];
  let sample: readonly string[][] | undefined;
  let chunks = 0;
  const reading = readProducts({
    limits: readLimitsDefault,
    overrides,
    onHeader(header) {
      expect(rows).toEqual([]);
      sample = header.sample;
    },
    onRow({ record, ignored }, { group }) {
      const { byteTo } = record;
      rows.push({ cells: record.cells(), byteTo, startsProduct: group?.startsProduct, ignored });
    },
    onChunk() {
      chunks += 1;
    },
  });
  for (const piece of piecesOf(bytes, pieceBytes)) reading.push(piece);
  reading.end();
  return { sample, rows, chunks, totals: reading.totals(), encoding: reading.dialect?.encoding };
}

function* piecesOf(bytes: Uint8Array, pieceBytes: number): Generator<Uint8Array> {
  const isFew = pieceBytes > 1 || bytes.length <= headBytesMax;
  const [from, to] = isFew
    ? [0, bytes.length]
    : [headBytesMax - nearHeadBytes, Math.min(headBytesMax + nearHeadBytes, bytes.length)];
  if (from > 0) yield bytes.slice(0, from);
  for (let at = from; at < to; at += pieceBytes) yield bytes.slice(at, Math.min(at + pieceBytes, to));
  if (to < bytes.length) yield bytes.slice(to);
}

/** Reads a file in pieces of several sizes and returns the result, which must be the same. */
function read(bytes: Uint8Array, overrides?: ReadOverrides) {
  const whole = readInPieces(bytes, Number.POSITIVE_INFINITY, overrides);
  for (const size of pieceSizes) expect(readInPieces(bytes, size, overrides)).toEqual(whole);
  return whole;
}

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le');
const numbered = (rows: number, row: (number: number) => string) =>
  Array.from({ length: rows }, (_, at) => `${row(at + 1)}\n`).join('');

describe('the rows of the head that the mapper sees', () => {
  test.each<[string, string, Uint8Array]>([
    ['UTF-8', 'utf-8', Buffer.from('Title;Price\nKissenhülle 茶;1\nVase;2')],
    ['windows-1252', 'windows-1252', latin1('Titel;Preis\nKissenhülle weiß;1\nMünsterländer Größe;2\n')],
    ['UTF-16', 'utf-16le', utf16('Title;Price\nKissenhülle;1\nVase;2')],
  ])('are all rows of a small file in %s', (_name, encoding, bytes) => {
    const { sample, rows, encoding: found } = read(bytes);
    expect(found).toBe(encoding);
    expect(rows).toHaveLength(2);
    expect(sample).toEqual(rows.map(({ cells }) => cells));
  });

  test('are the first 200 that are not ignored, with repaired cells', () => {
    const lines = [
      'Stock of May',
      'sku,title,date,price',
      ',A-0,Oak chair,2024-05-01,9.50',
      'sku,title,date,price',
      'Total,,,9.50',
    ];
    const row = (number: number) => `A-${number},Oak chair,2024-05-01,${number}.50`;
    const { sample, rows } = read(Buffer.from(`${lines.join('\n')}\n${numbered(400, row)}`));
    expect(rows.slice(0, 4).map(({ ignored }) => ignored)).toEqual([null, 'repeated-header', 'totals', null]);
    expect(sample).toHaveLength(200);
    expect(sample?.slice(0, 2)).toEqual([
      ['A-0', 'Oak chair', '2024-05-01', '9.50'],
      ['A-1', 'Oak chair', '2024-05-01', '1.50'],
    ]);
    expect(sample?.at(-1)?.[0]).toBe('A-199');
  });

  test.each<[string, string, Uint8Array, number]>([
    [
      'plain',
      'utf-8',
      Buffer.from(`title,note\n${numbered(100, (row) => `${row},${'x'.repeat(3000)}`)}`),
      87,
    ],
    [
      'ASCII that turns out to be windows-1252',
      'windows-1252',
      latin1(`title,note\n${numbered(100, (row) => `${row},${'x'.repeat(3000)}`)}Kissenhülle weiß,Größe\n`),
      87,
    ],
    [
      'windows-1252',
      'windows-1252',
      latin1(`Größe,Menge\n${numbered(100, (row) => `Kissenhülle ${row},${'Gruß '.repeat(600)}`)}`),
      86,
    ],
    [
      'UTF-16, of half as many characters',
      'utf-16le',
      utf16(`title,note\n${numbered(100, (row) => `${row},${'茶'.repeat(3000)}`)}`),
      43,
    ],
  ])('lie wholly in the head: %s', (_name, encoding, bytes, count) => {
    expect(bytes.length).toBeGreaterThan(headBytesMax);
    const { sample, rows, encoding: found } = read(bytes);
    expect(found).toBe(encoding);
    expect(sample).toHaveLength(count);
    expect(sample).toEqual(rows.slice(0, count).map(({ cells }) => cells));
  });

  test('are none below a header beyond the head, and none over a limit', () => {
    const far = read(Buffer.from(`${'\n'.repeat(headBytesMax)}title,price\nVase,1\n`));
    expect(far).toMatchObject({ sample: [], totals: { rows: 1, products: 1 } });
    const samples: unknown[] = [];
    const reading = readProducts({
      limits: { ...readLimitsDefault, recordBytesMax: 40 },
      onHeader: ({ sample }) => samples.push(sample),
    });
    reading.push(Buffer.from(`title,price\nVase,1\n${'x'.repeat(50)},1\nLamp,2\n`));
    expect(() => reading.end()).toThrow('is longer than 40 bytes');
    expect(samples).toEqual([[['Vase', '1']]]);
  });

  test('follow the overrides', () => {
    const bytes = Buffer.from('Note\nTitle;Price\nLamp, blue;10\n');
    expect(read(bytes, { dialect: { delimiter: ',', headerRecord: 1 } }).sample).toEqual([
      ['Lamp', 'blue;10'],
    ]);
  });
});

test('ignored rows belong to no product, and a product that is too large for a chunk has two numbers', () => {
  const mug = `mug,Mug,10,${'x'.repeat(900_000)}\n`;
  const text = `Handle,Title,Price,Option1 Value\n${mug.repeat(18)}Total,,12,\n${mug}jug,Jug,1,\n`;
  const { rows, chunks, totals } = readInPieces(Buffer.from(text), 64 * 1024);
  expect(totals).toEqual({ rows: 21, products: 2, productNumbers: 3, exact: true });
  expect(chunks).toBe(2);
  const starts = rows.flatMap(({ startsProduct }, at) => (startsProduct ? [at + 1] : []));
  expect(starts).toEqual([1, 20, 21]);
  expect(rows[18]).toMatchObject({ ignored: 'totals', startsProduct: undefined });
});

test('a file without a record has no header', () => {
  expect(readInPieces(Buffer.from('\n\n'), 1)).toMatchObject({ sample: undefined, rows: [], chunks: 0 });
});
