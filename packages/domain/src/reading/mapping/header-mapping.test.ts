import { describe, expect, it } from 'vitest';
import { type CanonicalField, canonicalFields, fieldSpecs } from '../../base/canonical-fields.ts';
import { mappedColumns } from '../../testing/column-fields.ts';
import { readRowValues } from '../row-values.ts';
import { fieldNamesOf } from './field-names.ts';
import { fieldMappingOf, type HeaderMapping, mapHeaders } from './header-mapping.ts';
import { headerWords } from './header-words.ts';
import { aliasesOf, splitNames } from './known-names.ts';
import { translatedNames } from './translated-names.ts';

/** Both synonym tables of the specification. */
const specSynonyms: Record<string, string[]> = {
  title: ['title', 'product title', 'name', 'product name', 'item name', 'product_title', 'product_name'],
  price: ['price', 'variant price', 'sale price', 'scd sale price', 'cost', 'amount', 'value'],
  sku: ['sku', 'variant sku', 'product sku', 'item sku'],
  upc: ['upc', 'barcode', 'variant barcode', 'product barcode', 'ean', 'gtin'],
  description: ['description', 'body html', 'seo description', 'product description', 'details', 'summary'],
  vendor: ['vendor', 'brand', 'manufacturer', 'supplier'],
  quantity: ['quantity', 'inventory qty', 'variant inventory qty', 'stock', 'inventory', 'qty'],
  type: ['type', 'product type', 'category', 'collection'],
};

const spellings = (name: string): string[] => [
  name,
  name.toUpperCase(),
  name.replaceAll(' ', '_'),
  name.replaceAll(' ', ''),
  name.replace(/\b\w/g, (letter) => letter.toUpperCase()),
  ` ${name.replaceAll(' ', '-')} `,
];

const map = (headers: string): HeaderMapping => mapHeaders(headers.split(','));
/** Header → field, for mapped columns. */
const fieldsOf = (headers: string): Record<string, string> =>
  Object.fromEntries(map(headers).columns.flatMap(({ header, field }) => (field ? [[header, field]] : [])));
/** Expects that each column, `header=field` with a bar between columns, has its field, or none for '-'. */
const expectFields = (columns: string) => expect(mappedColumns(columns)).toBe(columns);
/** The headers of a field's columns. */
const sourcesOf = (headers: string, field: CanonicalField): string[] => {
  const mapping = map(headers);
  return (mapping.sources[field] ?? []).map((index) => mapping.columns[index]?.header ?? '');
};

describe('the synonyms of the specification', () => {
  const cases = Object.entries(specSynonyms).flatMap(([field, names]) =>
    names.flatMap((name) => spellings(name).map((header) => [header, field] as const)),
  );
  it.each(cases)("'%s' alone is %s", (header, field) => {
    const mapping = mapHeaders([header]);
    expect(mapping.columns[0]?.field).toBe(field);
    expect(mapping.sources).toEqual({ [field]: [0] });
    expect(mapping.columns[0]?.confidence).toBeGreaterThanOrEqual(0.7);
  });

  it.each([
    ['MY PRODUCT TITLE', 'title'],
    ['our Sale Price today', 'price'],
    ['the Item SKU', 'sku'],
    ['MAIN BARCODE', 'upc'],
  ])("'%s' contains a synonym of %s", (header, field) => {
    expect(mapHeaders([header]).columns[0]?.field).toBe(field);
  });

  it.each([
    ['TITLE AND PRICE', 'title'],
    ['Barcode Details', 'upc'],
    ['vendor stock', 'vendor'],
  ])("'%s' contains synonyms of two fields: the first of them, %s, wins", (header, field) => {
    expect(mapHeaders([header]).columns[0]?.field).toBe(field);
  });

  it('uses the first of two columns that match a field equally', () => {
    expect(map('our title,their title').sources).toEqual({ title: [0] });
    expect(map('our stock,their stock').sources).toEqual({ quantity: [0] });
  });

  it('uses the cost as price only if there is no selling price', () => {
    expectFields('name=title|cost=price');
    expectFields('name=title|cost=cost|price=price');
    expectFields('name=title|cost=cost|Sale Price=price');
    expect(fieldsOf('name,cost,Selling Prise')).toMatchObject({ cost: 'cost', 'Selling Prise': 'price' });
  });

  it('uses a collection as type only if there is no type', () => {
    expect(fieldsOf('title,collection')).toMatchObject({ collection: 'type' });
    expect(fieldsOf('title,collection,category')).toMatchObject({
      collection: 'collections',
      category: 'type',
    });
  });

  it('knows more than the 40 and 120 variations the help text names', () => {
    const names = canonicalFields.flatMap(aliasesOf);
    expect(new Set(names).size).toBeGreaterThan(120);
    expect(aliasesOf('title').length).toBeGreaterThan(40);
  });
});

