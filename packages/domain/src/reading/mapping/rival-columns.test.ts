import { describe, expect, it } from 'vitest';
import { mappedColumns } from '../../testing/column-fields.ts';
import { mapHeaders } from './header-mapping.ts';
import { headerWords, namesIdentifier } from './header-words.ts';

/** Header → field of the mapped columns. `rows`: cells of a row, with the headers' delimiter. */
const fieldsOf = (headers: string, ...rows: string[]): Record<string, string> =>
  Object.fromEntries(
    mapHeaders(
      headers.split('|'),
      rows.map((row) => row.split('|')),
    ).columns.flatMap(({ header, field }) => (field ? [[header, field]] : [])),
  );

/** Expects that each column, `header=field` with a bar between columns, has its field, or none for '-'. */
const expectFields = (columns: string, ...rows: string[]) =>
  expect(mappedColumns(columns, ...rows)).toBe(columns);

describe('headers that name a number', () => {
  it.each(
    [
      'Preis-Nr.|Preisnr|Preisnummer|Price No.|Price #|Price code|Price Reference|Price ID',
      'Código de precio|Code prix|Codice prezzo|Prijscode|Prisnummer|Kod ceny|Номер цены|价格编号',
      '価格コード|Fiyat kodu|Konto nr|Artikelgruppencode',
    ].flatMap((names) => names.split('|')),
  )("'%s' is no price, cost or quantity, whatever its values are", (header) => {
    const rows = ['Oak stool|19.90|3', 'Oak bench|49.50|7', 'Oak table|99.00|12'];
    for (const values of [rows, rows.map((row) => row.replace(/\|[\d.]+\|/, '|4711|'))]) {
      const field = fieldsOf(`Name|${header}|VPE`, ...values)[header];
      expect(['price', 'compareAtPrice', 'cost', 'quantity']).not.toContain(field);
    }
  });

  it.each(['Stock code', 'Lager-Nr.', 'Lagernr', 'Stock no', 'Bestandsnummer', 'Quantity code', 'Antal kod'])(
    "'%s' is no quantity",
    (header) => {
      const fields = fieldsOf(`Name|${header}|Price`, 'Oak stool|12|19.90', 'Oak bench|40|49.50');
      expect(fields[header]).not.toBe('quantity');
      expect(fields.Price).toBe('price');
    },
  );

  it('are no vendor and no type either', () => {
    const fields = fieldsOf('Leverandørnr|Kategorienr|Name|Price', '40012|7|Oak stool|19.90');
    expect(fields).toEqual({ Name: 'title', Price: 'price' });
  });

  it('but a reference price is a price', () => {
    expect(namesIdentifier(headerWords('Precio de referencia'))).toBe(false);
  });
});

