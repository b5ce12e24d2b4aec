import { describe, expect, it } from 'vitest';
import { readRowValues } from '../row-values.ts';
import { type MappingOverrides, mapHeaders } from './header-mapping.ts';

/** A small file: the header and rows, cells separated by '|'. */
const fileOf = (text: string) => {
  const [header = '', ...rows] = text.trim().split('\n');
  const cells = (line: string) => line.split('|').map((cell) => cell.trim());
  return { headers: cells(header), rows: rows.map(cells) };
};
const mapFile = (text: string, overrides: MappingOverrides = {}) => {
  const { headers, rows } = fileOf(text);
  return mapHeaders(headers, rows, overrides);
};
/** Header → field, for mapped columns. */
const fieldsOf = (text: string, overrides?: MappingOverrides) =>
  Object.fromEntries(
    mapFile(text, overrides).columns.flatMap(({ header, field }) => (field ? [[header, field]] : [])),
  );

describe('values contradict a header', () => {
  it('a product kind is no product type', () => {
    expect(
      fieldsOf(`
        sku | Type         | Categories   | Name        | Price
        A-1 | simple       | Home > Vases | Blue vase   | 10.00
        A-2 | configurable | Home > Lamps | Desk lamp   | 20.00
        A-3 | simple       | Home > Lamps | Floor lamp  | 30.00`),
    ).toMatchObject({ Categories: 'type', Name: 'title' });
  });

  it('numbers are no description, though Desi is similar to one', () => {
    expect(
      fieldsOf(`
        Stok Kodu | Ürün Adı | Fiyat  | Desi | GTIN, UPC, EAN lub ISBN
        A-1       | Havlu    | 149,90 | 1,2  | 4006381333931
        A-2       | Cezve    | 399,00 | 0,8  | 4006381333948`),
    ).toEqual({
      ...{ 'Stok Kodu': 'sku', 'Ürün Adı': 'title', Fiyat: 'price' },
      'GTIN, UPC, EAN lub ISBN': 'upc',
    });
  });

  it('yes and no are no quantity', () => {
    expect(
      fieldsOf(`
        Name      | Price | Stock | Units
        Blue vase | 10.00 | yes   | 12
        Desk lamp | 20.00 | no    | 4
        Old lamp  | 30.00 | yes   | 7`),
    ).toMatchObject({ Units: 'quantity' });
  });

  it('a sequence numbers the rows, when an article number is there too', () => {
    expect(
      fieldsOf(`
        ID | Art. No. | Name      | Price
        1  | BV-20    | Blue vase | 10.00
        2  | DL-77    | Desk lamp | 20.00
        3  | OL-01    | Old lamp  | 30.00`),
    ).toEqual({ 'Art. No.': 'sku', Name: 'title', Price: 'price' });
  });

  it('a total of a line is no price', () => {
    expect(
      fieldsOf(`
        Item      | Pieces | Retail  | Price
        Blue vase | 2      | 10.00   | 20.00
        Desk lamp | 3      | 20.00   | 60.00
        Old lamp  | 4      | 30.00   | 120.00
        New lamp  | 1      | 40.00   | 40.00`),
    ).toMatchObject({ Retail: 'price' });
  });

  it('an extended retail that is the price times the quantity is no compare-at price', () => {
    const manifest = `
        Item      | Qty | Unit Retail | Ext. Retail
        Blue vase | 2   | 10.00       | 20.00
        Desk lamp | 3   | 20.00       | 60.00
        Old lamp  | 1   | 30.00       | 30.00`;
    const { 'Unit Retail': unit, 'Ext. Retail': extended } = fieldsOf(manifest);
    expect([unit, extended]).toEqual(['price', undefined]);
    expect(fieldsOf(manifest.replace('60.00', '24.00'))).toMatchObject({ 'Ext. Retail': 'compareAtPrice' });
  });

  it('a sale price is the price if most rows have it, and the regular price is if few have', () => {
    const full = `
      Name      | Regular Price | Sale Price
      Blue vase | 10.00         | 8.00
      Desk lamp | 20.00         | 15.00
      Old lamp  | 30.00         | 30.00`;
    expect(fieldsOf(full)).toMatchObject({ 'Sale Price': 'price', 'Regular Price': 'compareAtPrice' });
    expect(fieldsOf(full.replace('8.00', '').replace('15.00', ''))).toMatchObject({
      'Regular Price': 'price',
    });
  });

  it('columns of sizes are no quantities', () => {
    const sizes = `
      Model | Name         | Price  | 38 | 39 | 40 | 41
      L-200 | Loafer brown | 119.00 | 0  | 3  | 1  | 1
      L-210 | Loafer black | 119.00 | 5  | 5  | 2  | 3
      B-310 | Chelsea boot | 149.00 | 3  | 2  | 2  | 0`;
    expect(Object.values(fieldsOf(sizes))).not.toContain('quantity');
  });

  it('prices in full-width digits are prices', () => {
    const rows = `
      品番       | 商品名       | 上代（税込） | 下代（税抜）
      ＫＴ－１０１ | リネンシャツ | ７，９８０円 | ３，９９０円
      ＫＴ－２０５ | 帆布トート   | ４，４００円 | ２，２００円`;
    expect(fieldsOf(rows)).toMatchObject({ '上代（税込）': 'price', '下代（税抜）': 'cost' });
  });

  it('an empty column gives way to a filled one', () => {
    expect(
      fieldsOf(`
        Name      | Price | UPC | EAN13
        Blue vase | 10.00 |     | 4006381333931
        Desk lamp | 20.00 |     | 4006381333948
        Old lamp  | 30.00 |     | 4006381333955`),
    ).toMatchObject({ EAN13: 'upc' });
  });
});