/** The CSV row keys of the specification, in the order in which they are used. */
const specRowKeys: Partial<Record<CanonicalField, string[]>> = {
  title: ['Shopify Title', 'Item Description'],
  price: ['Shopify Price', 'SCD Sale Price', 'Unit Retail'],
  upc: ['Shopify UPC', 'UPC'],
  description: ['Enhanced Description', 'Description'],
  vendor: ['Shopify Brand', 'UPC Brand', 'Brand', 'Vendor'],
  quantity: ['Qty'],
  type: ['Category', 'Subcategory', 'Product Class'],
  compareAtPrice: ['Shopify Compare Price', 'Compare Price', 'Compared Price', 'Ext. Retail'],
  cost: ['Shopify Cost', 'Cost', 'Cost Per Landed', 'Landed Cost'],
  image: ['Product Image'],
  tags: ['Tags'],
  collections: ['Collections'],
  status: ['Product Status', 'Status'],
  itemNumber: ['Item #'],
  tcin: ['TCIN'],
  origin: ['Origin'],
  pointOfSale: ['Point of Sale'],
  trackQuantity: ['Track Quantity'],
  continueSelling: ['Continue Selling'],
};

describe('the row keys of the specification', () => {
  const cases = Object.entries(specRowKeys) as [CanonicalField, string[]][];
  const all = cases.flatMap(([, keys]) => keys);
  /** Other columns of a file: without a price, a cost would be the price. */
  const besides = (field: CanonicalField) =>
    ['Title', 'Price'].filter((name) => name.toLowerCase() !== field);

  it.each(cases)('are used for %s in their order, in any order of columns', (field, keys) => {
    expect(fieldSpecs[field].rowKeys).toEqual(keys);
    expect(sourcesOf(all.join(','), field)).toEqual(keys);
    expect(sourcesOf([...all].reverse().join(','), field)).toEqual(keys);
  });

  it.each(cases.flatMap(([field, keys]) => keys.map((key) => [key, field] as const)))(
    "'%s' as the only column of its kind is %s",
    (key, field) => {
      expect(sourcesOf([...besides(field), key].join(), field)).toEqual([key]);
    },
  );

  it.each(cases)('of %s: the first with a value gives the value', (field, keys) => {
    const headers = [...besides(field), ...keys].reverse();
    for (const [at, first] of keys.entries()) {
      const cells = headers.map((header) => (keys.indexOf(header) < at ? '' : `value of ${header}`));
      expect(readRowValues(cells, mapHeaders(headers))[field]).toBe(`value of ${first}`);
    }
  });

  it("uses the item number as SKU if the file has none, and still calls it 'Item #'", () => {
    expect(sourcesOf('Item #,Title,Price', 'sku')).toEqual(['Item #']);
    expect(sourcesOf('Item #,Title,Price', 'itemNumber')).toEqual(['Item #']);
    expect(sourcesOf('Item #,SKU,Title', 'sku')).toEqual(['SKU']);
  });
});