describe('a sales price and a cost price', () => {
  const pairs = [
    'list_price=standard_price|lst_price=standard_price|Retail=Wholesale|Retail Price=Wholesale Price',
    'Suggested Retail (USD)=Wholesale (USD)|MSRP=Wholesale|MSRP=Dealer Net|RRP=Trade Price|RRP=Nett',
    'Sell Price=Buy Price|Selling=Buying|Retail Price=Supply Price|VK=EK|VK netto=EK netto',
    'VK-Preis=EK-Preis|Endkunden-VK=Händler-EK|Verkaufspreis=Einkaufspreis|UVP=Händlerpreis',
    "Listenpreis=Einkaufspreis|Prix de vente=Prix d'achat|PV TTC=PA HT|P.V.=P.A.|PVP=PVD",
    'Precio venta=Precio coste|Prezzo vendita=Prezzo acquisto|Listino pubblico=Listino rivenditori',
    'Verkoopprijs=Inkoopprijs|Verkoop=Inkoop|Eenheidsprijs=Kostprijs|Utpris=Inpris',
    'Salgspris=Indkøbspris|Cena detaliczna brutto=Cena hurtowa netto|Prodejní cena=Nákupní cena',
    'Розница=Опт|售价=进价|上代=下代|売価=原価|販売単価=仕入単価',
  ];
  it.each(pairs.flatMap((some) => some.split('|').map((pair) => pair.split('=') as [string, string])))(
    '%s sells, %s is paid',
    (sales, cost) => {
      const both = { Name: 'title', [sales]: 'price', [cost]: 'cost' };
      expect(fieldsOf(`Name|${sales}|${cost}`)).toEqual(both);
      expect(fieldsOf(`Name|${cost}|${sales}`)).toEqual(both);
      const rows = ['Oak stool|40.00|79.00', 'Oak bench|71.50|149.00', 'Oak table|210.00|399.00'];
      expect(fieldsOf(`Name|${cost}|${sales}`, ...rows)).toEqual(both);
    },
  );

  it('a standard price close to the list price sells', () => {
    const rows = ['Oak stool|79.00|74.00', 'Oak bench|149.00|139.00', 'Oak table|399.00|379.00'];
    expectFields('Name=title|List price=compareAtPrice|Standard price=price', ...rows);
  });

  it('so it does in a file for Amazon, and beside a column that is the cost', () => {
    const amazon = { standard_price: 'price', list_price: 'compareAtPrice' };
    expect(fieldsOf('item_sku|item_name|standard_price|list_price')).toMatchObject(amazon);
    expect(fieldsOf('name|list_price|standard_price|cost')).toMatchObject({ ...amazon, cost: 'cost' });
  });

  it('a net price beside a list price is the cost if their ratio differs by row, and not if only tax is between', () => {
    const discounted = ['Oak stool|79.00|47.40', 'Oak bench|149.00|82.00', 'Oak table|399.00|260.00'];
    const sold = { Descrizione: 'title', 'Prezzo Listino': 'price', 'Prezzo Netto': 'cost' };
    expect(fieldsOf('Descrizione|Prezzo Listino|Prezzo Netto', ...discounted)).toEqual(sold);
    const taxed = ['Oak stool|122.00|100.00', 'Oak bench|244.00|200.00', 'Oak table|61.00|50.00'];
    expect(fieldsOf('Descrizione|Prezzo Listino|Prezzo Netto', ...taxed)['Prezzo Netto']).toBe('price');
  });

  it('a cost alone still is the price', () => {
    expectFields('Name=title|Wholesale Price=price');
  });
});

describe('internal ids', () => {
  it.each('SKU|Reference|Internal Reference|Item No.|Code|default_code|Part Number|Artikelnummer'.split('|'))(
    'lose to %s',
    (reference) => {
      for (const id of ['ID', 'Product ID', 'Item ID', 'Internal ID']) {
        const { columns, sources } = mapHeaders([id, reference, 'Name', 'Price']);
        expect(columns[0]?.field).toBeNull();
        expect(sources.sku).toEqual([1]);
      }
    },
  );

  it('lose to an item number by their values too, and the reason says so', () => {
    const rows = [
      ['p_4C0F643C', '10-1000', 'Oak stool'],
      ['p_C2210923', '10-1001', 'Oak bench'],
    ];
    const { columns, sources } = mapHeaders(['ID', 'Item No.', 'Name'], rows);
    expect(sources.sku).toEqual([1]);
    expect(columns[0]).toMatchObject({ field: null, reason: 'Another column fits the SKU better' });
  });

  it('are the SKU if nothing else is, and the id of a product feed is the SKU beside the number of the maker', () => {
    expect(fieldsOf('Product ID|Name|Price')).toMatchObject({ 'Product ID': 'sku' });
    expect(fieldsOf('id|title|price|mpn')).toMatchObject({ id: 'sku' });
  });
});

