import type { CanonicalField } from '../../base/canonical-fields.ts';
import { headerWords, isTaxWord, namesContact, namesIdentifier } from '../../reading/mapping/header-words.ts';
import { findNamesByKey, selectNamesToFind } from '../../reading/mapping/known-names.ts';

/** Fields that are never sent. Unmapped columns with a name of one of these fields are not sent either. */
const withheldFields: ReadonlySet<CanonicalField> = new Set([
  ...(['price', 'compareAtPrice', 'cost', 'currency', 'quantity', 'sku', 'upc', 'itemNumber'] as const),
  ...(['tcin', 'parentSku', 'handle', 'image', 'moreImages', 'pointOfSale'] as const),
  ...(['trackQuantity', 'continueSelling'] as const),
]);
/** Fields withheld even under a vague name. A column 'Model' is sent, although this vague name may mean SKUs. */
const standInFields: ReadonlySet<CanonicalField> = new Set(['price', 'compareAtPrice', 'cost', 'quantity']);

const folded = (text: string): string[] =>
  text
    .trim()
    .split(/\s+/)
    .map((word) => headerWords(word).join(' '));

/** Parts of words for money, stock, codes, web pages, people, or the supplier's own business. */
const parts = folded(`
  price cost retail wholesale amount margin discount currency preis kosten rabatt marge prix precio preco prezzo
  prijs hinta kustannus fiyat maliyet tutar cenow ceny ценa цен ціна цін τιμ κοστ harga kaina
  stock quant inventor bestand voorraad beholdning varasto magazyn sklad zasob estoque existencia giacenz dispon disponib
  menge anzahl ilosc mnozstv mennyiseg keszlet cantid cantit quantit kolicin zaliha остат налич
  запас склад количеств кількіст залишок αποθεμ ποσοτητ
  number nummer numero barcode strichcode streepjescode gtin isbn čárový штрих артикул cikksz identif référenc
  image picture photo thumbnail bild imagen imagem immagin afbeeld obraz zdjec фото изображ εικον link datei fichier archivo
  mail telefon telephon fax contact kontakt contatt customer kunde klient client cliente asiakas zakaznik zákazn
  müşteri покупат клиент контакт почт адрес телефон address adres indirizz direccion endereco osoite anschrift
  supplier vendor lieferant fournisseur proveedor fornitor fornecedor leveranc leverand leverant dostawc dodavat
  toimittaj szallit furnizor προμηθ доставчик поставщ постачал tedarik
  ansprech company firma empresa azienda entreprise bedrijf foretag yritys responsib account moms
  availab verfugbar dostup dostep lieferbar
  warehouse lagerort lagerplatz lagerfach ubicac emplacem pallet palett invoice rechnung umsatz
  bestell pedido zamow zamów objedn заказ commande ordine
`);
/** Words for money, stock, codes, web pages or people that count only as whole words. */
const words = new Set(
  folded(`
  price cost sku skus upc ean gtin isbn asin mpn part pzn matnr han code id no nr number ref url uri http file path slug handle
  tel fon gsm zip postal street contact person name owner buyer location lot lpn pallet order orders purchase sales bin rack shelf hylle hyllplats
  hyllypaikka
  phone phones custo custos facture factura fattura faktur faktura
  ek vk uvp msrp rrp pvp netto brutto ar hind pret pretul pris priser gia opt vat gst taxe taxes impuesto steuer
  cena cene cenu cen kc lager stok adet miktar stan sztuk ks stk pcs
  `),
);
/** Words for money, stock, codes, web pages or people in scripts without spaces or case. They may be inside words. */
const signs =
  /[价價円]|金额|金額|成本|原価|仕入|卸|売|库存|庫存|在庫|存货|存貨|数量|數量|編[号號]|编[号码碼號]|編碼|[货貨品型款]号|貨號|品番|型番|條碼|条形?码|コード|番号|图片|图像|主图|圖片|画像|写真|链接|連結|リンク|供应商|供應商|仕入先|联系|聯絡|电话|電話|邮|郵|地址|住所|メール|客[户戶]|顧客|仓|倉|订单|訂單|注文|税|稅|가격|단가|원가|판매가|공급가|금액|재고|수량|번호|코드|바코드|품번|사진|이미지|링크|공급|거래처|연락처|전화|주소|메일|고객|주문|창고|ราคา|ต้นทุน|สต็อก|คงเหลือ|จำนวน|รหัส|บาร์โค้ด|รูป|ลิงก์|โทร|อีเมล|ที่อยู่|ลูกค้า|คลัง|سعر|أسعار|تكلف|قیمت|قيمة|كمي|مخزون|موجودی|رمز|كود|کد|باركود|صور|رابط|مورد|هاتف|جوال|تلفن|بريد|عنوان|عميل|طلب|מחיר|עלות|כמות|מלאי|מקט|מק"ט|ברקוד|קוד|תמונה|קישור|ספק|טלפון|נייד|דוא|כתובת|לקוח|מחסן/u;

/** Returns whether a header may name data that is not sent. True for a header without words. */
export function isWithheldName(header: string): boolean {
  const named = headerWords(header);
  if (named.length === 0 || namesInSigns(header) || namesIdentifier(named)) return true;
  if (named.some((word) => words.has(word) || isTaxWord(word)) || namesContact(named)) return true;
  const text = named.join(' ');
  return parts.some((part) => text.includes(part)) || namesField(named);
}

/** Tests two forms, because NFKC folds half-width katakana but splits Thai vowels. */
const namesInSigns = (header: string): boolean =>
  signs.test(header.normalize('NFC')) || signs.test(header.normalize('NFKC'));

function namesField(named: readonly string[]): boolean {
  const whole = findNamesByKey(named.join('')) ?? [];
  if (whole.some(({ field, isStandIn }) => (isStandIn ? standInFields : withheldFields).has(field)))
    return true;
  const text = ` ${named.join(' ')} `;
  return selectNamesToFind(named).some(
    ({ field, isStandIn, words: name }) =>
      !isStandIn && withheldFields.has(field) && text.includes(` ${name.join(' ')} `),
  );
}