describe('values say what the header does not', () => {
  const rows = `
      BV-20 | Blue ceramic vase   | 10.90 | 12 | 4006381333931
      DL-77 | Desk lamp with dimmer | 20.50 | 4  | 4006381333948
      OL-01 | Old oil lamp        | 31.00 | 12 | 4006381333955
      OL-02 | New oil lamp        | 35.99 | 3  | 4006381333962`;

  it.each([
    ['no header', 'Column 1 | Column 2 | Column 3 | Column 4 | Column 5'],
    ['letters', 'A | B | C | D | E'],
    ['numbered fields', 'Field1 | Field2 | Field3 | Field4 | Field5'],
  ])('%s', (_kind, header) => {
    const fields = Object.values(fieldsOf(header + rows));
    expect(fields).toEqual(['sku', 'title', 'price', 'quantity', 'upc']);
  });

  it('and a guessed title and price are not both taken', () => {
    const fields = Object.values(
      fieldsOf(`
        Column 1 | Column 2
        Vase     | 2
        Lamp     | 3
        Vase     | 1`),
    );
    expect(fields.includes('title') && fields.includes('price')).toBe(false);
  });

  it('the only column of amounts is the price, whole or with a dash', () => {
    const price = (cells: readonly string[]) =>
      mapHeaders(
        ['Column 1', 'Column 2'],
        cells.map((cell, at) => [`Blue vase number ${at + 1}`, cell]),
      ).sources.price;
    expect(price(['12', '17', '23', '41'])).toEqual([1]);
    expect(price(['3.5', '5', '5', '12.5'])).toEqual([1]);
    expect(price(['1899,-', '199,-', '349,-', '99,-'])).toEqual([1]);
    expect(price(['10', '20', '30', '40', '50'])).toBeUndefined();
    expect(price(['0.250', '0.125', '1.000', '0.400'])).toBeUndefined();
    expect(price(['12.78447', '5.11', '9.8123', '7.5'])).toBeUndefined();
  });

  it('of two columns that look equally like the price neither is taken', () => {
    expect(
      fieldsOf(`
        Column 1       | Column 2 | Column 3
        Blue vase tall | 10.95    | 2.95
        Desk lamp red  | 1.95     | 20.95
        Old lamp green | 30.95    | 5.95`),
    ).not.toContain('price');
  });

  it('of a cost, a price and a weight in grams the price is taken', () => {
    expect(
      fieldsOf(`
        Column 1       | Column 2 | Column 3 | Column 4
        Blue vase tall | 24.50    | 64.00    | 1150
        Desk lamp red  | 4.15     | 14.00    | 190
        Old lamp green | 17.80    | 48.00    | 420
        New lamp green | 9.25     | 26.00    | 260`),
    ).toMatchObject({ 'Column 3': 'price' });
  });

  it('an image address and a GTIN are known under any header', () => {
    expect(
      fieldsOf(`
        Title     | Price | external_id   | asset
        Blue vase | 10.00 | 4006381333931 | https://cdn.example/a.jpg
        Desk lamp | 20.00 | 4006381333948 | https://cdn.example/b.jpg
        Old lamp  | 30.00 | 4006381333955 | https://cdn.example/c.jpg`),
    ).toMatchObject({ external_id: 'upc', asset: 'image' });
  });

  it('a description is the title where there is no other, and the short one of two', () => {
    const file = `
      SKU   | Description | Long description                                 | Price
      BV-20 | Blue vase   | A vase of blue glass. It holds a litre of water. | 10.00
      DL-77 | Desk lamp   | A lamp for desks. It has a dimmer and two arms.  | 20.00
      OL-01 | Old lamp    | A lamp from old stock. Its shade is linen.       | 30.00`;
    expect(fieldsOf(file)).toMatchObject({ Description: 'title', 'Long description': 'description' });
    expect(fieldsOf(file.replace('SKU ', 'Name'))).toMatchObject({ Name: 'title' });
  });
});

