import type { CanonicalField } from '../../base/canonical-fields.ts';

/** Longer headers are text, not names. */
export const headerCharsMax = 200;

/** Letters that Unicode does not decompose, though people omit their strokes and dots as they omit accents. */
const plainLetters: Record<string, string> = { ı: 'i', ł: 'l', ø: 'o', đ: 'd', æ: 'ae', œ: 'oe', ß: 'ss' };

/**
 * Returns a header's words in lower case, without diacritics and punctuation. 'camelCase' and 'image1' are split. '#'
 * and 'no.' become 'number', so that 'Item #' equals 'ItemNumber'. Returns no words above 200 characters.
 */
export function headerWords(header: string): string[] {
  if (header.length > headerCharsMax) return [];
  return header
    .normalize('NFKC')
    .replace(/eBay/g, 'Ebay')
    .replace(/[#№]|\b[Nn](?:º|°|o\.)/gu, ' number ')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[ıłøđæœß]/g, (letter) => plainLetters[letter] as string)
    .replace(/(\p{L})(\p{N})/gu, '$1 $2')
    .replace(/(\p{N})(\p{L})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** Joins a header's words. Headers with the same key differ only in case, accents and punctuation. */
export const headerKey = (header: string): string => headerWords(header).join('');

/** Returns the keys of headers that are separated by '|'. */
export const headerKeySet = (list: string): ReadonlySet<string> => new Set(list.split('|').map(headerKey));

/** Returns the words of a list that is separated by blanks and line breaks. */
export const wordSet = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** Returns a pattern for words that begin with an entry of a list, which is separated by blanks and line breaks. */
export const toBeginningsPattern = (list: string): RegExp =>
  new RegExp(`^(?:${list.trim().split(/\s+/).join('|')})`, 'u');

/** Words that do not change which field a header means. */
const neutralWords = wordSet(`
  product products prod item items variant listing shopify scd main primary default defecto defaut standard full web online store shop
  catalog the of a an my our your required optional html text plain new ebay amazon etsy walmart
  元 円 원 zł zl kč kc kr usd eur gbp cad aud nzd chf sek nok dkk pln czk jpy cny rmb hkd twd inr rs brl mxn rub руб
  produit prodotto producto produto produkt artikel article articolo articulo de del della di des du la le il el lo in von der
`);

/** Whether a word does not change which field a header means. */
export const isNeutralWord = (word: string): boolean => neutralWords.has(word);

const languageWords = wordSet(`
  zh cn tw hk chs cht fr de es it nl pl pt br ru ja jp ko kr ar sv da fi cs tr french german spanish italian dutch
  chinese japanese korean arabic portuguese russian
`);
const englishWords = wordSet('en eng english us uk gb');

const priceWords = wordSet(`
  incl inkl inklusive including included excl exkl exklusive excluding excluded ex inc inclusa incluse inclus esclusa
  escl exclu net netto neto gross brutto bruto tax taxes tasse vat mwst iva tva ttc ht moms btw dph kdv pdv ust zzgl mit
  ohne bez dahil haric with without each ea sis alv alkaen z moms fpa φπα με χωρις ндс nds btw excl vat
  税込 税抜 税別 税抜き 税込み 含税 未税 不含税 稅 부가세 포함 별도 rrp
`);
const pieceWords = wordSet(`
  unit unite unidad unita unidade unitario unitaire piece pieces pezzo pezzi pieza stuck stk st pcs szt sztuki ks each einzeln verbraucher consumer
  enhed enhet stykke 单品 단품 単品
`);
const identifierWords = wordSet('number no nr nro numero num code codice codigo kod kodu');

const taxWords = wordSet('tax taxes vat gst mwst iva tva moms btw dph kdv');
export const isTaxWord = (word: string): boolean => taxWords.has(word);

/** Words that are neutral only next to names of certain fields. */
const neutralBeside: Partial<Record<CanonicalField, ReadonlySet<string>>> = {
  price: priceWords,
  compareAtPrice: priceWords,
  cost: priceWords,
  quantity: wordSet(`
    avail available dispo disp left remaining free current total gesamt ges szt ks stk st pcs units pieces bottles btls pairs
    pares unidades 现货 现有 剩余 המלאי المتوفرة المتاحة الحالية доступно доступное
  `),
  sku: identifierWords,
  upc: new Set([...identifierWords, ...pieceWords]),
  itemNumber: identifierWords,
  image: wordSet(
    'other additional base small large hero secondary extra alternate url urls link links src file',
  ),
  weight: new Set([
    ...pieceWords,
    ...wordSet(`
      kg g gr lb lbs oz gram grams gramm grammes gramos grammi grama pounds кг г net nett netto neto brutto bruto brut gross
      shipping ship versand versandgewicht envio expedition spedizione unitario unitaire in en pro je per par por unit volume volumen
      volumes inhalt contenido contenu contenuto inhoud 単品 個
    `),
  ]),
};

/** Words for packs: 'EAN Karton' is not the code of a piece, and 'Bestand VE' does not count pieces. */
const packWords = `
  vpe ve umkarton karton kartons uberkarton umverpackung gebinde versandkarton innenkarton paletten multipack colis cartons caisse caisses
  caja cajas bulto bultos estuche cartone cartoni scatola scatole collo colli imballo doos omdoos kartong krabice krabicka
  zbiorcze zbiorczy zbiorczego zbiorcza opakowania коробка коробки короб упаковка упаковки outer inner dun itf sscc cases boxes packs
  外箱 中箱 箱 ケース 박스 cx caixa caixas koli kutu doboz bax laatikko kolli kasser eske
`;
const packs = wordSet(`case box pack pallet carton ${packWords}`);
/** Whether a header is about packs of a product. */
export const namesPack = (header: readonly string[]): boolean => header.some((word) => packs.has(word));

/**
 * Words that change the meaning of a name in a header: 'meta title' is not a title, 'tax category' is not a category.
 * They do not matter if the whole header is a known name.
 */
const foreignWords = wordSet(`
  seo meta og twitter alt google shopping facebook fb custom metafield metafields field attribute attributes option options
  tax taxable vat duty code currency unit uom weight length width height depth size sizes dimension dimensions volume color
  colour colors material materials pattern gender age shipping ship freight fulfillment delivery warehouse bin location
  date time created updated modified from until start end expiry expiration position sort order rank index sequence
  group related cross upsell sell up associated bundle booking customer buyer contact user first last middle family
  min max minimum maximum total sum subtotal ext extended avg average percent percentage discount margin markup profit
  fee fees commission deposit reserve bid condition grade rating reviews review pallet lot lpn container box case pack
  carton truckload manifest asin video audio link url file filename path id ids uuid guid type kind variante
  number numbers availability has allow allowed enabled visible featured sample gift card warranty note notes comment comments remark remarks
  attachment attribution label labels on categoria categorie kategorie kategoria kategori codice codigo kod kodu nro numero
  variation variations external included component componente composant komponente address address1 street city zip postcode postal phone telephone fax email mail state province
  region surname birthday payment invoice umsatz revenue turnover fatturato omzet выручка 売上 销售额 firma company unternehmen kunde kontakt cliente klient jednostkach palecie kartonie opakowaniu kg g lb lbs oz ml l cm mm inch inches per ratio history old previous reserved foreign
  committed incoming damaged sold ordered threshold low reorder safety safe alert minimumorder quantityper serial
  template page layout theme policy terms return returns legal vendor supplier manufacturer brand category parent child
  compra compras achat acquisto zakupu purchase composite transit status
  collection tag tags sku upc ean barcode image images photo picture thumbnail description keyword keywords
  kiloprijs kilopreis kilopris literprijs literpreis literpris meterprijs meterpreis meterpris kilohinta litrahinta jamforpris
  ${packWords}
`);

/** Units of sizes: 'Price 15ml' and 'Price 30ml' are prices for one size each, and the first is used as the price. */
const sizes = wordSet('kg g lb lbs oz ml cl l cm mm');
const isSize = (rest: readonly string[], at: number): boolean =>
  sizes.has(rest[at] ?? '') && /^\p{N}+$/u.test(rest[at - 1] ?? '');

export type HeaderRestKind = 'neutral' | 'unknown' | 'foreign';

/** Returns the kind of the words around a name in a header. `rest`: the header's words without the name. */
export function classifyHeaderRest(rest: readonly string[], field: CanonicalField): HeaderRestKind {
  let kind: HeaderRestKind = 'neutral';
  for (const [at, word] of rest.entries()) {
    const isNeutral =
      neutralWords.has(word) ||
      languageWords.has(word) ||
      englishWords.has(word) ||
      /^\p{N}+$/u.test(word) ||
      neutralBeside[field]?.has(word) ||
      (field === 'price' && isSize(rest, at));
    if (isNeutral) continue;
    if (foreignWords.has(word)) return 'foreign';
    kind = 'unknown';
  }
  return kind;
}

const numberWords = wordSet(`
  number numbers num nr nrs nro numer numero nummer numara numarasi code codes codice codigo kod kodu kode cod kodi koodi
  номер код κωδικος κωδ αριθμος cislo cikkszam رقم كود رمز קוד
`);
/** Ends of compound words ('Preisnr', 'Leverandørnummer') and of words in scripts without spaces ('价格编号'). */
const numberEnding =
  /(?:nr|nummer|nro|code|kode|koodi|编号|編號|编码|編碼|代码|代碼|号码|號碼|番号|コード|번호|코드)$/u;
const referenceWords = wordSet('ref reference referenz referencia riferimento no id');
/** Whether a header names an identifier ('stock code', 'Preis-Nr.'). 'Precio de referencia' is a price instead. */
export function namesIdentifier(header: readonly string[]): boolean {
  if (header.some((word) => numberWords.has(word) || numberEnding.test(word))) return true;
  const last = header.at(-1) ?? '';
  return header.length > 1 && referenceWords.has(last) && !header.some((word) => /^(?:de|di|d)$/.test(word));
}

const contactWords = wordSet(`
  email mail phone telephone telefon telefono tel fax mobile mobil handy puhelin telefone telefonnummer
  street strasse rue calle address adresse adres indirizzo direccion endereco adress osoite gata
  zip plz postcode postal postnummer postnr cap city town ort stadt ville citta ciudad cidade stad by miasto
  salutation anrede surname vorname nachname prenom cognome apellido apellidos sobrenome
`);
/** Whether a header names a part of an address, or of a person's name. */
export const namesContact = (header: readonly string[]): boolean =>
  header.some((word) => contactWords.has(word));

const contactsFrom = 3;

/** Whether the columns describe people or companies: an address list has names and amounts, but no products. */
export const areContactHeaders = (headers: readonly string[]): boolean =>
  headers.filter((header) => namesContact(headerWords(header))).length >= contactsFrom;

/** Whether a word of a header excludes all fields, so that similarity to a name proves nothing. */
export function hasForeignWord(header: readonly string[]): boolean {
  return header.some((word) => foreignWords.has(word));
}

const secondaryWords = wordSet('other additional small secondary extra alternate');
/** Words for net prices: 'Price excl. VAT' ranks after 'Price incl. VAT'. */
const netWords = wordSet(
  'net netto neto ht excl exkl excluding excluded ex esclusa escl exclu ohne zzgl bez haric without 税抜 税抜き 税別 未税 不含税 별도',
);

/** Whether a column ranks second: another language ('name_zh' after 'name_en'), secondary content or net prices. */
export const isSecondChoice = (rest: readonly string[]): boolean =>
  rest.some((word) => languageWords.has(word) || secondaryWords.has(word) || netWords.has(word));

/** Returns the number in 'image 2' or 'category1', or 0 without one. */
export const headerOrdinal = (header: readonly string[]): number =>
  Number(header.find((word) => /^\d+$/.test(word)) ?? 0);

/** Returns unique column names for headers: repeated headers get ' (2)', empty ones become 'Column N'. */
export function columnNames(headers: readonly string[]): string[] {
  const taken = new Set<string>();
  // The next number to try, by name. Without this map, the last of 2,000 equal headers would try 1,999 names.
  const copies = new Map<string, number>();
  return headers.map((header, index) => {
    const name = header.trim() === '' ? `Column ${index + 1}` : header.trim();
    let unique = name;
    for (let copy = copies.get(name) ?? 2; taken.has(unique); copy += 1) {
      unique = `${name} (${copy})`;
      copies.set(name, copy + 1);
    }
    taken.add(unique);
    return unique;
  });
}

const anonymousHeader =
  /^(?:unnamed|column|columna|colonne|colonna|coluna|kolumna|kolumn|kolom|sloupec|oszlop|col|spalte|列|field|feld|campo|champ|header|attr|attribute|var|value|data|c|f|v|x)?[\s_:.-]*\d*$|^[a-z]$|^\d+(?:[.,]\d+)?\s?(?:g|kg|ml|cl|l|oz|lb)$/i;

/** Whether a header has no meaning: it is empty, a letter, a size, or a numbered 'Column 3', 'Field_2', 'c7'. */
export function isMeaninglessHeader(header: string): boolean {
  return anonymousHeader.test(header.trim());
}
