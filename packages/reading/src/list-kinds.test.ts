import { readLimitsDefault as limits } from '@draftshelf/csv/limits';
import { encode } from '@draftshelf/csv/testing/encode';
import { buildDraftProduct, type DraftVariant } from '@draftshelf/domain/products/draft-product';
import { describeQuestions } from '@draftshelf/domain/reading/column-questions';
import { readRowValues } from '@draftshelf/domain/reading/row-values';
import { issuesIn } from '@draftshelf/domain/review/issue-set';
import { openBytes } from '@draftshelf/workbooks/testing/read-all';
import { type CellContent, workbookFile } from '@draftshelf/workbooks/testing/workbook-file';
import { expect, test } from 'vitest';
import { chooseTable } from './choose-table.ts';
import { type ParsedRow, readChunk } from './read-chunk.ts';
import { splitStream } from './split-stream.ts';

// What becomes of lists with one trouble each: products as they would be created, and what is said about them.

type Shown =
  | 'title'
  | 'sku'
  | 'barcode'
  | 'price'
  | 'currency'
  | 'was'
  | 'cost'
  | 'stock'
  | 'grams'
  | 'options'
  | 'pictures'
  | 'tags';

const grams = ({ weight, weight_unit: unit = 'g' }: DraftVariant): number | null =>
  weight === undefined
    ? null
    : Math.round(weight * { g: 1, kg: 1000, oz: 28.349523125, lb: 453.59237 }[unit]);

async function arrival(file: string | Uint8Array | CellContent[][], shown: readonly Shown[]) {
  const { bytes, table } = await bytesOf(file);
  const splitter = splitStream({ limits, ...(table && { table }) });
  splitter.push(bytes);
  const found = splitter.end();
  if (!found) throw new Error('no header');
  const { whole, mapping } = found;
  const rows = whole.cuts.flatMap((cut) => [
    ...readChunk(bytes.subarray(cut.byteFrom, cut.byteTo), cut, found, limits).rows(),
  ]);
  // Rows with one key are joined, also where they stand apart.
  const firstOf = new Map<string, number>();
  const productOf = ({ groupKey, product }: ParsedRow) => {
    if (groupKey !== null && !firstOf.has(groupKey)) firstOf.set(groupKey, product);
    return firstOf.get(groupKey ?? '') ?? product;
  };
  const products = Map.groupBy(
    rows.filter(({ ignored }) => ignored === null),
    productOf,
  );
  const arrived: string[] = describeQuestions(mapping).map(({ sentence }) => `asked: ${sentence}`);
  if (mapping.sources.quantity === undefined) arrived.push('no column of quantities');
  if (mapping.lostZeros) arrived.push(`lost zeros: ${mapping.lostZeros.code}, ${mapping.lostZeros.whole}`);
  for (const { ignored, row } of rows) if (ignored !== null) arrived.push(`${ignored}: row ${row}`);
  for (const ofProduct of products.values()) {
    const values = ofProduct.map(({ cells }) => readRowValues(cells, mapping));
    const said = [...new Set(ofProduct.flatMap(({ issues }) => issuesIn(issues)))];
    const words = said.length === 0 ? '' : ` (${said.join(', ')})`;
    const built = buildDraftProduct(values, { draftMode: true, importSource: '', currency: 'CAD' });
    if (!built.ok) arrived.push(`not sent: ${values[0]?.title ?? values[0]?.sku ?? ''}${words}`);
    else {
      const { title, variants, options = [], images, tags } = built.product;
      const lines = variants.map((variant) => {
        const { option1, option2, option3 } = variant;
        const fields: Record<Shown, unknown> = {
          ...{ title, sku: variant.sku, barcode: variant.barcode, price: variant.price, cost: variant.cost },
          currency: ofProduct[0] && readRowValues(ofProduct[0].cells, mapping).currency,
          ...{ was: variant.compare_at_price, grams: grams(variant), tags },
          stock: variant.inventory_management === null ? 'untracked' : variant.inventory_quantity,
          options: [option1, option2, option3]
            .slice(0, options.length)
            .map((value, at) => `${options[at]?.name}=${value}`),
          pictures: images.map(({ src }) => src.replace('https://cdn.example.com/', '')),
        };
        return shown.map((name) => [fields[name] ?? 'none'].flat().join(' ')).join(' | ');
      });
      arrived.push(`${lines.join(' + ')}${words}`);
    }
  }
  return arrived;
}