describe('attributes of variants', () => {
  const file = `
    Handle    | Title     | Colour | Size | Material | Price | SKU
    blue-vase | Blue vase | Blue   | S    | Glass    | 10.00 | BV-1
    blue-vase |           | Blue   | L    | Glass    | 12.00 | BV-2
    desk-lamp | Desk lamp | Red    | One  | Steel    | 20.00 | DL-1
    desk-lamp |           | Green  | One  | Steel    | 20.00 | DL-2`;

  it('become options, named by their headers, if rows of a product differ in them', () => {
    expect(fieldsOf(file)).toMatchObject({ Colour: 'option1Value', Size: 'option2Value' });
    expect(fieldsOf(file)).not.toHaveProperty('Material');
    const { headers, rows } = fileOf(file);
    expect(readRowValues(rows[1] ?? [], mapHeaders(headers, rows))).toMatchObject({
      option1Name: 'Colour',
      option1Value: 'Blue',
      option2Name: 'Size',
      option2Value: 'L',
    });
  });

  it('stay what they are where every row is a product', () => {
    expect(Object.values(fieldsOf(file.replace('Handle', 'Brand ')))).not.toContain('option1Value');
  });
});

describe('the decimal comma of a column', () => {
  it('tells thousands from decimals, also in a column of the same file that has none', () => {
    const { headers, rows } = fileOf(`
      Name      | Price | Quantity
      Blue vase | 12,50 | 1.000
      Sofa      | 1.299 | 20`);
    expect(readRowValues(rows[1] ?? [], mapHeaders(headers, rows)).price).toBe('1299');
    expect(readRowValues(rows[0] ?? [], mapHeaders(headers, rows))).toMatchObject({
      price: '12,50',
      quantity: '1000',
    });
    expect(readRowValues(rows[1] ?? [], mapHeaders(headers, rows.slice(1))).price).toBe('1.299');
  });
});

it('compares a limited number of columns of amounts, and maps the widest file of numbers', () => {
  const headers = Array.from({ length: 2000 }, (_, at) => `q${at}zz`);
  const rows = Array.from({ length: 30 }, (_, row) =>
    headers.map((_, at) => `${((row * 7 + at * 13) % 50) + 1}${at % 2 === 0 ? '' : '.50'}`),
  );
  expect(mapHeaders(headers, rows).columns).toHaveLength(2000);
});