describe('real files', () => {
  it('takes the categories, not type=simple, and leaves related SKUs alone', () => {
    expectFields(
      'sku=sku|parent_sku=parentSku|type=-|categories=type|name=title|tax_category_name=-|price=price|special_price=-|meta_title=seoTitle|related_skus=-',
    );
  });

  it('reads a liquidation manifest', () => {
    expectFields(
      'CONDITION=-|Pallet ID=-|CATEGORY=type|ASIN=-|Item Desc=title|QTY=quantity|ItemPkgWeight=-|CURRENCY CODE=currency|TOTAL RETAIL=-|UNIT RETAIL=price',
    );
    expect(fieldsOf('QTY,UPC,DESCRIPTION,UNIT RETAIL,PALLET #')).toMatchObject({ DESCRIPTION: 'title' });
  });

  it('reads other languages and prefers English columns', () => {
    expectFields(
      'TITOLO=title|DESCRIZIONE=description|PREZZO=price|QUANTITÀ=quantity|IMMAGINE1=image|IMMAGINE2=moreImages|NOME VARIANTE 1=-',
    );
    expectFields('name_zh=-|name_en=title|价格=price|库存=quantity');
    expectFields('Artikelnummer=sku|Bezeichnung=title|VK brutto=price|EK netto=cost|UVP=compareAtPrice');
  });

  it.each([
    [
      'Turkish',
      'ÜRÜN KODU=sku|Ürün Adı=title|SATIŞ FİYATI=price|alis_fiyati=cost|stok_miktari=quantity|Barkod No=upc|FİRMA ADI=vendor|Açıklama=description|Kategori=type',
    ],
    [
      'Danish',
      'varenr=sku|stregkode=upc|varemærke=vendor|varenavn=title|kostpris=cost|salgspris=price|vejl_pris=compareAtPrice|lagerbeholdning=quantity',
    ],
    ['Polish', 'Kod towaru=sku|Nazwa artykułu=title|Cena netto=price|Nr_katalogowy=-|Ilość na palecie=-'],
    ['Russian', 'Код=sku|Имя=title|"Стоимость руб"=price|Остаток на складе=quantity'],
    ['Italian', 'Cat=type|Titolo=title|Prezzo 15ml=price|Prezzo 30ml=-'],
    ['short', 'code=sku|prod_name=title|MRP(Rs)=price'],
    ["a shop system's", 'Name *=title|Price tax excluded or Price tax included=price|Unit price=-|EAN13=upc'],
    ['Spanish', 'PRODUCTOS=title|PRECIO=price|Nro.Inventario=-'],
    ['bare Turkish', 'kategori=type|ad=title|fiyat=price'],
  ])('reads %s names of real price lists', (_language, columns) => expectFields(columns));

  it.each(['instock', 'In_Stock', 'inStock', 'stock_quantity', 'Qty in Stock', 'stock available'])(
    "takes '%s' for the quantity",
    (header) => {
      expect(fieldsOf(`title,price,${header}`)).toMatchObject({ [header]: 'quantity' });
    },
  );

  it('takes a product type for the type, even next to unknown words', () => {
    expect(fieldsOf('item_sku,feed_product_type')).toMatchObject({ feed_product_type: 'type' });
    expect(fieldsOf('title,operation-type,shop category')).toMatchObject({ 'shop category': 'type' });
  });

  it('prefers a count to an in-stock flag', () => {
    const fields = fieldsOf('Name,Regular price,In stock?,Stock');
    expect(fields).toMatchObject({ Stock: 'quantity' });
    expect(fields).not.toHaveProperty('In stock?');
    expect(fieldsOf('Name,Price,instock,Units')).toMatchObject({ Units: 'quantity' });
  });

  it('forgives typing errors', () => {
    expectFields('Tittle=title|Prise=price|Quantty=quantity|Discription=description|Barcod=upc');
  });

  it.each(
    [
      'SEO Title|meta_title|Image Alt Text|Option1 Name|Tax Category|Currency Code',
      'Weight (kg)|Item Weight|Shipping Price|Customer Name|Company|Total Retail|Category ID',
      'Vendor #|condition|price_group|image_title|sale_price_effective_date',
      'custom_field.custom.type|VARIATION 1 TYPE|operation-type|available_on|Codice Categoria',
      'Marka Kodu',
    ].flatMap((names) => names.split('|')),
  )("claims '%s' for no field of the specification", (header) => {
    const field = mapHeaders([header]).columns[0]?.field ?? null;
    expect(['title', 'price', 'sku', 'upc', 'description', 'vendor', 'quantity', 'type']).not.toContain(
      field,
    );
  });
});

