import { describe, expect, test } from 'vitest';
import type { Dialect, LineEnd } from '../dialect.ts';
import { ReadLimitError, readLimitsDefault } from '../limits.ts';
import type { CsvRecord } from './record.ts';
import { type ScanOptions, scan } from './scan.ts';

const comma: Dialect = { encoding: 'utf-8', delimiter: ',', quote: '"', bomBytes: 0, headerRecord: 0 };

type Copy = Pick<CsvRecord, 'byteFrom' | 'byteTo' | 'line' | 'ordinal' | 'issues'> & { cells: string[] };

const bytesOf = (text: string | readonly number[]) =>
  typeof text === 'string' ? new TextEncoder().encode(text) : Uint8Array.from(text);

function copyOf(record: CsvRecord): Copy {
  const { byteFrom, byteTo, line, ordinal } = record;
  return { byteFrom, byteTo, line, ordinal, issues: [...record.issues], cells: record.cells() };
}

function read(
  text: string | readonly number[],
  options: Partial<ScanOptions> = {},
  pieceBytes = 1_000_000,
): Copy[] {
  const records: Copy[] = [];
  const scanner = scan({
    dialect: comma,
    limits: readLimitsDefault,
    onRecord: (record) => {
      records.push(copyOf(record));
    },
    ...options,
  });
  const bytes = bytesOf(text);
  for (let at = 0; at < bytes.length; at += pieceBytes) scanner.push(bytes.slice(at, at + pieceBytes));
  scanner.end();
  return records;
}

/** The records of a text in which no cell has a bar. */
const recordsOf = (text: string, dialect: Partial<Dialect> = {}) =>
  read(text, { dialect: { ...comma, ...dialect } }).map(({ cells }) => cells.join('|'));

