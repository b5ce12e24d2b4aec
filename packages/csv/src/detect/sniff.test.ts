import { describe, expect, test } from 'vitest';
import { type Delimiter, delimiters, overridesOf, withOverrides } from '../dialect.ts';
import { headBytesMax, sniff } from './sniff.ts';

const sniffText = (text: string, complete = true) => sniff(new TextEncoder().encode(text), complete);

describe('delimiter', () => {
  test.each([...delimiters])('%j', (delimiter: Delimiter) => {
    const text = 'sku,name,price\nA-1,Chair,10\nA-2,Table,20\n'.replaceAll(',', delimiter);
    expect(sniffText(text).delimiter).toBe(delimiter);
  });

  test.each<[string, string, Delimiter]>([
    ['decimal commas in a semicolon file', 'sku;price;rrp\nA;59,99;70,00\nB;19,99;25,00\n', ';'],
    [
      'commas in the text of a tab file',
      'sku\tname\nA\tChair, oak, small\nB\tTable, round\nC\tBench, long\n',
      '\t',
    ],
    ['delimiters within quotes', 'a|b\n"1;2;3"|"x;y;z"\n"1;2;3"|"x;y;z"\n', '|'],
    ['line ends within quotes', 'a;b\n"one,\ntwo,\nthree";x\n"one,\ntwo";y\n', ';'],
    ['a single column', 'sku\nA-1\nA-2\n', ','],
    ['nothing', '', ','],
    ['only a header', 'sku;name;price', ';'],
    ['two regular readings: the wider', '1,5;2;3\n2,5;3;4\n', ';'],
    ['two regular readings: the one without bad quotes', 'p,"a" q;r,"b" s\np,"c" q;r,"d" s\n', ';'],
    [
      'commas in unquoted texts, lists between semicolons',
      'sku,title,description,price,tags\nA,Chair,Oak, brown, old,9,a;b;c\nB,Lamp,Red,8,a;b;d\nC,Rug,Wool,7,e;f;g\nD,Bed,Oak, soft,5,x;y;z\n',
      ',',
    ],
    ['a list in one column', 'sku,tags\nA,red|blue|green\nB,red|blue|black\n', ','],
    ['decimal commas without a header', '101;59,99\n102;19,99\n103;5,00\n', ';'],
    ['a single column of texts', 'name\nred oak chair\nblue lamp\nlarge round table\n', ','],
    ['times and links', 'at,link\n10:15,https://a.example\n11:15,https://b.example\n', ','],
    ["Excel's hint", 'sep=;\na,b;c,d\n1,2;3,4\n', ';'],
  ])('%s', (_name, text, delimiter) => {
    expect(sniffText(text).delimiter).toBe(delimiter);
  });
});