async function bytesOf(file: string | Uint8Array | CellContent[][]) {
  if (typeof file === 'string') return { bytes: Buffer.from(file), table: undefined };
  if (file instanceof Uint8Array) return { bytes: file, table: undefined };
  const container = await openBytes(await workbookFile({ sheets: [{ name: 'List', rows: file }] }));
  const { table } = await chooseTable(container, { limits });
  const pieces = await Array.fromAsync(container.read(table.n));
  return { bytes: Buffer.concat(pieces), table };
}

const lines = (...rows: string[]) => `${rows.join('\n')}\n`;

/** A list, and what arrives of it: first which fields are shown, then a line for each product. */
type Case = [file: string | Uint8Array | CellContent[][], arrived: [shown: string, ...lines: string[]]];

const cases: Record<string, Case> = {
  'prices for several quantities, the smallest last': [
    lines('SKU,Name,100+,20-99,1-19,Stock', 'A-1,Cup,3.00,3.50,4.00,8', 'A-2,Bowl,4.00,4.50,5.00,9'),
    ['sku | price | stock', 'A-1 | 4.00 | 8', 'A-2 | 5.00 | 9'],
  ],
  'stock of several shops, which is added up': [
    lines(
      'Código,Producto,Precio,Existencia CDMX,Existencia GDL,Existencia MTY',
      'A-1,Silla,99.00,4,6,1',
      'A-2,Mesa,19.00,,3,',
      'A-3,Banco,15.00,2,auf Lager,5',
    ),
    ['sku | stock', 'A-1 | 11', 'A-2 | 3', 'A-3 | untracked (quantity-loose)'],
  ],
  'stock of Square in two shops': [
    lines(
      'Token,Item Name,SKU,Price,Current Quantity Main St,New Quantity Main St,Current Quantity Mall,New Quantity Mall',
      'a,Chair,A-1,99.00,4,,6,',
      'b,Vase,A-2,19.00,0,,3,',
    ),
    ['sku | stock', 'A-1 | 10', 'A-2 | 3'],
  ],
  'stock of shops, and its sum': [
    lines('SKU,Name,Price,Qty Store 1,Qty Store 2,All', 'A-1,Chair,99.00,4,6,10', 'A-2,Vase,19.00,0,3,3'),
    ['sku | stock', 'A-1 | 10', 'A-2 | 3'],
  ],
  'stock that Shopify exports for locations, and its sum': [
    lines(
      'Title,Variant SKU,Variant Price,Inventory Available: North,Inventory Available: South,Variant Inventory Qty',
      'Chair,A-1,99.00,4,6,10',
      'Vase,A-2,19.00,0,3,3',
    ),
    ['sku | stock', 'A-1 | 10', 'A-2 | 3'],
  ],
  'stock of two shops, with bounds, words and notes': [
    lines(
      'SKU;Name;Price;Остаток (Москва);Остаток (СПб)',
      'A-1;Chair;99,00;>10;3',
      'A-2;Vase;19,00;нет;7',
      'A-3;Rug;59,00;есть;2',
      'A-4;Lamp;59,00;4;5',
    ),
    ['sku | stock', 'A-1 | 13 (quantity-loose)', 'A-2 | 7', 'A-3 | untracked (quantity-loose)', 'A-4 | 9'],
  ],
  'stock, and the stock at which to order': [
    lines('SKU,Name,Price,Current Stock,Low Stock', 'A-1,Chair,99.00,4,2', 'A-2,Vase,19.00,5,2'),
    ['sku | stock', 'A-1 | 4', 'A-2 | 5'],
  ],
  'stock of places, and their sum under an unknown word': [
    lines(
      'SKU;Name;Preis;Bestand_Haupt;Bestand_Lager2;Bestand_Alle',
      'A-1;Rad;99,00;2;1;3',
      'A-2;Helm;19,00;0;5;5',
    ),
    ['sku | stock', 'A-1 | 3', 'A-2 | 5'],
  ],
  'Odoo with a standard price close to the list price': [
    lines(
      'name,default_code,list_price,standard_price,qty_available',
      'Desk,F-1,450.0,400.0,45',
      'Cabinet,F-2,320.0,800.0,5',
    ),
    ['price | cost', '450.0 | 400.0', '320.0 | 800.0 (cost-above-price)'],
  ],
  'Xero, with what was paid before what customers pay': [
    lines(
      '*ItemCode,ItemName,Quantity,PurchasesDescription,PurchasesUnitPrice,SalesDescription,SalesUnitPrice,PurchaseNote',
      'BK-1,Notebook,40,Bought,3.10,Notebook A5,8.50,',
      'BK-2,Pen,120,Bought,0.40,Black pen,1.95,',
    ),
    ['price | cost', '8.50 | 3.10', '1.95 | 0.40'],
  ],
  'stock without a limit, as Squarespace exports it': [
    lines('SKU,Title,Price,Stock', 'S-1,Scarf,60.00,4', 'S-2,Hat,35.00,Unlimited'),
    ['sku | stock', 'S-1 | 4', 'S-2 | untracked (quantity-loose)'],
  ],
  'abbreviations of trade lists in the United States': [
    lines(
      'Item #,Style Name,Color,WHSL,MSRP,ATS',
      'S-1,Jacket,Navy,$24.00,$58.00,36',
      'S-2,Vest,Grey,$18.00,$44.00,0',
    ),
    ['price | cost | stock', '58.00 | 24.00 | 36', '44.00 | 18.00 | 0'],
  ],
  'options of BigCommerce': [
    lines(
      'Item,ID,Name,Type,SKU,Options,Current Stock,Low Stock,Price,Cost Price,Product URL',
      'Product,77,Brewer,physical,AB,,0,0,225.00,100.00,/brewer/',
      'SKU,101,,,AB-W,Type=Rectangle|Name=Color|Value=White,4,0,225.00,,',
      'SKU,102,,,AB-B,Type=Rectangle|Name=Color|Value=Black,6,0,235.00,,',
      'Product,78,Cart,physical,CL,,9,0,200.00,80.00,/cart/',
    ),
    [
      'title | sku | price | stock | options',
      'Brewer | AB-W | 225.00 | 4 | Color=White + Brewer | AB-B | 235.00 | 6 | Color=Black',
      'Cart | CL | 200.00 | 9 | ',
    ],
  ],
  'a Greek list in an encoding of Windows': [
    encode(
      lines(
        'Κωδικός;Περιγραφή;Χονδρική (χωρίς ΦΠΑ);Λιανική (με ΦΠΑ);Απόθεμα',
        'ΕΛ-01;Ελαιόλαδο εξαιρετικό παρθένο 500ml;6,20;10,90;240',
        'ΕΛ-02;Ελιές Καλαμών 300g;2,10;4,50;80',
        'ΜΕ-01;Μέλι θυμαρίσιο 450g;5,40;9,80;0',
      ),
      'windows-1253',
    ),
    [
      'title | price | cost',
      'Ελαιόλαδο εξαιρετικό παρθένο 500ml | 10.90 | 6.20',
      'Ελιές Καλαμών 300g | 4.50 | 2.10',
      'Μέλι θυμαρίσιο 450g | 9.80 | 5.40',
    ],
  ],
  'stock counted twice, which is not added up': [
    lines(
      'SKU,Name,Price,Stock on hand,Stock available,Qty doors',
      'A-1,Chair,99.00,4,3,1',
      'A-2,Vase,19.00,5,5,2',
    ),
    ['sku | stock', 'A-1 | 4 (quantity-loose)', 'A-2 | 5 (quantity-loose)'],
  ],
  'SKUs of all variants in one cell, as Etsy exports them': [
    lines(
      'TITLE,PRICE,QUANTITY,VARIATION 1 NAME,VARIATION 1 VALUES,SKU',
      'Apron,38.00,12,Size,"S,M,L","AP-S,AP-M,AP-L"',
      'Scarf,55.00,3,,,"SC,1"',
      'Cable,12.50,3,Length,"1,5 m","CABLE-1,5"',
      'Screw,1.50,9,Color,"Red, matt","M8,20"',
    ),
    [
      'sku | stock | options',
      ' | 12 | Size=S,M,L (value-unread)',
      'SC,1 | 3 | ',
      'CABLE-1,5 | 3 | Length=1,5 m',
      'M8,20 | 9 | Color=Red, matt',
    ],
  ],
  'a column that names the SKU of the product above': [
    lines(
      'SKU,Title,Linked to,Size,Price,Stock',
      'P-1,Tee,,,0,0',
      'P-1-S,Tee small,P-1,S,9.00,3',
      'P-1-M,Tee medium,P-1,M,9.00,4',
    ),
    ['title | sku | stock', 'Tee | P-1-S | 3 + Tee | P-1-M | 4'],
  ],
  'currencies in a column that only its cells name': [
    lines('Code,Name,Price,Zone X,Stock', 'A-1,Chair,18.50,USD,3', 'A-2,Lamp,24.90,CAD,2'),
    ['currency | price', 'USD | 18.50', 'CAD | 24.90'],
  ],
  'prices in hundredths of Finland, and in won': [
    lines('Koodi;Nimi;Hinta (snt);단가(원);Varasto', 'A-1;Kauha;1290;900;3', 'A-2;Kivi;450;800;3'),
    ['price', '12.90', '4.50'],
  ],
  'prices that the header has for a country': [
    lines('Code;Nom;Prix US;Stock', 'A-1;Tuque;18,99;3', 'A-2;Gant;9,99;3'),
    ['currency | price', 'USD | 18.99', 'USD | 9.99'],
  ],
  'names in Portuguese, and letters that are lost': [
    lines('Código;Produto;Preço;Estoque', 'A-1;Sabonete;12,50;3', 'A-2;Caf\uFFFDteira;18,90;2'),
    ['title | price', 'Sabonete | 12.50', 'Caf\uFFFDteira | 18.90 (text-garbled)'],
  ],
  'codes that a spreadsheet took for numbers and dates': [
    lines('SKU;Name;Price;Stock', '1.20E+03;Knob;8.50;4', '01-feb;Hinge;3.20;5', '12A5;Handle;9.80;2'),
    ['sku', '1.20E+03 (made-a-date)', '01-feb (made-a-date)', '12A5'],
  ],
  'prices per piece, in digits of Thai, and without whole units': [
    lines(
      'SKU;Name;Price;Stock',
      'A-1;Vrták;1 249,00/szt.;๘',
      'A-2;Miska;๔๕,๕๐;8',
      'A-3;Kroužek;–.80;4',
      'A-4;Kolík;18,00/100 szt.;5',
    ),
    ['price | stock', '1249.00 | 8', '45.50 | 8', '0.80 | 4', 'not sent: Kolík (price-not-numeric)'],
  ],
  'numbers of pieces behind words of availability': [
    lines(
      'SKU,Name,Price,Stock',
      'A-1,Cup,4,In stock: 14',
      'A-2,Jug,4,Skladem > 5 ks',
      'A-3,Pot,4,Out of stock',
    ),
    ['stock', '14 (quantity-loose)', '5 (quantity-loose)', '0 (quantity-loose)'],
  ],
  'subtotals whose word is in the column of codes': [
    lines(
      'Ref;Nombre;PVP;Stock',
      'A-1;Jarra;6,90;4',
      'A-2;Cuenco;2,10;5',
      'Subtotal;Cocina;9,00;9',
      'A-3;Vela;3,00;1',
      'Total general;3 artículos;12,00;10',
    ),
    ['title | stock', 'totals: row 3', 'totals: row 5', 'Jarra | 4', 'Cuenco | 5', 'Vela | 1'],
  ],
  'a code that is called subtotal, of a product': [
    lines('Ref;Name;Price;Stock', 'Subtotal;Ledger book;9.00;3', 'A-2;Pen;2.10;5'),
    ['title | price', 'Ledger book | 9.00', 'Pen | 2.10'],
  ],
  'a currency in a line above the header': [
    lines(
      'Harbour Trading Ltd.;;;',
      'Price list 3, all prices in USD;;;',
      '',
      'Item;Name;Price;Stock',
      'A-1;Board;3.85;4',
      'A-2;Lid;2.10;5',
    ),
    ['sku | currency | price', 'A-1 | USD | 3.85', 'A-2 | USD | 2.10'],
  ],
  'prices in thousands': [
    lines('Kode;Nama;Harga (ribu Rp);Stok', 'A-1;Tas;87,5;3', 'A-2;Meja;1250;2', 'A-3;Kursi;1.250,5;2'),
    ['price | stock', '87500 | 3', '1250000 | 2', '1250500 | 2'],
  ],
  'reduced prices that hold only where a column says so': [
    lines(
      'SKU,Title,Price,Sale Price,On Sale,Stock',
      'A-1,Mug,32.00,24.00,No,3',
      'A-2,Vase,24.00,18.00,Yes,2',
      'A-3,Bowl,58.00,0.00,Yes,2',
    ),
    ['price | was | stock', '32.00 | none | 3', '18.00 | 24.00 | 2', '58.00 | none | 2'],
  ],
  'prices of a square metre of what is sold in boxes': [
    lines(
      'Codice;Nome;Prezzo al mq;mq per scatola;Giacenza',
      'A-1;Gres;24,90;1,08;3',
      'A-2;Cotto;27,40;1,00;2',
    ),
    ['price', '24.90 (price-of-several)', '27.40 (price-of-several)'],
  ],
  'codes whose pictures have the zeros that they have lost': [
    lines(
      'Code,Name,Price,Stock,Image',
      '417,Hammer,18.90,2,https://cdn.example.com/00417.jpg',
      '20415,Tape,9.50,3,https://cdn.example.com/20415.jpg',
      '993,Knife,34.00,2,https://cdn.example.com/00993.jpg',
    ),
    ['sku', 'lost zeros: 417, 00417', '417', '20415', '993'],
  ],
  'related products, which are no parents': [
    lines('SKU,Name,Related items,Price,Stock', 'A-1,Cup,A-2,4,3', 'A-2,Bowl,,5,3', 'A-3,Jug,A-2,6,3'),
    ['title', 'Cup', 'Bowl', 'Jug'],
  ],
  'availability as 1 and 0, and pieces with decimals': [
    lines('SKU,Name,Price,Available', 'A-1,Cup,4.00,1', 'A-2,Bowl,5.00,0', 'A-3,Jug,6.00,1'),
    [
      'sku | stock',
      'A-1 | untracked (quantity-loose)',
      'A-2 | 0 (quantity-loose)',
      'A-3 | untracked (quantity-loose)',
    ],
  ],
  'a quantity with decimals': [
    lines('SKU;Name;Preis;Bestand', 'A-1;Seil;4,00;2,5', 'A-2;Tau;5,00;3,0'),
    ['stock', '2 (quantity-loose)', '3'],
  ],
  'weights of a thousand': [
    lines('SKU;Name;Preis;Gewicht pro 1000 Stk (kg);Bestand', 'A-1;Mutter;4,00;2,5;300'),
    ['grams', '3'],
  ],
  'subtotals of groups': [
    lines(
      'Article,Price,Stock',
      'Cup,4.00,3',
      'Bowl,5.00,2',
      'Total tableware,9.00,5',
      'Total care soap,6.00,1',
    ),
    ['title', 'totals: row 3', 'Cup', 'Bowl', 'Total care soap'],
  ],
  'addresses of pictures within objects, tags and marks': [
    lines(
      'sku,name,price,images,stock',
      'A-1,Cup,4.00,"[{""url"":""https:\\/\\/cdn.example.com\\/a.jpg""},{""url"":""https:\\/\\/cdn.example.com\\/b.jpg""}]",1',
      'A-2,Bowl,4.00,"<img src=""https://cdn.example.com/c(1).jpg"">",1',
      'A-3,Jug,4.00,https://cdn.example.com/d.jpg::https://cdn.example.com/e.jpg,1',
      'A-4,Pot,4.00,![pot](https://cdn.example.com/f.jpg),1',
    ),
    ['pictures', 'a.jpg b.jpg', 'c(1).jpg', 'd.jpg e.jpg', 'f.jpg'],
  ],
  'groups above columns of one name': [
    lines(
      ';;Rivenditore;;Pubblico;',
      'Codice;Nome;Prezzo;Conf.;Prezzo;Giacenza',
      'A-1;Olio;7,20;12;11,90;8',
      'A-2;Pesto;2,95;6;4,90;9',
    ),
    ['sku | price | cost | stock', 'A-1 | 11.90 | 7.20 | 8', 'A-2 | 4.90 | 2.95 | 9'],
  ],
  'prices below one header': [
    lines(
      'Artikel;Bezeichnung;Preis;;Bestand',
      ';;Händler;Endkunde;',
      'A-1;Tee;3,20;5,90;8',
      'A-2;Tasse;4,20;7,90;9',
    ),
    ['price | cost | stock', '5.90 | 3.20 | 8', '7.90 | 4.20 | 9'],
  ],
  'a father and its variants by the columns of a German program': [
    lines(
      'Artikelnummer;Artikelname;Vaterartikelnummer;Variationsname 1;Variationswert 1;VK brutto;Bestand',
      'J-1;Jacke;;;;0,00;9',
      'J-1-S;Jacke S;J-1;Größe;S;49,90;4',
      'J-1-M;Jacke M;J-1;Größe;M;54,90;5',
    ),
    [
      'title | sku | price | stock | options',
      'Jacke | J-1-S | 49.90 | 4 | Größe=S + Jacke | J-1-M | 54.90 | 5 | Größe=M (price-zero)',
    ],
  ],
  'weights beside other words, and volumes among them': [
    lines('Réf;Désignation;Poids / Volume;Prix;Stock', 'A-1;Savon;200 g;7,50;3', 'A-2;Gel;250 ml;8,50;3'),
    ['sku | grams', 'A-1 | 200', 'A-2 | none (value-unread)'],
  ],
  'units of sale that mean several pieces, and packs beside single pieces': [
    lines('SKU,Description,UOM,Price,Qty', 'A,Hook,DZ,3.48,10', 'B,Ruler,EA,0.79,20', 'C,Paper,CS,32,5'),
    [
      'sku | price',
      'asked: A price of 3.48 is for 12 pieces. Which price should be sent?',
      'A | 3.48 (price-of-several)',
      'B | 0.79',
      'C | 32 (price-of-several)',
    ],
  ],
  'units of sale that are packs throughout': [
    lines('SKU;Bezeichnung;Einheit;VK;Bestand', 'A;Leim;Karton;7,90;20', 'B;Seil;Pack;1,20;90'),
    ['sku | price', 'A | 7.90', 'B | 1.20'],
  ],
  'codes that a script wrote as numbers, and its words for nothing': [
    lines(
      'sku,name,brand,price,barcode,stock',
      '501.0,Trowel,Hollis,12.5,4006381333931.0,4.0',
      '502.0,Fork,nan,11.0,nan,nan',
    ),
    [
      'sku | barcode | stock',
      '501 | 4006381333931 | 4 (text-cleaned)',
      '502 |  | 0 (text-cleaned, quantity-missing)',
    ],
  ],
  'frames, tags and hyphens of a feed in names, and a link in place of a picture': [
    lines(
      'sku;titre;prix;image;stock',
      'A-1;<![CDATA[Banc & table]]>;9,50;"=LIEN_HYPERTEXTE(""https://cdn.example.com/a.jpg"";""Photo"")";1',
      'A-2;Fau\u00adteuil<br>club;9,00;;2',
    ),
    ['title | pictures', 'Banc & table | a.jpg (text-cleaned)', 'Fauteuil club |  (text-cleaned)'],
  ],
  'sizes with decimal commas': [
    lines(
      'Handle,Title,Option1 Name,Option1 Value,Variant Price,Variant Inventory Qty',
      'ring,Ring,Size,"16,5",20.00,1',
      'ring,,,"17,5",21.00,2',
    ),
    ['options | price', 'Size=16,5 | 20.00 + Size=17,5 | 21.00'],
  ],
  'GTINs of many forms': [
    lines(
      'SKU,Name,UPC,Price,Stock',
      'A-1,Mug,400-6381-333931,4.50,3',
      'A-2,Plate,036000291453,9.90,1',
      'A-3,Bowl,n/a,3.00,1',
      'A-4,Cup,36000291452,3.00,1',
    ),
    [
      'sku | barcode',
      'A-1 | 4006381333931',
      'A-2 | 036000291453 (upc-check-digit)',
      'A-3 | ',
      'A-4 | 036000291452 (text-cleaned)',
    ],
  ],
  'equal titles with own keys': [
    lines('SKU,Name,Price,Stock', 'A-1,Mug,4.50,7', 'A-2,Mug,5.50,2'),
    ['sku | price', 'A-1 | 4.50', 'A-2 | 5.50'],
  ],
  'pages in place of pictures': [
    lines('SKU,Name,Price,Stock,Image', 'A-1,Mug,4.50,3,https://photos.app.goo.gl/8sTq2'),
    ['pictures', ' (image-page)'],
  ],
  'links to share pictures': [
    lines(
      'SKU,Name,Price,Stock,Image,Image 2',
      'A-1,Mug,4.50,3,https://www.dropbox.com/s/ab1/mug.jpg?dl=0,',
      'A-2,Jug,5.50,3,https://cdn.example.com/a.jpg,https://www.dropbox.com/scl/fi/cd2/jug.jpg?rlkey=e&dl=0',
      'A-3,Pot,5.50,3,https://www.dropbox.com/s/ef3/pot.jpg?raw=1,',
    ),
    [
      'pictures',
      'https://www.dropbox.com/s/ab1/mug.jpg?raw=1 (text-cleaned)',
      'a.jpg https://www.dropbox.com/scl/fi/cd2/jug.jpg?rlkey=e&raw=1 (text-cleaned)',
      'https://www.dropbox.com/s/ef3/pot.jpg?raw=1',
    ],
  ],
  'dealer and retail prices': [
    lines('SKU,Name,Dealer,MAP,MSRP,Qty', 'A-1,Mug,3.00,4.50,5.00,3', 'A-2,Jug,4.00,6.50,7.00,3'),
    ['price | cost', '4.50 | 3.00', '6.50 | 4.00'],
  ],
  'net and gross': [
    lines('Référence;Désignation;Prix HT;Prix TTC;Stock', 'A-1;Tasse;10,00;12,00;3', 'A-2;Pot;20,00;24,00;5'),
    ['price | cost', '12.00 | none', '24.00 | none'],
  ],
  'old and new prices': [
    lines('SKU,Name,Old Price,New Price,Stock', 'A-1,Mug,6.00,4.50,3', 'A-2,Jug,9.00,7.50,1'),
    ['price | was', '4.50 | 6.00', '7.50 | 9.00'],
  ],
  tiers: [
    lines(
      'SKU,Name,Price 100+,Price 10+,Price 1+,Stock',
      'A-1,Mug,3.00,4.00,5.00,300',
      'A-2,Jug,4.00,5.00,6.00,100',
    ),
    ['price', '5.00', '6.00'],
  ],
  'zeros in front': [
    lines('SKU,Name,Price,Stock', '00417,Mug,4.50,3', '00009,Jug,5.50,3'),
    ['sku', '00417', '00009'],
  ],
  'SKUs like exponents': [
    lines('SKU,Name,Price,Stock', '12E4,Mug,4.50,3', '7E10,Jug,5.50,3'),
    ['sku', '12E4', '7E10'],
  ],
  'orders at least': [
    lines('Code,Product,Price,Min Qty,Pack Qty', 'A-1,Candle,3.20,12,6', 'A-2,Light,0.90,100,50'),
    ['title | stock', 'no column of quantities', 'Candle | 0', 'Light | 0'],
  ],
  'stock at several times, and in several states, which is not added up': [
    lines(
      'SKU,Name,Price,Stock 31.10.2026,Stock 30.11.2026,Lager Fach',
      'A-1,Mug,4.50,3,10,12',
      'A-2,Jug,5.50,1,9,14',
    ),
    ['title | stock', 'Mug | 10 (quantity-loose)', 'Jug | 9 (quantity-loose)'],
  ],
  'warehouses below one header': [
    lines(
      'SKU;Name;Preis;Bestand;',
      ';;;Nord;Süd',
      'A-1;Tasse;4,50;3;4',
      'A-2;Kanne;5,50;;2',
      'A-3;Topf;6,50;2;0',
    ),
    ['title | stock', 'Tasse | 7', 'Kanne | 2', 'Topf | 2'],
  ],
  'a second column of quantities': [
    lines('SKU,Name,Price,Qty,Qty 2', 'A-1,Mug,4.50,3,4', 'A-2,Jug,5.50,1,', 'A-3,Pot,6.50,10+,2'),
    ['title | stock', 'Mug | 3 (quantity-loose)', 'Jug | 1', 'Pot | 10 (quantity-loose)'],
  ],
  'one header of quantities twice': [
    lines('SKU,Name,Price,Qty,Qty', 'A-1,Mug,4.50,3,4', 'A-2,Jug,5.50,,6', 'A-3,Pot,6.50,5,5'),
    [
      'title | stock',
      'Mug | 3 (quantity-loose)',
      'Jug | 0 (quantity-loose, quantity-missing)',
      'Pot | 5 (quantity-loose)',
    ],
  ],
  'words of stock': [
    lines('SKU,Name,Price,Availability', 'A-1,Mug,4.50,In stock', 'A-2,Jug,5.50,Sold out'),
    ['stock', 'no column of quantities', '0', '0'],
  ],
  'a product named Total': [
    lines('Code,Product,Price,Stock', 'A-1,Oats,2.50,10', ',Total,4.10,6', 'A-2,Flakes,3.20,5'),
    ['title | price', 'Oats | 2.50', 'Total | 4.10', 'Flakes | 3.20'],
  ],
  'thousands of grams': [
    lines('SKU;Name;Preis;Gewicht (g);Bestand', 'A-1;Sack;4,50;1.250;3', 'A-2;Dose;2,50;400;3'),
    ['grams', '1250', '400'],
  ],
  'HTML without quotes': [
    lines(
      'SKU;Name;Description;Price;Stock',
      'A-1;Mug;<p style="color:red">Red; nice</p>;4.50;3',
      'A-2;Jug;<p>Plain</p>;5.50;3',
    ),
    ['title | price', 'not sent: Mug (too-many-cells, price-not-numeric, quantity-loose)', 'Jug | 5.50'],
  ],
  'a template row above variants': [
    lines(
      'External ID;Internal Reference;Name;Sales Price;Quantity;Attribute values',
      't1;;Mug Luna;12;;',
      'v1;LU-1;Mug Luna;;3;Color:Red,Size:S',
      'v2;LU-2;Mug Luna;;4;Color:Red,Size:M',
    ),
    [
      'title | sku | options | price | stock',
      'Mug Luna | LU-1 | Color=Red Size=S | 12 | 3 + Mug Luna | LU-2 | Color=Red Size=M | 12 | 4',
    ],
  ],
  'WooCommerce parents by their number': [
    lines(
      'ID,Type,SKU,Name,Stock,Regular price,Parent,Attribute 1 name,Attribute 1 value(s)',
      '11,variable,,Scarf,,,,Color,"Red, Blue"',
      '12,variation,SC-R,Scarf - Red,4,20,id:11,Color,Red',
      '14,simple,HA,Hat,9,15,,,',
      '13,variation,SC-B,Scarf - Blue,2,21,id:11,Color,Blue',
    ),
    [
      'title | sku | options | price',
      'Scarf | SC-R | Color=Red | 20 + Scarf | SC-B | Color=Blue | 21 (parent-without-price)',
      'Hat | HA |  | 15',
    ],
  ],
  'German WooCommerce, with a variation above its parent and a reduced price': [
    lines(
      'ID,Typ,Artikelnummer,Name,Lager,Angebotspreis,Regulärer Preis,Kategorien,Übergeordnet,Attribut 1 Name,Attribut 1 Wert(e)',
      '41,variation,HM-S,Hemd S,4,"29,90","39,90",,id:40,Größe,S',
      '40,variable,,Hemd,,,,Kleidung,,Größe,"S, M"',
      '50,simple,GU,Gürtel,7,,"19,90",Kleidung,,,',
      '42,variation,HM-M,Hemd M,2,,"39,90",,id:40,Größe,M',
    ),
    [
      'title | sku | price | was | options | stock',
      'Hemd | HM-S | 29.90 | 39.90 | Größe=S | 4 + Hemd | HM-M | 39.90 | none | Größe=M | 2 (parent-without-price)',
      'Gürtel | GU | 19.90 | none |  | 7',
    ],
  ],
  'WooCommerce parents by number and by SKU': [
    lines(
      'ID,Type,SKU,Name,Stock,Regular price,Parent,Attribute 1 name,Attribute 1 value(s)',
      '21,variable,CO,Coat,,,,Size,"S, M"',
      '22,variation,CO-S,Coat - S,4,60,CO,Size,S',
      '23,variation,CO-M,Coat - M,0,65,id:21,Size,M',
      '24,simple,CAP,Cap,9,15,,,',
    ),
    [
      'title | sku | options | price',
      'Coat | CO-S | Size=S | 60 + Coat | CO-M | Size=M | 65 (parent-without-price)',
      'Cap | CAP |  | 15',
    ],
  ],
  'headings of groups': [
    [
      ['Artikelnummer', 'Name', 'Preis', 'Bestand'],
      ['Tassen'],
      ['A-1', 'Tasse', { value: '4.5' }, { value: '3' }],
      ['Kannen'],
      ['A-2', 'Kanne', { value: '9.5' }, { value: '1' }],
    ],
    [
      'title | price',
      'not sent: Tassen (title-missing, price-missing)',
      'Tasse | 4.5',
      'not sent: Kannen (title-missing, price-missing)',
      'Kanne | 9.5',
    ],
  ],
  'names above two columns': [
    [
      ['', '', 'Price', '', 'Stock', ''],
      ['SKU', 'Name', 'Cost', 'Retail', 'North', 'South'],
      ['A-1', 'Pot', { value: '11' }, { value: '24' }, { value: '3' }, { value: '4' }],
      ['A-2', 'Cup', { value: '2' }, { value: '6' }, { value: '5' }, { value: '6' }],
    ],
    ['price | cost | stock', 'no column of quantities', '24 | 11 | 0', '6 | 2 | 0'],
  ],
};

test.each(Object.entries(cases))('%s', async (_kind, [file, [shown, ...arrived]]) => {
  expect(await arrival(file, shown.split(' | ') as Shown[])).toEqual(arrived);
});