describe('cells', () => {
  test.each<[string, string, string[]]>([
    ['plain', 'a,b\n1,2\n', ['a|b', '1|2']],
    ['no line end at the end', 'a,b\n1,2', ['a|b', '1|2']],
    ['empty cells', 'a,,\n,b,\n', ['a||', '|b|']],
    ['spaces belong to the cell', ' a , b\n', [' a | b']],
    ['quoted', '"a","b,c"\n"",x', ['a|b,c', '|x']],
    ['doubled quotes', '"say ""hi""",""""\n', ['say "hi"|"']],
    ['line ends in cells', '"a\nb","c\r\nd"\r\ne,f', ['a\nb|c\r\nd', 'e|f']],
    ['CRLF, LF and CRCRLF mixed', 'a,b\r\nc,d\ne,f\r\r\n', ['a|b', 'c|d', 'e|f']],
    ['a lone CR is text', 'a\rb,c\n', ['a\rb|c']],
    ['a quote within an unquoted cell is text', '5" pipe,6"\n', ['5" pipe|6"']],
    ['spaces after a closing quote', '"a" ,"b"  \r\n', ['a|b']],
    ['more than ASCII', '"Kö""nig",茶,🪑x\nü,b', ['Kö"nig|茶|🪑x', 'ü|b']],
    ['a mark in the middle stays', 'a\n\uFEFFb', ['a', '\uFEFFb']],
  ])('%s', (_name, text, cells) => {
    expect(recordsOf(text)).toEqual(cells);
  });

  test('the byte order mark is skipped and counted', () => {
    const [record] = read('\uFEFF"a",b\n', { dialect: { ...comma, bomBytes: 3 } });
    expect(record).toMatchObject({ cells: ['a', 'b'], byteFrom: 3, byteTo: 9, line: 1 });
  });

  test('with another delimiter a comma is text', () => {
    expect(recordsOf('1,5;"a;b"\n', { delimiter: ';' })).toEqual(['1,5|a;b']);
    expect(recordsOf('1,5\t"a"\t\n', { delimiter: '\t' })).toEqual(['1,5|a|']);
    expect(read('a|b,c\n', { dialect: { ...comma, delimiter: '|' } })[0]?.cells).toEqual(['a', 'b,c']);
  });

  test('CR ends lines if the dialect says so', () => {
    expect(recordsOf('a,b\r"c\rd",e\r\nf,g\n', { crEndsLine: true })).toEqual(['a|b', 'c\rd|e', 'f|g']);
  });

  test('one space after each delimiter if the dialect says so', () => {
    expect(recordsOf('a, "b, c",  d\n', { spaceAfterDelimiter: true })).toEqual(['a|b, c| d']);
  });

  test('wrapped lines if the dialect says so', () => {
    const text = [
      '"A-1,""Chair, """"oak"""" "",10"',
      '"A-2,5"" pipe,,""Größe\n48"""""""',
      '"A-3,"""",""x""y""" ',
      'A-4,"Lamp, red",3',
      '"A-5",Rug,4',
      '"A-6, only\na text",5,6',
      '"A-8,48"" table" ,,',
      '"A-9",,',
      '"A-7,never closed',
    ].join('\r\n');
    const records = read(text, { dialect: { ...comma, wrappedLines: true } });
    expect(records.map(({ cells, line }) => [line, cells])).toEqual([
      [1, ['A-1', 'Chair, "oak" ', '10']],
      [2, ['A-2', '5" pipe', '', 'Größe\n48"']],
      [4, ['A-3', '', 'x"y']],
      [5, ['A-4', 'Lamp, red', '3']],
      [6, ['A-5', 'Rug', '4']],
      [7, ['A-6, only\na text', '5', '6']],
      [9, ['A-8', '48" table', '', '']],
      [10, ['A-9', '', '']],
      [11, ['"A-7', 'never closed']],
    ]);
    const bad = records.filter(({ issues }) => issues.length > 0);
    expect(bad.map(({ line, issues }) => [line, ...issues])).toEqual([
      [4, 'bad-quote'],
      [11, 'unclosed-quote'],
    ]);
  });

  test('letters of one to four bytes before and after cells of every kind', () => {
    const letters = 'aé€😀';
    const all = `${letters}|${letters}|${letters}`;
    expect(recordsOf(`${letters},"${letters}" ,${letters}\r\n\n${letters},${letters},"${letters}"`)).toEqual([
      all,
      all,
    ]);
    expect(recordsOf(`"${letters}"${letters}",${letters},"${letters}`)).toEqual([
      `${letters}"${letters}|${letters}|"${letters}`,
    ]);
    expect(recordsOf(`"${letters}, 48"",${letters},12 ${letters}\n`)).toEqual([
      `${letters}, 48"|${letters}|12 ${letters}`,
    ]);
    expect(
      recordsOf(`"${letters},""${letters}"",${letters}"\n${letters},${letters}\n`, { wrappedLines: true }),
    ).toEqual([all, `${letters}|${letters}`]);
    expect(recordsOf(`"${letters}\\"",${letters}\n`, { backslashEscapes: true })).toEqual([
      `${letters}"|${letters}`,
    ]);
    expect(recordsOf(`${letters},${letters}\r${letters}\r`, { crEndsLine: true })).toEqual([
      `${letters}|${letters}`,
      letters,
    ]);
  });

  test('backslash quotes if the dialect says so', () => {
    expect(recordsOf('"24\\"","a ""b"" \\n",c\n', { backslashEscapes: true })).toEqual(['24"|a "b" \\n|c']);
  });

  test('a cell beyond the last is empty', () => {
    read('a,b\n', {
      onRecord: (record) => {
        expect([record.cellCount, record.cell(2), record.cell(-1)]).toEqual([2, '', '']);
      },
    });
  });
});