describe('header record', () => {
  test.each<[string, string, number]>([
    ['first', 'sku,name,price\nA,Chair,1\n', 0],
    ['first, above rows with few filled cells', 'a,b,c,d,e,f\n1,,,,,\n2,,,,,\n,3,,,,\n', 0],
    ['below a title', 'Stock list spring\n\nsku,name,price\nA,Chair,1\nB,Table,2\n', 1],
    ['below titles padded with delimiters', 'Stock list,,\nof spring,,\n,,\nsku,name,price\nA,Chair,1\n', 2],
    ['below comments', '# Required | An id,# Required | A title\nid,title\n1,Chair\n', 1],
    [
      'below comments of several cells',
      '#INFO,Version=2,Template= drafts,,\n#INFO,Fill in what is marked,,,\nAction(Site=DE|Country=DE|Currency=EUR|Version=1200|Charset=UTF-8),SKU,Title,Price,Quantity\n',
      2,
    ],
    ['with a # before its first name', '#sku,name,price\nA,Chair,1\nB,Table,2\n', 0],
    ['a column of numbers named #', '#,name\n1,Chair\n2,Table\n', 0],
    ["below Excel's hint", 'sep=;\nsku;name\nA;Chair\n', 1],
    ['of a single column', 'sku\nA\nB\n', 0],
    ['all texts, above texts', 'Front,Back\nred,blue\ngreen,white\n', 0],
    ['a name above a column of texts with commas', 'title\nChair, oak\nLamp, red\nRug, wool\n', 0],
    [
      'below many notes',
      `${'Terms apply, as agreed.\n'.repeat(8)}sku,name,price,stock\nA,Chair,1,2\nB,Lamp,2,3\nC,Rug,3,4\n`,
      8,
    ],
    ['below keys and values', 'Report,Stock,\nDate,2024-05-01,\nsku,name,qty\nA,Chair,1\nB,Lamp,2\n', 2],
    [
      'above sparse rows',
      'handle,title,price,image\na,Chair,1,x.jpg\na,,,y.jpg\na,,,z.jpg\nb,Lamp,2,x.jpg\n',
      0,
    ],
    ['sizes', 'Style,36,38,40,42\nBoot,1,2,0,4\nShoe,3,2,5,1\n', 0],
    ['days', 'Item,2024-05-01,2024-05-02,2024-05-03\nChair,10,12,15\nTable,11,9,8\n', 0],
    [
      'below two titles in one record',
      'ACME Ltd,,Price List 2024\nsku,name,price\nA,Chair,1\nB,Table,2\n',
      1,
    ],
    ['years', 'Item,2021,2022,2023\nChair,10,12,15\nTable,11,9,8\n', 0],
    ['a number among names', 'sku,name,price 2\nA,Chair,1\n', 0],
    [
      'below a note half as wide',
      'Date:,2024-05-01\nsku,name,price,stock,ean\nA,Chair,1,2,3\nB,Table,4,5,6\n',
      1,
    ],
    [
      'below notes half as wide, in unknown words',
      'Fecha;2024-05-01;\nHueste;Ramos;\nModelo;Tirada;Pago\nKB-1;Caldera de cien;398\nKB-2;Tapa;20\n',
      2,
    ],
    [
      'below an address of the same width',
      'ACME Ltd.\n12, High Street, London\nid,label,precio\n1,Base,189.00\n2,Hidra,146.00\n',
      2,
    ],
    ['below a sentence', 'Prices from May, without tax\nmodelo,tirada\nKB-1,20\nKB-2,7\n', 1],
    ['below notes of the same width', 'Supplier,Miller\nCurrency,EUR\nsku,stock\nA-1,25\nA-2,20\n', 2],
    ['with a space after each comma, above rows without', 'sku, name, price\nA-1,Chair,1\nA-2,Rug,\n', 0],
    [
      'with an empty first name, above an index column',
      ';Modelo;Tirada;Pago\n1;Caldera;Ramos;398\n2;Tapa;Ramos;20\n',
      0,
    ],
    [
      'of years, above units',
      'Produkt,2019,2020,2021\nEinheit,Stück,Paar,Pack\nStuhl,3,4,5\nTisch,5,7,8\n',
      0,
    ],
    [
      'of days in German notation',
      'Produkt;01.05.2024;02.05.2024;03.05.2024\nA;1;2;3\nB;3;4;5\nC;3;3;3\n',
      0,
    ],
    [
      'of days, above a row of words',
      'Modelo,2024-01-01,2024-02-01,2024-03-01\ncaldera,rojo,azul,verde\nA,1,2,3\nB,2,3,4\nC,4,4,4\n',
      0,
    ],
    [
      'with a space after each comma, above words',
      'name, price, stock\nChair,POA,none\nRug,5,3\nLamp,6,2\n',
      0,
    ],
    ['none: the same row repeated', 'Chair,Oak\nChair,Oak\nChair,Oak\nChair,Oak\n', -1],
    ['of texts, repeated below', 'Grupo,Modelo\nUno,Tapa\nUno,Caldera\nGrupo,Modelo\nUno,Puerta\n', 0],
    ['of another alphabet', 'Артикул;Название;Цена\n1;Стул;100\n2;Стол;200\n', 0],
    ['only the header', 'sku,name,price\n', 0],
    ['only the header, with unknown words', 'Modèle;Coloris;Pointure\n', 0],
    [
      "a marketplace's program names below readable names",
      'TemplateType=custom\tVersion=3\t\t\nHändler-SKU\tBezeichnung\tStandardpreis\tAnzahl\n' +
        'item_sku\titem_name\tstandard_price\tquantity\nA-1\tStuhl\t49,90\t3\nA-2\tTisch\t99,90\t2\n',
      2,
    ],
    [
      'above a row of words in small letters',
      'Handle,Name,Tag,Material\noak_chair,chair,new,oak\nelm_table,table,sale,elm\n',
      0,
    ],
    ['none: numbers above numbers', '1,null,0,0\n2,0,0,null\n3,null,,\n', -1],
    [
      'none: dates, codes and money',
      '28/01/2018,MG-8769,$74.69,Boots\n29/01/2018,RI-3895,$29.81,Jacket\n',
      -1,
    ],
    ['none: products', '5012345678900,Oak Chair,59.99\n5012345678917,Oak Table,159.99\n', -1],
    ['none: one row alone', 'Hammer;4;19,90;25,00\n', -1],
    ['none: numbered texts', 'Chair 055 oak\nTable 086 elm\nLamp 027 red\nRug\n', -1],
    ['none: links', 'Chair,https://a.example/1.jpg,red\nTable,https://a.example/2.jpg,red\n', -1],
  ])('%s', (_name, text, headerRecord) => {
    expect(sniffText(text).headerRecord).toBe(headerRecord);
  });
});

