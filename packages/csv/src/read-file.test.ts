import { describe, expect, test } from 'vitest';
import type { Dialect } from './dialect.ts';
import { type Encoding, singleByteEncodings } from './encoding/encodings.ts';
import { ReadLimitError, readLimitsDefault } from './limits.ts';
import { readFile } from './read-file.ts';
import { encode } from './testing/encode.ts';

const pieceSizes = [1, 2, 3, 7, 64, 65536];

type Read = {
  dialect: Dialect | undefined;
  headers: string[];
  sample: readonly string[][];
  rows: string[][];
  issues: string[];
};

function readBytes(bytes: Uint8Array, pieceBytes = 65536, dialect?: Dialect): Read {
  const read: Read = { dialect: undefined, headers: [], sample: [], rows: [], issues: [] };
  const reading = readFile({
    limits: readLimitsDefault,
    ...(dialect ? { dialect } : {}),
    onHeader: (headers, _record, sample) => {
      read.headers = headers;
      read.sample = sample;
    },
    onRow: ({ record }) => {
      read.rows.push(record.cells());
      read.issues.push(...record.issues);
    },
  });
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const piece = bytes.slice(at, at + pieceBytes);
    reading.push(piece);
    piece.fill(0x22); // The reader must not look at a piece again.
  }
  reading.end();
  return { ...read, dialect: reading.dialect };
}

function readEverySize(bytes: Uint8Array): Read {
  const [first, ...others] = pieceSizes.map((size) => readBytes(bytes, size));
  for (const other of others) expect(other).toEqual(first);
  return first as Read;
}

