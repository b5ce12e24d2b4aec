import { expect, it } from 'vitest';
import { mapHeaders } from './header-mapping.ts';
import { payerInHeader } from './trade-words.ts';

it.each([
  ['German', 'Händlerpreis|Fachhandel netto|Wiederverkäufer', 'Endkundenpreis|Ladenpreis|Verbraucherpreis'],
  ['English', 'Dealer Price|Trade|Wholesale USD', 'Retail Price|Consumer Price'],
  ['English of programs', 'PurchasesUnitPrice|WHSL', 'SalesUnitPrice'],
  ['French', 'Prix revendeur|Tarif pro|Prix détaillant', 'Prix public TTC|Prix boutique'],
  ['Spanish', 'Precio mayorista|Distribuidor', 'Precio minorista|Precio público'],
  ['Italian', 'Prezzo rivenditore|Ingrosso', 'Prezzo al pubblico|Dettaglio'],
  ['Portuguese', 'Preço revenda|Atacado', 'Preço consumidor|Varejo'],
  ['Dutch', 'Dealerprijs|Groothandelsprijs', 'Consumentenprijs|Winkelprijs'],
  ['Nordic', 'ÅF-pris|Forhandlerpris|Tukkuhinta', 'Konsumentpris|Udsalgspris|Kuluttajahinta'],
  ['Polish and Czech', 'Cena hurtowa|VOC', 'Cena detaliczna|MOC'],
  ['Hungarian and Romanian', 'Nagyker ár|Preț angro', 'Kisker ár|Preț cu amănuntul'],
  ['Turkish and Greek', 'Toptan fiyat|Χονδρική τιμή', 'Perakende fiyat|Λιανική τιμή'],
  ['Russian and Ukrainian', 'Опт|Дилерская цена|Гурт', 'Розница|Роздріб'],
  ['Chinese, Japanese and Korean', '批发价|代理价|卸価格|도매가', '零售价|小売価格|소매가'],
  ['Arabic and Hebrew', 'سعر الجملة|מחיר סיטונאי', 'سعر التجزئة|מחיר לצרכן'],
  ['Thai', 'ราคาส่ง|ราคาขายส่ง', 'ราคาปลีก'],
])('who pays a price is known in %s', (_language, shop, customer) => {
  for (const header of shop.split('|')) {
    expect([header, payerInHeader(header)]).toEqual([header, 'shop']);
    for (const other of customer.split('|')) {
      const { sources } = mapHeaders(
        ['SKU', 'Name', header, other],
        [
          ['A-1', 'Red lamp', '10.00', '19.90'],
          ['A-2', 'Blue lamp', '12.00', '24.90'],
        ],
      );
      expect([header, other, sources.cost, sources.price]).toEqual([header, other, [2], [3]]);
    }
  }
});

it.each('Price|Preis|Detail|Public|Name|Trademark|Customer|Pro|Distributor SKU|Dealer code'.split('|'))(
  '%s alone says nothing about who pays',
  (header) => expect(payerInHeader(header) === 'shop').toBe(false),
);

it('a price for the shop is the price where there is no other', () => {
  const rows = [['A-1', 'Red lamp', '10.00']];
  expect(mapHeaders(['SKU', 'Name', 'Preis Fachhandel'], rows).sources).toMatchObject({ price: [2] });
});