describe('quotes that do not match', () => {
  test.each<[string, string, string[], string[]]>([
    ['a stray inside', '"see " it, ok",3\n', ['see " it, ok|3'], ['bad-quote']],
    ['an inch inside', 'a,"36" x 24 in",3\nb,c,d\n', ['a|36" x 24 in|3', 'b|c|d'], ['bad-quote', '']],
    ['strays over several lines', '"<p class="x">\nhi</p>",3\n', ['<p class="x">\nhi</p>|3'], ['bad-quote']],
    ['a quoted word first', '"Best" chair,12\nb,13\n', ['"Best" chair|12', 'b|13'], ['bad-quote', '']],
    [
      'inches at the end of a quoted cell',
      'a,"Table, 48""",x\nb,"Tisch, 48"",20\nc,"Bäume, 5"" ,"y"\nd,"Rug, 9""\r\ne,2,3\n',
      ['a|Table, 48"|x', 'b|Tisch, 48"|20', 'c|Bäume, 5"|y', 'd|Rug, 9"', 'e|2|3'],
      ['', 'bad-quote', 'bad-quote', 'bad-quote', ''],
    ],
    [
      'a quoted word first, another last',
      '"Best" chair,12\nb,"Oak" or "Elm"\n',
      ['"Best" chair|12', 'b|Oak" or "Elm'],
      ['bad-quote', 'bad-quote'],
    ],
    [
      'a quoted word first, one last in a plain cell',
      '"Best" chair,12\nb,of "Oak"\n',
      ['"Best" chair|12', 'b|of "Oak"'],
      ['bad-quote', ''],
    ],
    ['never closed', 'a,"b\nc,d\n', ['a|"b', 'c|d'], ['unclosed-quote', '']],
    ['never closed, before a quoted cell', '"a,b,"c d"\ne,f\n', ['"a|b|c d', 'e|f'], ['unclosed-quote', '']],
    ['never closed, before a quoted line', 'a,"\n"c d",e\n', ['a|"', 'c d|e'], ['unclosed-quote', '']],
  ])('%s', (_name, text, cells, issues) => {
    const records = read(text);
    expect(records.map((record) => record.cells.join('|'))).toEqual(cells);
    expect(records.map((record) => record.issues.join(' '))).toEqual(issues);
  });

  test('a quote that does not close within the record limit is text', () => {
    const limits = { ...readLimitsDefault, recordBytesMax: 20 };
    const records = read('a,"b\nc,d\nlonger than twenty\n"e",f\n', { limits });
    expect(records.map((record) => record.cells[0])).toEqual(['a', 'c', 'longer than twenty', 'e']);
    expect(records[0]?.issues).toEqual(['unclosed-quote']);
  });
});

describe('issues of content', () => {
  test('invalid UTF-8 is replaced, counted in bytes and an issue', () => {
    const [first, second] = read([0x63, 0xe9, 0x2c, 0xc3, 0xa9, 0x0a, 0x61, 0x0a]);
    expect(first).toMatchObject({ cells: ['c\uFFFD', 'é'], issues: ['invalid-utf8'], byteTo: 6 });
    expect(second).toMatchObject({ cells: ['a'], issues: [], byteFrom: 6 });
  });

  test('NUL is kept and an issue', () => {
    expect(read('a\0b,c\nd,e\n').map(({ cells, issues }) => [cells[0], issues])).toEqual([
      ['a\0b', ['nul']],
      ['d', []],
    ]);
  });

  test('a CR in an unquoted cell is kept and an issue, one in a quoted cell is text', () => {
    const records = read('a\rb,c\r\n"d\re",f\r\r\ng,h\r\n');
    expect(records.map(({ cells, issues }) => [cells, issues])).toEqual([
      [['a\rb', 'c'], ['lone-cr']],
      [['d\re', 'f'], []],
      [['g', 'h'], []],
    ]);
  });

  test.each<[LineEnd, string[]]>([
    ['lf', ['a', 'd']],
    ['crlf', ['b', 'c']],
    ['cr', ['a', 'b', 'c', 'd']],
  ])('a line break other than the %s of the file is an issue, none at the end is not', (lineEnd, odd) => {
    const records = read('a\r\nb\n"c"\n\nd\r\r\ne', { dialect: { ...comma, lineEnd } });
    expect(records.map(({ cells }) => cells[0])).toEqual(['a', 'b', 'c', 'd', 'e']);
    const mixed = records.filter(({ issues }) => issues.includes('mixed-line-ends'));
    expect(mixed.map(({ cells }) => cells[0])).toEqual(odd);
  });

  test('LF and CRLF among CRs are issues', () => {
    const dialect: Dialect = { ...comma, crEndsLine: true, lineEnd: 'cr' };
    expect(read('a\rb\r\nc\rd\n', { dialect }).map(({ issues }) => issues)).toEqual([
      [],
      ['mixed-line-ends'],
      [],
      ['mixed-line-ends'],
    ]);
  });

  test('a cell that really holds U+FFFD is no issue', () => {
    expect(read('a\uFFFD,b\n')[0]).toMatchObject({ cells: ['a\uFFFD', 'b'], issues: [] });
  });
});