test('lines above a table without a header are counted', () => {
  expect(sniffText('sep=;\n1;Chair;9.99\n2;Table;19.99\n')).toMatchObject({
    headerRecord: -1,
    recordsAbove: 1,
  });
});

test('cells that open with a quote and never close are read once, not from each to the end', () => {
  const openings = '""a,'.repeat(150_000);
  expect(sniffText(`sku,name,price\nA,B,1\nC,D,2\n"${openings}"\n`).headerRecord).toBe(0);
});

describe('quote', () => {
  test.each<[string, string, string]>([
    ['double', 'a,b\n"1,2",x\n"3,4",y\n', '"'],
    ['single, around delimiters', "a,b\n'1,2',x\n'3,4',y\n'5,6',z\n", "'"],
    ['single, around whole columns', "id,'name'\n1,'Chair'\n2,'Table'\n3,'Lamp'\n", "'"],
    ['apostrophes', "a,b\n'tis,x\nKids' lamp,y\nMen's,z\n", '"'],
    ['numbers that Excel keeps as text', "sku,qty\n'00123,4\n'00124,5\n'00125,6\n", '"'],
  ])('%s', (_name, text, quote) => {
    expect(sniffText(text).quote).toBe(quote);
  });
});

describe('marks, line breaks, spaces and escapes', () => {
  test('the UTF-8 mark', () => {
    expect(sniffText('\uFEFFsku;name\nA;B\n')).toMatchObject({
      bomBytes: 3,
      delimiter: ';',
      headerRecord: 0,
    });
    expect(sniffText('sku;name\nA;B\n').bomBytes).toBe(0);
  });

  test('CR as the line break, only if most are', () => {
    expect(sniffText('a,b\r1,2\r3,4\r').crEndsLine).toBe(true);
    expect(sniffText('a,b\r\n1,2\r\n3\rx,4\r\n').crEndsLine).toBeUndefined();
    // Whichever are more, the reading wins that gives all records one width.
    expect(sniffText('a,b\r\n1,2\r3,4\r\n5,6\r\n').crEndsLine).toBe(true);
    expect(sniffText('a,b\n1,2\r3,4\r5,6\n7,8\n').crEndsLine).toBe(true);
    expect(sniffText('a,b\n1\rx\ry\rz,2\n3,4\n').crEndsLine).toBeUndefined();
    expect(sniffText('a,b\n"1\rx\ry\rz",2\n3\rw,4\n').crEndsLine).toBeUndefined();
    // One record is too wide, or a title: as text, all of these would be one record.
    for (const last of ['5,6,7\r', '5,6,7', '5,6,7\r\n', '5,6\rGroup\r7,8\r'])
      expect(sniffText(`Prices\r\ra,b\r1,2\r3,4\r${last}`).crEndsLine).toBe(true);
  });

  test.each([
    ['a,b\n1,2\n', 'lf'],
    ['a,b\r\n"1\n2\n3\n",2\n3,4\r\n', 'crlf'],
    ['a,b\n1,2\n3,4\r\n', 'lf'],
    ['a,b\r1,2\r3,4\n', 'cr'],
    ['a,b', undefined],
  ])('what most records of %j end with', (text, lineEnd) => {
    expect(sniffText(text).lineEnd).toBe(lineEnd);
  });

  test('a space after every delimiter, only if nearly all have one', () => {
    expect(sniffText('a, "b", c\n1, "2, 3", 4\n').spaceAfterDelimiter).toBe(true);
    expect(sniffText('a, b,c\n1, 2, 3\n').spaceAfterDelimiter).toBeUndefined();
    expect(sniffText(`a, b\n${'1, "2, 3"\n'.repeat(20)}1,2\n`).spaceAfterDelimiter).toBe(true);
  });

  test('wrapped lines, only if that makes a table', () => {
    const wrapped = '"sku,name,price"\r\n"A-1,""Chair, oak"",10"\r\n"A-2,Lamp,20"\r\n';
    expect(sniffText(wrapped)).toMatchObject({ delimiter: ',', wrappedLines: true, headerRecord: 0 });
    const semicolons = '"sku;name"\n"A-1;Chair, oak"\n"A-2;Lamp, red"\n';
    expect(sniffText(semicolons)).toMatchObject({ delimiter: ';', wrappedLines: true });
    const ended = '"sku;name;price";\n"A-1;Chair, oak;10";\n"A-2;Lamp;20";\n';
    expect(sniffText(ended)).toMatchObject({ delimiter: ';', wrappedLines: true, headerRecord: 0 });
    const some = 'sku,name,price\nA-1,Chair,10\n"A-2,Lamp 24"",20"\nA-3,Rug,30\n"A-4,""Vase, red"",5"\n';
    expect(sniffText(some)).toMatchObject({ delimiter: ',', wrappedLines: true, headerRecord: 0 });
    const sections = 'sku,name,price\n"Chairs,stools,benches",,\nA-1,Chair,10\n"Lamps,red"\nA-2,Lamp,20\n';
    expect(sniffText(sections).wrappedLines).toBeUndefined();
    const notes = 'sku,name,price\n"Chairs, stools, benches"\nA-1,Chair,10\nA-2,Lamp,20\n';
    expect(sniffText(notes).wrappedLines).toBeUndefined();
    const imagesOnly = `image,code,name\n${'B.jpg,,\n'.repeat(20)}"A, 1.jpg",,\n"A,2.jpg",,\n"A,3",C,Chair\n`;
    expect(sniffText(imagesOnly).wrappedLines).toBeUndefined();
    const footnote = 'sku,name,price\nA-1,Chair,10\nA-2,Lamp,20\nA-3,Rug,30\n"Prices,stock,May"\n';
    expect(sniffText(footnote).wrappedLines).toBeUndefined();
    const semicolonNote =
      'sku;name;price;rrp\n"Chairs,""low"",stools"\nA-1;Chair;1,50;2,00\nA-2;Lamp;2,50;3,00\nA-3;Rug;3,50;4,00\n';
    expect(sniffText(semicolonNote)).toMatchObject({ delimiter: ';', headerRecord: 0 });
    expect(sniffText(semicolonNote).wrappedLines).toBeUndefined();
    const texts = '"title"\n"Chair, oak"\n"Lamp, red"\n';
    expect(sniffText(texts).wrappedLines).toBeUndefined();
    const sentences = '"Chair, oak, brown"\n"Lamp, red, small"\n"Rug, wool, large"\n';
    expect(sniffText(sentences).wrappedLines).toBeUndefined();
    const quoted = '"sku","name","price"\n"A-1","Chair","10"\n';
    expect(sniffText(quoted).wrappedLines).toBeUndefined();
  });

  test('backslash quotes, only if they read better', () => {
    expect(sniffText('a,b\n"24\\" wide","x"\n"36\\", high","y"\n').backslashEscapes).toBe(true);
    expect(sniffText('a,b\n"C:\\dir\\",x\n"D:\\",y\n').backslashEscapes).toBeUndefined();
  });
});