describe('codes of kind', () => {
  it.each([
    ['product', 'service', 'consu'],
    ['Storable Product', 'Consumable', 'Service'],
    ['Inventory Item', 'Kit/Package', 'Service for Sale'],
    ['Inventory', 'Non-inventory', 'Service'],
    ['HAWA', 'FERT', 'DIEN'],
    ['Lager', 'Tjänst', 'Lager'],
    ['Producto', 'Servicio', 'Producto'],
    ['商品', 'サービス', '商品'],
  ])('%s, %s, %s are no product types', (...kinds) => {
    const rows = kinds.map((kind, at) => `${kind}|Oak stool ${at}|19.90|Chairs`);
    expectFields('Type=-|Name=title|Price=price|Group=type', ...rows);
    expect(fieldsOf('Product Type|Name|Price|Group', ...rows)).not.toHaveProperty('Product Type');
  });
});

it('of two titles, the one with single words is an article number', () => {
  const rows = ['TNT-2P|Two-person tent', 'STV-GAS|Pocket gas stove', 'POT-900|Titanium pot'];
  expect(fieldsOf('Name|Display Name', ...rows)).toMatchObject({ 'Display Name': 'title' });
});

describe('prices of one product', () => {
  it('are the cost for a piece and the retail price in a list with prices for a case', () => {
    const rows = [
      'Ivory candle|84.00|3.50|7.99',
      'Tall candle|63.00|5.25|11.99',
      'Long match|60.00|1.25|2.99',
    ];
    expectFields('Name=title|Case Price=-|Each Price=cost|Sugg. Retail=price', ...rows);
    expectFields('Name=title|Carton price=-|Unit price=cost|RRP=price', ...rows);
    const noCase = rows.map((row) => row.split('|').toSpliced(1, 1).join('|'));
    expectFields('Name=title|Unit price=price|RRP=compareAtPrice', ...noCase);
    const noRetail = rows.map((row) => row.split('|').slice(0, 3).join('|'));
    expectFields('Name=title|Case Price=-|Each Price=price', ...noRetail);
  });

  it('are all in one currency', () => {
    const rows = ['Jacket|89.50|180.00|118.00|239.00', 'Vest|59.50|120.00|79.00|159.00'];
    expectFields('Name=title|Wholesale USD=cost|Retail USD=price|Wholesale CAD=-|Retail CAD=-', ...rows);
    expectFields('Name=title|Cost (USD)=-|Price (EUR)=price|Cost (EUR)=cost|MSRP=compareAtPrice', ...rows);
  });
});

describe('a SKU column without values', () => {
  it('leaves the SKU to a column with a code in every row', () => {
    const rows = ['Halo lamp||RL-HALO|101.00', 'Bow lamp||FL-BOW|249.50', 'Bulb||BLB-27|3.95'];
    expectFields('Name=title|SKU=-|Model=sku|Price=price', ...rows);
    expectFields(
      'Name=title|SKU=sku|Model=-|Price=price',
      ...rows.toSpliced(1, 1, 'Bow lamp|B-1|FL-BOW|249.50'),
    );
    expectFields(
      'Name=title|SKU=sku|Model=-|Price=price',
      ...rows.map((row) => row.replace(/RL-HALO|FL-BOW/, '')),
    );
  });
});

it('a product id is the barcode if a column says that it is a GTIN', () => {
  const rows = ['K-1|Red kettle|UPC|036000291452|39.98', 'K-2|Mug|UPC|012345678905|17.50'];
  expectFields('sku=sku|productName=title|productIdType=-|productId=upc|price=price', ...rows);
  expectFields('sku=sku|productName=title|vintage=-|productId=-|price=price', ...rows);
});

it('items that are named by their place have their names in the description', () => {
  const rows = [
    'Cookware|Cookware|0.00',
    'Cookware:SKL-10|Iron skillet|39.95',
    'Cookware:GRD-1|Griddle|54.95',
  ];
  expectFields('Item=-|Description=title|Price=price', ...rows);
  expectFields('Item=title|Description=description|Price=price', ...rows.map((row) => row.replace(':', ' ')));
  const long = rows.map((row) => row.replace('Griddle', 'Seasoned and ready to use on any hob. '.repeat(4)));
  expectFields('Item=title|Description=description|Price=price', ...long);
});