const samples: [string, Encoding, string][] = [
  [
    'German',
    'windows-1252',
    'Artikel;Größe;Preis\n1;Münsterländer Kissenhülle, weiß;10,00\n2;Tischläufer grün;12,50\n',
  ],
  [
    'French',
    'macintosh',
    'Référence;Désignation;Prix\n1;Chaise en chêne – modèle été;59,90\n2;Étagère;24,00\n',
  ],
  [
    'French of DOS',
    'cp850',
    'Référence;Désignation;Prix\n1;Chaise en chêne, modèle été;59,90\n2;Théière;24,00\n',
  ],
  ['German capitals of DOS', 'cp850', 'Nr;Werk;Preis\n1;ÜBER DER GRENZE;100\n2;DAS MEER;90\n'],
  ['English', 'windows-1252', 'sku,title,price\n1,Mom’s “Oak” chair™ – 5½ in,£10\n'],
  [
    'Catalan',
    'windows-1252',
    'Nom;Descripció;Preu\nxocolata;Pa de pagès;3,90\nllet;Cafè òptim;2,00\npera;Pinyó i meló;1,00\nbraç;mitjà;1\n',
  ],
  ['Polish', 'windows-1250', 'kod;nazwa;cena\n1;Krzesło dębowe żółte;100\n2;Pościel ślubna biała;30\n'],
  [
    'Czech',
    'iso-8859-2',
    'kód;název;cena\n1;Židle dubová žlutá;100\n2;Svíčka růžová, květiny;20\n3;Křeslo šedé;5\n',
  ],
  ['Hungarian', 'windows-1250', 'kod;nev;ar\n1;Szőlőmag olaj;100\n2;Bőrönd;300\n3;Fűnyíró;900\n'],
  ['Estonian', 'windows-1257', 'kood;nimi;hind\n1;Tõstuk;10\n2;Võti;20\n3;Küünlajalg;5\n'],
  ['Portuguese', 'windows-1252', 'ref;nome;valor\n1;Calções;10\n2;Botões de metal;20\n'],
  ['Russian', 'windows-1251', 'Артикул;Название;Цена\n1;Стул дубовый жёлтый;100\n2;Свеча розовая;20\n'],
  ['Russian', 'koi8-r', 'Артикул;Название;Цена\n1;Стул дубовый жёлтый;100\n2;Свеча розовая;20\n'],
  ['Greek', 'windows-1253', 'Κωδικός;Όνομα;Τιμή\n1;Καρέκλα δρύινη;100\n2;Κερί ροζ μικρό;20\n'],
  [
    'Greek, long, with a few characters that Windows-1253 has elsewhere',
    'iso-8859-7',
    `Κωδικός;Άρωμα;Τιμή €\n${'1;Καρέκλα δρύινη μικρή;100\n'.repeat(40)}`,
  ],
  ['Turkish', 'windows-1254', 'Kod;Ürün adı;Fiyat\n1;Meşe sandalye sarı;100\n2;Küçük pembe mum ışık;20\n'],
  ['Turkish of DOS', 'cp857', 'Kod;Ürün adı;Fiyat\n1;Meşe sandalye sarı;100\n2;Küçük pembe mum ışık;20\n'],
  ['Japanese', 'shift_jis', '商品番号,商品名,価格\n1,オーク材の椅子(ソファ|表),100\n2,白い寝具セット,30\n'],
  ['Japanese', 'euc-jp', '商品番号,商品名,価格\n1,オーク材の椅子,100\n2,ピンクのキャンドル,20\n'],
  ['Chinese', 'gb18030', '编号,名称,价格\n1,橡木椅子,100\n2,粉色小蜡烛,20\n'],
  ['Chinese, no word longer than two', 'gb18030', '货号,货品,单价\n1,茶壶,10\n2,锅盖,20\n3,钩,30\n'],
  ['Chinese of Taiwan', 'big5', '編號,名稱,價格\n1,橡木椅子,100\n2,粉紅色小蠟燭,20\n'],
  ['Korean', 'euc-kr', '상품번호,상품명,가격\n1,참나무 의자,100\n2,분홍색 작은 양초,20\n'],
  ['without a mark', 'utf-16le', 'sku;name\n1;Kissenhülle\n2;茶\n'],
  ['without a mark', 'utf-16be', 'sku;name\n1;Kissenhülle\n2;茶\n'],
  [
    'Korean, halves of it NUL, without a mark',
    'utf-16le',
    '이름;가격\n대나무 가구;1\n가로대;2\n가나다라 대;3\n',
  ],
  [
    'Korean, halves of it NUL, without a mark',
    'utf-16be',
    '이름;가격\n대나무 가구;1\n가로대;2\n가나다라 대;3\n',
  ],
  ['UTF-8', 'utf-8', 'sku;name\n1;Kissenhülle\n2;茶 🪑\n'],
];

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(text.includes(';') ? ';' : ','));