describe('names in other languages', () => {
  const fields = ['title', 'price', 'sku', 'upc', 'description', 'vendor', 'quantity', 'type'];
  it.each([
    ['Czech', 'Název produktu,Cena s DPH,Kód,Čárový kód,Popis,Výrobce,Počet kusů,Kategorie'],
    ['Hungarian', 'Termék neve,Bruttó ár,Cikkszám,Vonalkód,Leírás,Gyártó,Készlet,Termékcsoport'],
    ['Romanian', 'Denumire produs,Preț,Cod produs,Cod de bare,Descriere,Producător,Stoc,Categorie produs'],
    ['Greek', 'Όνομα,Τιμή,Κωδικός,Barcode,Περιγραφή,Κατασκευαστής,Ποσότητα,Κατηγορία'],
    ['Ukrainian', 'Назва,Ціна,Артикул,Штрихкод,Опис,Виробник,Кількість,Категорія'],
    ['Bulgarian', 'Име,Цена,Код,Баркод,Описание,Производител,Наличност,Категория'],
    ['Croatian', 'Naziv artikla,Cijena,Šifra,Barkod,Opis,Proizvođač,Količina,Kategorija'],
    ['Finnish', 'Tuotenimi,Hinta,Tuotekoodi,Viivakoodi,Tuotekuvaus,Valmistaja,Määrä,Tuoteryhmä'],
    ['Lithuanian', 'Pavadinimas,Kaina,Prekės kodas,Brūkšninis kodas,Aprašymas,Gamintojas,Kiekis,Kategorija'],
    ['Hebrew', 'שם מוצר,מחיר,מק"ט,ברקוד,תיאור,יצרן,מלאי,קטגוריה'],
    ['Persian', 'نام محصول,قیمت,کد محصول,بارکد,توضیحات,برند,موجودی,دسته‌بندی'],
    ['Arabic', 'اسم المنتج,السعر,رمز المنتج,الباركود,وصف المنتج,الماركة,الكمية,التصنيف'],
    ['Vietnamese', 'Tên sản phẩm,Giá bán,Mã hàng,Mã vạch,Mô tả,Thương hiệu,Số lượng,Danh mục'],
    ['Indonesian', 'Nama Barang,Harga Jual,Kode Barang,Barcode,Keterangan,Merek,Jumlah,Jenis'],
    ['Thai', 'ชื่อสินค้า,ราคา,รหัสสินค้า,บาร์โค้ด,รายละเอียด,ยี่ห้อ,จำนวน,หมวดหมู่'],
    ['Korean', '상품명,판매가격,상품번호,바코드,상세설명,제조사,재고수량,상품분류'],
  ])('%s', (_language, headers) => {
    expect(Object.values(fieldsOf(headers))).toEqual(fields);
  });

  it('do not match similar or longer headers', () => {
    expect(fieldsOf('Kainit,Kodex,Giant,Stoic,Harga warna')).toEqual({});
  });

  it('rank after columns of other languages that they resemble', () => {
    expect(fieldsOf('ID,Tipo,SKU,Nombre,Categorías')).toMatchObject({ Categorías: 'type' });
    expect(fieldsOf('Product ID,Title,Symbol')).toMatchObject({ 'Product ID': 'sku' });
    expect(fieldsOf('Tytuł,Stan,Cena,Liczba sztuk')).toMatchObject({ 'Liczba sztuk': 'quantity' });
    expect(fieldsOf('Nazwa,Stan,Cena')).toMatchObject({ Stan: 'quantity' });
    expect(fieldsOf('Title,Department,Cotton,Rayon')).toMatchObject({ Department: 'type' });
  });

  it('are listed once', () => {
    for (const field of canonicalFields) {
      const all = [fieldNamesOf(field), translatedNames[field]].flatMap((list) => [
        ...splitNames(list?.names),
        ...splitNames(list?.standIns),
      ]);
      expect(repeated(all.map((name) => headerWords(name).join(' ')))).toEqual([]);
    }
  });

  it('a purchase price is not the selling price, and a stock status is not a quantity', () => {
    expect(fieldsOf('nombre,precio_compra,precio_venta')).toMatchObject({
      precio_compra: 'cost',
      precio_venta: 'price',
    });
    expect(fieldsOf('Prix achat HT,Prix vente HT')).toMatchObject({ 'Prix achat HT': 'cost' });
    expectFields('title=title|Stock status=-|Stock in transit=-|Free stock=quantity');
  });
});

const repeated = (texts: readonly string[]) => texts.filter((text, at) => texts.indexOf(text) !== at);

it('a material is a number only if no other column names a product, and a supplier has its own', () => {
  expect(fieldsOf('Product Name,Material,Price')).not.toHaveProperty('Material');
  expect(fieldsOf('Material,Description,Price')).toMatchObject({ Material: 'sku' });
  expect(fieldsOf('Plant,Name,Material,Material Description')).toMatchObject({ Material: 'sku' });
  expect(fieldsOf('Our SKU,Supplier SKU,Title')).toMatchObject({ 'Our SKU': 'sku' });
  expect(fieldsOf('Product ID,Supplier SKU,Title')).toMatchObject({ 'Supplier SKU': 'sku' });
});

describe('the mapping', () => {
  it('survives JSON and has every column once, with a reason', () => {
    const mapping = map('name,price,price,,zzz');
    expect(JSON.parse(JSON.stringify(mapping))).toEqual(mapping);
    expect(mapping.columns.map(({ header, field }) => [header, field])).toEqual([
      ['name', 'title'],
      ['price', 'price'],
      ['price (2)', null],
      ['Column 4', null],
      ['zzz', null],
    ]);
    expect(mapping.columns[2]?.reason).toBe('Another column fits the price better');
    expect(mapping.columns[4]?.reason).toBe('No field fits this column');
  });

  it('is returned by field for a job, with brand and vendor', () => {
    const shown = fieldMappingOf(map('Shopify Title,Item Description,Price,Brand'));
    expect(shown).toMatchObject({ title: 'Shopify Title', price: 'Price', vendor: 'Brand', brand: 'Brand' });
    expect(shown.upc).toBeNull();
    expect(Object.keys(shown)).toEqual([...canonicalFields, 'brand']);
  });

  it('handles the widest header that we accept', () => {
    const mapping = mapHeaders(Array.from({ length: 2000 }, (_, at) => (at === 1999 ? 'title' : `zq ${at}`)));
    expect(mapping.sources).toEqual({ title: [1999] });
  });
});