describe('an article', () => {
  const rows = ['GL-1001|Watering can 5 l|18.90', 'GL-1002|Plant pot|9.50', 'GL-1003|Hand trowel|12.00'];

  it('is the SKU if it holds item numbers and descriptions name the products', () => {
    for (const article of ['Article', 'Artikel']) {
      expect(fieldsOf(`${article}|Description|Retail Price`, ...rows)).toEqual({
        [article]: 'sku',
        Description: 'title',
        'Retail Price': 'price',
      });
    }
  });

  it('is the SKU beside names, however it is called', () => {
    for (const code of ['Item', 'Artikel', 'Part']) {
      expect(fieldsOf(`${code}|Description|Price`, ...rows)).toMatchObject({
        [code]: 'sku',
        Description: 'title',
      });
      expect(fieldsOf(`${code}|Name|Price`, ...rows)).toMatchObject({ [code]: 'sku', Name: 'title' });
    }
    const short = ['CP-1|Küchenmesser „Zürich“|29,90 €', 'CP-2|Schälmesser|9,90 €'];
    expectFields('Artikel=sku|Name=title|Preis=price', ...short);
  });

  it('is the SKU if its numbers are whole, also as formulas and as text', () => {
    expectFields('Artikel=sku|Titel=title|Preis=price', '00123|Nadeln 10 Stück|2,95', '00124|Band|4,50');
    expectFields('Artikel=sku|Titel=title|Preis=price', '="00123"|Nadeln 10 Stück|2,95', "'00128|Band|4,50");
    expect(
      fieldsOf('Item|Name|Price', '1|Two pins|2.95', '2|One band|4.50', '3|A comb|8.50'),
    ).not.toHaveProperty('Item');
  });

  it('is the SKU in a list with lines for groups and notes', () => {
    const lines = ['Garden||||', ...rows.map((row) => `${row}|4|7`), '||||', 'Prices valid until May.||||'];
    expectFields('Item=sku|Description=title|Price=price|On hand=quantity|Shelf=-', ...lines);
  });

  it('is the title if nothing else can be', () => {
    const numbers = rows.map((row) => row.split('|').toSpliced(1, 1).join('|'));
    expect(fieldsOf('Article|Price', ...numbers)).toMatchObject({ Article: 'title' });
    const names = ['Can|Holds 5 litres of water|18.90', 'Pot|Fired twice at high heat|9.50'];
    expect(fieldsOf('Article|Description|Price', ...names)).toMatchObject({
      ...{ Article: 'title', Description: 'description' },
    });
  });
});

it('an address list has no products', () => {
  const rows = [
    'Kehl Interiors Ulm|a@x.example|0731 22|Lindenweg 4|365.84',
    'Estudio Robledo Sur|b@x.example|091 3|Calle Olmo 5|906.79',
  ];
  expect(fieldsOf('Kennung|E-Mail|Telefon|Straße|Betreuung', ...rows)).toEqual({});
});

it.each([
  ['EAN Karton|EAN Stück', 1],
  ['EAN caja|EAN unidad', 1],
  ['Outer Barcode|Unit Barcode', 1],
  ['EAN13|EAN VPE', 0],
])('of %s, the barcode is that of a piece', (headers, at) => {
  const codes = at === 1 ? ['14006381333938', '4006381333931'] : ['4006381333931', '14006381333938'];
  const { sources } = mapHeaders(
    ['SKU', 'Name', ...headers.split('|'), 'Price'],
    [['A-1', 'Tea', ...codes, '3.49']],
  );
  expect(sources.upc?.[0]).toBe(2 + at);
});

it.each(['EAN VPE', 'DUN-14', 'Barcode caja'])(
  'the code of a pack in %s is no barcode of a product',
  (header) => {
    const { sources } = mapHeaders(
      ['SKU', 'Name', header, 'Price'],
      [
        ['A-1', 'Tea', '14006381333938', '3.49'],
        ['A-2', 'Mug', '14006381333938', '3.49'],
      ],
    );
    expect(sources.upc).toBeUndefined();
  },
);