describe('encodings', () => {
  test.each(samples)('%s in %s', (_name, encoding, text) => {
    const [headers, ...rows] = linesOf(text.replace('(ソファ|表)', ''));
    const read = readEverySize(encode(text.replace('(ソファ|表)', ''), encoding));
    expect(read.dialect).toMatchObject({ encoding, headerRecord: 0 });
    expect([read.headers, read.rows, read.issues]).toEqual([headers, rows, []]);
  });

  test.each(samples)('%s in %s, only after a head of ASCII', (_name, encoding, text) => {
    if (encoding.startsWith('utf-16')) return;
    const ascii = `sku,name,price\n${'1001,Plain chair,10.00\n'.repeat(15_000)}`;
    const rows = linesOf(text.replaceAll(';', ' ').replaceAll(',', ' ')).map(([line]) => ['2', line, '3']);
    const late = rows.map((row) => `${row.join(',')}\n`).join('');
    const bytes = encode(ascii + late, encoding);
    for (const size of [1000, 65536]) {
      const read = readBytes(bytes, size);
      expect(read.dialect).toMatchObject({ encoding, delimiter: ',' });
      expect(read.rows.slice(15_000)).toEqual(rows);
    }
  });

  test.each(['utf-16le', 'utf-16be', 'utf-32le', 'utf-32be'] as const)('%s with a mark', (encoding) => {
    const read = readEverySize(encode('\uFEFFsku;name\n1;Kissenhülle\n2;茶 🪑\n', encoding));
    expect(read.dialect).toMatchObject({ encoding, headerRecord: 0 });
    expect([read.headers, read.rows, read.issues]).toEqual([
      ['sku', 'name'],
      [
        ['1', 'Kissenhülle'],
        ['2', '茶 🪑'],
      ],
      [],
    ]);
  });

  test('invalid and incomplete characters in UTF-32 are issues', () => {
    const bytes = encode('\uFEFFsku;name\n1;x\n2;y', 'utf-32le');
    bytes.set([0, 0xd8, 0, 0], bytes.length - 20);
    const read = readEverySize(bytes.subarray(0, -1));
    expect(read.rows).toEqual([
      ['1', '\uFFFD'],
      ['2', '\uFFFD'],
    ]);
    expect(read.issues).toEqual(['invalid-utf8', 'invalid-utf8']);
  });

  test('halves of characters that look like delimiters and quotes are text', () => {
    const text = '品番,説明,価格\n1,表|能力ソ十貼の一覧です、とても便利,10\n2,竹の箱,20\n';
    expect(readEverySize(encode(text, 'shift_jis')).rows).toEqual(linesOf(text).slice(1));
  });

  test.each([
    ['utf-16le', [0xff, 0xfe]],
    ['utf-16be', [0xfe, 0xff]],
    ['utf-8', [0xef, 0xbb, 0xbf]],
  ] as const)('%s with its mark', (encoding, mark) => {
    const read = readEverySize(Uint8Array.from([...mark, ...encode('sku,名\n1,茶\n', encoding)]));
    expect([read.headers, read.rows]).toEqual([['sku', '名'], [['1', '茶']]]);
  });

  test.each([...singleByteEncodings])('%s: given, every byte is read as it says', (encoding) => {
    const all = Array.from({ length: 128 }, (_, at) => at + 128);
    const dialect: Dialect = { encoding, delimiter: ',', quote: '"', bomBytes: 0, headerRecord: 0 };
    const { rows } = readBytes(Uint8Array.from([104, 10, ...all, 10]), 7, dialect);
    const [cell = ''] = rows[0] ?? [];
    expect(cell).toHaveLength(128);
    if (!encoding.startsWith('cp')) {
      const plain = new TextDecoder(encoding).decode(Uint8Array.from(all));
      expect(cell.replace(/[\u0080-\u00ff’‘“”€–—…•™œŒŸšŠžŽ‚„†‡ˆ‰‹›ƒ˜]/g, '')).toBe(
        plain.replace(/[\u0080-\u00ff’‘“”€–—…•™œŒŸšŠžŽ‚„†‡ˆ‰‹›ƒ˜]/g, ''),
      );
    }
  });

  test('single invalid bytes in UTF-8 are issues, not another encoding', () => {
    const good = new TextEncoder().encode('sku,name\n1,Größe\n2,Kissenhülle\n3,Tür\n4,Möbel\n');
    const read = readEverySize(Uint8Array.from([...good, 53, 44, 0xe9, 10]));
    expect(read.dialect?.encoding).toBe('utf-8');
    expect(read.rows.at(-1)).toEqual(['5', '\uFFFD']);
    expect(read.issues).toEqual(['invalid-utf8']);
  });

  test('invalid bytes in a transcript are an issue', () => {
    const bytes = Uint8Array.from([
      ...encode(`番号,名称\n${'1,茶碗の箱とふた\n2,竹の棚\n'.repeat(5)}3,`, 'shift_jis'),
      0x81,
      0x20,
      10,
    ]);
    expect(readEverySize(bytes).issues).toEqual(['invalid-utf8']);
  });

  test('Windows quotes that a program took for Latin-1 controls are read as quotes', () => {
    expect(readEverySize(encode('a,b\nd\u0092Estournel,ü\n', 'utf-8')).rows).toEqual([['d’Estournel', 'ü']]);
  });
});