describe('a head of a longer file', () => {
  test('its broken last record does not count', () => {
    expect(sniffText('a;b\n1;2\n3;"x,y,z,x,y', false)).toMatchObject({ delimiter: ';', headerRecord: 0 });
  });

  test('a quote that never closes does not hide the rest', () => {
    const text = `a,b,c;d\n"1;2\n${'3;4\n'.repeat(1000)}`;
    expect(sniffText(text, false).delimiter).toBe(';');
  });

  test.each([
    ['NULs', '\0'],
    ['quotes', '"'],
    ['delimiters', ',;'],
    ['one line', 'x'],
    ['line ends', '\n'],
  ])('of nothing but %s gets some dialect', (_name, unit) => {
    const head = new TextEncoder().encode(unit.repeat(headBytesMax / unit.length));
    expect(delimiters).toContain(sniff(head, false).delimiter);
  });
});

describe('overrides', () => {
  const utf16 = (text: string) => Uint8Array.from(Buffer.from(text, 'utf16le'));

  test('an encoding: separator and header are detected in it', () => {
    const head = utf16('List of May\n\nTitle;Price\nLamp, blue;10\nVase, red;20\n');
    expect(sniff(head, true, { encoding: 'utf-16le' })).toMatchObject({
      encoding: 'utf-16le',
      delimiter: ';',
      headerRecord: 1,
    });
  });

  test('a separator: the header is detected with it', () => {
    const head = new TextEncoder().encode('Prices, in dollars\nTitle;Price\nLamp, blue;10\nVase, red;20\n');
    expect(sniff(head, true, { delimiter: ';' })).toMatchObject({ delimiter: ';', headerRecord: 1 });
  });

  test('another header record: its cells are compared with the rows again', () => {
    const head = new TextEncoder().encode('Stock,of May,,\nTitle,Price\nLamp,10\nVase,20\n');
    const direct = sniff(head, true, { headerRecord: 1 });
    const other = sniff(head, true, { delimiter: ',', headerRecord: 0 });
    const again = sniff(head, true, overridesOf(withOverrides(other, { headerRecord: 1 })));
    expect(again).toEqual({ ...direct, said: ['delimiter', 'headerRecord'] });
    expect(sniff(head, true).said).toBeUndefined();
    expect(direct.columns).toBeUndefined();
  });

  test('a header record: it is used without detection', () => {
    const head = new TextEncoder().encode('Title,Price\nLamp,10\nVase,20\n');
    expect(sniff(head, true, { headerRecord: -1 })).toMatchObject({ delimiter: ',', headerRecord: -1 });
  });
});