describe('records', () => {
  test('have their bytes, line and ordinal', () => {
    const records = read('h1,h2\r\n"a\nb",é\n\n , \t\nc,d');
    expect(records.map(({ byteFrom, byteTo, line, ordinal }) => [byteFrom, byteTo, line, ordinal])).toEqual([
      [0, 7, 1, 0],
      [7, 16, 2, 1],
      [22, 25, 6, 2],
    ]);
  });

  test('blank ones are passed on only if requested', () => {
    const blanks: Copy[] = [];
    read('a\n\n"",\nb\n', { onBlank: (record) => blanks.push(copyOf(record)) });
    expect(blanks.map(({ line, ordinal, cells }) => [line, ordinal, cells])).toEqual([
      [2, 1, ['']],
      [3, 1, ['', '']],
    ]);
  });

  test('an empty file has none', () => {
    expect(read('')).toEqual([]);
    expect(read('\n\r\n\n')).toEqual([]);
  });

  test('false stops', () => {
    let records = 0;
    const scanner = scan({
      dialect: comma,
      limits: readLimitsDefault,
      onRecord: () => (++records === 2 ? false : undefined),
    });
    scanner.push(bytesOf('a\nb\nc\nd'));
    expect(scanner.stopped).toBe(true);
    scanner.push(bytesOf('e\nf\n'));
    scanner.end();
    expect(records).toBe(2);
  });
});

describe('limits', () => {
  const limits = { recordBytesMax: 10, columnsMax: 3, rowsMax: 100 };

  test.each([1, 2, 3, 1000])('are exact, at pieces of %i bytes', (pieceBytes) => {
    expect(read('1234567890\r\nb\n'.replace('\r', ''), { limits }, pieceBytes)).toHaveLength(2);
    expect(read('1234567890', { limits }, pieceBytes)).toHaveLength(1);
    expect(() => read('a\n12345678901\nb\n', { limits }, pieceBytes)).toThrow(ReadLimitError);
    expect(read('a,b,c\n', { limits }, pieceBytes)[0]?.cells).toHaveLength(3);
    expect(() => read('a,b,c,\n', { limits }, pieceBytes)).toThrow('more than 3 columns');
  });

  test('name the limit, its value, the line and what to do', () => {
    const thrown = (() => {
      try {
        return read('a\n"b\nc",d\n12345678901234\n', { limits });
      } catch (error) {
        return error;
      }
    })();
    expect(thrown).toBeInstanceOf(ReadLimitError);
    expect(String(thrown)).toContain('line 4 is longer than 10 bytes');
    expect(String(thrown)).toContain('RECORD_BYTES_MAX');
  });

  test('stop an endless line without keeping it in memory', () => {
    const scanner = scan({ dialect: comma, limits: readLimitsDefault, onRecord: () => {} });
    const piece = new Uint8Array(64 * 1024).fill(0x78);
    let pushed = 0;
    expect(() => {
      for (; pushed < 100; pushed += 1) scanner.push(piece);
    }).toThrow(ReadLimitError);
    expect(pushed * piece.length).toBeLessThanOrEqual(readLimitsDefault.recordBytesMax);
    expect(scanner.stopped).toBe(true);
  });
});