describe('files that are not CSV', () => {
  test.each([
    ['a workbook', [0x50, 0x4b, 3, 4, 20, 0, 6, 0], 'Excel workbook'],
    ['an old workbook', [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], 'old Excel workbook'],
    ['a PDF', [...'%PDF-1.7\n'].map((char) => char.charCodeAt(0)), 'PDF'],
    ['only NULs', new Array(5000).fill(0), 'null bytes'],
    ['binary', Array.from({ length: 900 }, (_, at) => (at % 3 === 0 ? at % 251 : 0)), 'binary'],
  ])('%s is refused with its name', (_name, bytes, words) => {
    expect(() => readBytes(Uint8Array.from(bytes), 3)).toThrow(words);
  });

  test('a single NUL is allowed', () => {
    expect(readEverySize(encode('sku,name\n1,a\0b\n', 'utf-8')).issues).toEqual(['nul']);
  });
});

test('pieces of a byte or two at any place in memory, after a head of ASCII', () => {
  const bytes = encode(`sku,name\n${'1001,Plain chair\n'.repeat(20_000)}2,Größe\n`, 'utf-8');
  const headBytes = 300_000;
  let last: string[] = [];
  const reading = readFile({
    limits: readLimitsDefault,
    onHeader: () => {},
    onRow: ({ record }) => {
      last = record.cells();
    },
  });
  reading.push(bytes.subarray(0, headBytes));
  for (let at = headBytes; at < bytes.length; at += 1 + (at % 2)) {
    reading.push(bytes.subarray(at, at + 1 + (at % 2)));
  }
  reading.end();
  expect(last).toEqual(['2', 'Größe']);
});

test('a file over the size limit is refused', () => {
  const limits = { ...readLimitsDefault, fileBytesMax: 20 };
  const reading = readFile({ limits, onHeader: () => {}, onRow: () => {} });
  reading.push(encode('sku,name\n1,a\n', 'utf-8'));
  expect(() => reading.push(encode('2,b\n3,c\n', 'utf-8'))).toThrow(ReadLimitError);
});

test('a file without a header has numbered columns and loses no row', () => {
  const text = '101,Chair,9.99\n102,Table,19.99\n103,Lamp,5.00\n';
  const read = readEverySize(encode(text, 'utf-8'));
  expect(read.dialect?.headerRecord).toBe(-1);
  expect([read.headers, read.rows]).toEqual([['Column 1', 'Column 2', 'Column 3'], linesOf(text)]);
});

test('a given dialect is used', () => {
  const given: Dialect = { encoding: 'utf-8', delimiter: '|', quote: "'", bomBytes: 0, headerRecord: 0 };
  expect(readBytes(encode("a|b\n'1|2'|3,4\n", 'utf-8'), 5, given).rows).toEqual([['1|2', '3,4']]);
});

test.each([
  ['delimiters', ';'],
  ['quotes', '"'],
  ['one endless cell', 'x'],
  ['quotes behind backslashes', '\\"'],
])('%s without end are refused, by the record limit or the columns limit', (_name, unit) => {
  const reading = readFile({ limits: readLimitsDefault, onHeader: () => {}, onRow: () => {} });
  const piece = encode(unit.repeat(64 * 1024), 'utf-8');
  expect(() => {
    for (let pushed = 0; pushed < 100; pushed += 1) reading.push(piece);
  }).toThrow(ReadLimitError);
});

test('millions of empty lines are not rows', () => {
  const reading = readFile({
    limits: readLimitsDefault,
    onHeader: () => expect.unreachable(),
    onRow: () => {},
  });
  for (let pushed = 0; pushed < 20; pushed += 1) reading.push(encode('\n\r\n'.repeat(64 * 1024), 'utf-8'));
  reading.end();
  expect(reading.stopped).toBe(false);
});
