import { parseCurrency, parseCurrencyNames, parseMoney, replaceAmount } from '../base/money.ts';
import { headerCharsMax, headerKey, headerKeySet, headerWords, wordSet } from './mapping/header-words.ts';

/** Words for hundredths of currencies, in the form of `headerWords`. */
const centWords = wordSet(`
  cents cent centimes centime centavos centavo centimos centimo centesimi centesimo ore oren oere haleru haler halere
  snt sentti senttia sentteina eurocent eurocents groszy grosze grosz kopek kopeks kopecks копеек копейки коп копійок kurus pence penny paise paisa filler
`);

/** Whether amounts below a header are in hundredths. 'ct' alone is unsure, as it may mean a carton or carats. */
export function detectCents(header: string): 'cents' | 'unsure' | null {
  const all = headerWords(header);
  if (all.some((word) => centWords.has(word))) return 'cents';
  return all.includes('ct') ? 'unsure' : null;
}

/** Converts a whole amount in hundredths to units, and keeps its currency sign or code. */
export function hundredthsToUnits(text: string): string {
  const amount = parseMoney(text)?.amount;
  if (amount === undefined || amount.includes('.')) return text;
  const digits = amount.padStart(3, '0');
  return replaceAmount(text, `${digits.slice(0, -2)}.${digits.slice(-2)}`);
}

/** Currency codes that count in headers. Others, such as ALL, TOP and PEN, are words as well. */
const headerCodes = wordSet(
  'usd eur gbp cad aud nzd chf sek nok dkk pln czk huf ron bgn jpy cny hkd twd krw inr brl mxn zar ils sgd aed sar uah idr vnd thb',
);
/** Whether a cell is the code of a currency that price lists use. */
export const isListedCurrency = (cell: string): boolean =>
  cell.length === 3 && cell === cell.toUpperCase() && headerCodes.has(cell.toLowerCase());

const headerSigns = /[€£₹₩₽₺₴₫₪₱฿]|\b(?:US|CA|AU|NZ|HK|NT|R)\$|zł|kč|\brp\b/iu;

/** Names of currencies, and of countries that stand for them in headers of prices: 'Prix US', 'CDN Price'. */
const currencyNames = parseCurrencyNames(`
  USD us usa, CAD cdn can, GBP uk, AUD aus, EUR euro euros, JPY yen 円, CNY rmb yuan 元, KRW 원, PLN zloty zlotych,
  HUF forint, RUB руб рублей рублях, UAH грн гривень, IDR rupiah, THB บาท
`);

/** Returns the ISO code of the currency in a header of prices. Null if it has no currency, several, or only '$'. */
export function currencyInHeader(header: string): string | null {
  const all = headerWords(header);
  const [sign] = headerSigns.exec(header) ?? [];
  const named = new Set([
    ...all.flatMap((word) => (headerCodes.has(word) ? word.toUpperCase() : (currencyNames.get(word) ?? []))),
    ...(sign ? [parseCurrency(sign) ?? ''] : []),
  ]);
  const [only = ''] = named;
  return named.size === 1 && only !== '' ? only : null;
}

const priceWords =
  /pri[cs]e|pricing|preis|prix|tarif|preci|prezz|preço|prijs|prijz|pris|\bcen|hin[nt]a|fiyat|цен|τιμ|价|價|価格|가격|giá|harga|ราคา|currency|währung|devise|moneda|valuta|moeda|waluta|měna|валюта|货币|通貨|통화/iu;
const titleCharsMax = 500;

/** Returns the ISO code of the only currency that titles above a header name for prices, or null. */
export function currencyInTitles(titles: readonly string[]): string | null {
  const named = titles.flatMap((title) =>
    title.length <= titleCharsMax && priceWords.test(title)
      ? (currencyInHeader(title.slice(0, headerCharsMax)) ?? [])
      : [],
  );
  return new Set(named).size === 1 ? (named[0] ?? null) : null;
}

const thousandOf =
  /(?<![\p{L}\p{N}.,]|(?:per|pro|je|par|por|za|на|за|\/)\.? ?)(?:(?:in |en |em |w |v )?(?:thousands?|tsd|tausend|mille|milhares|miles|mil|mila|tys|tis|tisíc|ezer|bin|тыс|тис|тысяч|nghìn|ngàn|ribu|ribuan|พัน)\.?(?: of| de| di)? ?|'?000 ?|k(?= ?[€$£]|eur|usd))(?:€|\$|£|₽|₴|₫|zł|pln|kč|czk|ft|huf|eur|euros?|usd|gbp|dollars?|pesos?|reais|tl|try|руб|грн|rub|uah|đồng|đ|vnd|rp|rupiah|idr|บาท|thb)(?!\p{L})|(?<!\p{L})(?:t€|teur|tkr|k€)(?!\p{L})|千[円元]|万[円元]/iu;

/** Returns the factor that a header gives for its column's amounts: 1000 for 'Harga (ribu Rp)', 1 for 'Price'. */
export function multiplierInHeader(header: string): number {
  if (header.length > headerCharsMax) return 1;
  const [found] = thousandOf.exec(header) ?? [];
  if (found === undefined) return 1;
  return found.startsWith('万') ? 10_000 : 1000;
}

/** Multiplies an amount by the factor of its header, and keeps its currency sign or code. */
export function multiplyAmount(text: string, units: number): string {
  const amount = parseMoney(text)?.amount;
  if (amount === undefined) return text;
  const zeros = String(units).length - 1;
  const [whole = '0', decimals = ''] = amount.split('.');
  const digits = `${whole}${decimals.slice(0, zeros).padEnd(zeros, '0')}`.replace(/^0+(?=\d)/, '');
  const rest = decimals.slice(zeros);
  return replaceAmount(text, rest === '' ? digits : `${digits}.${rest}`);
}

/** Headers of columns with the number of pieces that a price is for. */
const unitNames = headerKeySet(`
  preiseinheit|preis einheit|preiseinh|per|peh|preismenge|preisbasis|preis je|preis pro|pe|peinh|price unit|price per
  |price per qty|price basis|price quantity|per qty|unit of price|pricing unit|prijseenheid|prijs per
  |unite de prix|unite prix|prix par|prix pour|base de prix|unidad de precio|precio por|unidade de preco|preco por
  |unita di prezzo|unita prezzo|prezzo per|prisenhet|prisenhed|pris per|pris pr|hintayksikko|jednostka ceny
  |cena za|cenova jednotka|aregyseg|единица цены|цена за|单价单位|価格単位
`);

/** Whether a header names the number of pieces that a price is for. */
export const isPriceUnitHeader = (header: string): boolean => unitNames.has(headerKey(header));

/** Whether a header such as 'pro' names the pieces of a price, because a unit follows it: 'Preis|Währg|pro|ME'. */
export const isPriceUnitBefore = (header: string, next: string): boolean =>
  /^(?:pro|je|par|por|za)$/i.test(header.trim()) && isSalesUnitHeader(next);

/** Headers of columns whose cells name the sales unit, which is one piece in most files. */
const salesUnitNames = headerKeySet(`
  u m|uom|um|unit of measure|unit of measurement|units of measure|unit|units|sales unit|selling unit|sell unit|order unit|price uom
  |sold by|sold as|einheit|me|mengeneinheit|verkaufseinheit|bestelleinheit|vk einheit|unite|unite de vente|uv|unite de mesure|uvc
  |unidad|unidad de medida|unidad de venta|unidad medida|u medida|unita|unita di misura|u mis|unita di vendita|udm|unidade
  |unidade de medida|unidade de venda|und|un|eenheid|verkoopeenheid|besteleenheid|enhed|enhet|salgsenhed|salgsenhet|forsaljningsenhet
  |yksikko|myyntiyksikko|jm|jednostka|jednostka miary|jednostka sprzedazy|mj|jednotka|merna jednotka|jednotka mnozstvi
  |mennyisegi egyseg|egyseg|unitate|unitate de masura|birim|birimi|olcu birimi|ед|ед изм|единица|единица измерения|од|од вим
  |одиниця|одиниця виміру|мярка|μοναδα|μονάδα|jedinica|jedinica mere|jedinica mjere|enota|单位|單位|计量单位|単位|販売単位|단위
  |판매단위|الوحدة|وحدة|יחידה|หน่วย|đơn vị|đvt|satuan
`);

/** Whether a header names the unit that a product is sold in. */
export const isSalesUnitHeader = (header: string): boolean => salesUnitNames.has(headerKey(header));

/** Normalizes a unit for comparison: lower case, without diacritics. */
const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
const unitWords = (text: string): ReadonlySet<string> => wordSet(folded(text));

/** Words that mean one piece: words before a number, and units that are sold one by one or by measure. */
const ofOne = unitWords(`
  per pro je par por pour za pr al the a an of le la les el los il lo l un una une ein eine x /
  1 each ea stk stck st stuck piece pieces pc pcs pce pcs. unit units unite unites u un unidad unidades unidade und uds pieza
  pza pz pezzo pezzi pce stuk stuks szt sztuka sztuk ks kus kpl kom kos db darab buc adet шт штука од 个 件 只 支 個 枚 本 点 개 ea.
  pair pairs pr paar paire par paio set sets satz jeu kit roll rolls rolle rol rouleau rollo rotolo sheet blatt feuille
  m mtr lfm meter metre metro metri metros kg kilo kilogram g gr gram l liter litre litro ltr ml cl cm mm km qm cbm t
  ft foot feet in inch yd yard lb lbs pound oz gal hour stunde std
`);
const multiples = new Map(
  Object.entries({
    12: 'dozen doz dz dutzend dtz douzaine docena dozzina dozijn dussin tucet tuzin duzia duzina düzine дюжина 打 ダース',
    144: 'gross grs gros grosa',
    100: 'c hundred hundert cent centaine cento centinaio ciento cien cem honderd hundra hundre hundrede sto sata yüz сто сотня % 百',
    1000: 'thousand tausend tsd mille mila mil millar milhar milheiro migliaio duizend tusen tusind tysiac tys tis tisic tuhat ezer mie bin тысяча тысячу тыс ‰ 千',
  }).flatMap(([pieces, names]) => [...unitWords(names)].map((name) => [name, Number(pieces)] as const)),
);
/** Words for packs with an unknown number of pieces. */
const packs = unitWords(`
  cs case cases bx box boxes ct ctn ctns carton cartons pk pks pack packs pkt packet packets pkg package sleeve slv tray bale bundle bdl pallet
  krt kart karton kartons kiste kisten pckg packung packungen paket pakete gebinde ve vpe umkarton palette display
  caisse caisses colis boite boites paquet paquets lot caja cajas paquete paquetes bulto bultos cx caixa caixas pacote
  scatola scatole cartone cartoni conf confezione pacco collo colli doos pak verpakking kartong kartonger forpackning
  kasse eske pakke kolli laatikko pakkaus op opak opakowanie paczka zgrzewka baleni krabice krabica doboz csomag cutie bax
  pachet koli kutu кор короб коробка упак упаковка уп пачка ящик пак 箱 盒 包 盒装 ケース パック 박스 팩 상자 كرتون صندوق علبة hop
  thung dus kotak กล่อง ลัง แพ็ค
`);
const measures = unitWords('m mtr lfm kg g gr l ltr ml cl cm mm qm cbm t ft in inch yd lb lbs oz gal');

/**
 * Returns the number of pieces in a cell of sales units: 12 for 'DZ', 100 for '100 Stk', mostly 1. Null if the unit is
 * a pack, or if it is 'M' or 'GR', which may mean something other than a thousand or a gross.
 */
export function parseSalesUnit(cell: string | undefined): number | null {
  const text = cell?.trim() ?? '';
  if (text.length === 0 || text.length > unitCharsMax) return 1;
  if (text === 'M' || text === 'GR') return null;
  let [count, pieces, isMeasure] = [1, 0, false];
  for (const [word] of folded(text).matchAll(/\d+|[^\s\d.,()/]+/g)) {
    if (packs.has(word)) return null;
    if (/\d/.test(word)) count *= Number(word);
    else if (multiples.has(word)) pieces = Math.max(1, pieces) * (multiples.get(word) ?? 1);
    else if (measures.has(word)) isMeasure = true;
    else if (ofOne.has(word)) pieces = Math.max(1, pieces);
  }
  return isMeasure || pieces === 0 ? 1 : pieces * count;
}

/** Whether a sales unit is one piece. */
export const isSinglePieceUnit = (cell: string | undefined): boolean =>
  cell !== undefined && ofOne.has(folded(cell.trim()).replace(/\.$/, ''));

const ofMeasure =
  /(?:^|[\s(])(?:per|pro|je|al|par|por|za|za 1|au|pr|€|eur|usd|\/)[\s./]*(?:m²|m2|mq|qm|sqm|m kw|m\.kw|кв ?м|sq\.? ?(?:ft|m)|kg|kilo)(?![\p{L}\p{N}])|\/(?:m²|m2|mq|qm|sqm|kg)(?![\p{L}\p{N}])/iu;
const measureOfPack = /(?<![\p{L}\p{N}])(?:m²|m2|mq|qm|sqm|sq\.? ?(?:ft|m)|kg)(?![\p{L}\p{N}])/iu;

/** Whether a price is per measure and another column has the measure per pack: 'Prezzo al mq', 'mq per scatola'. */
export const isPricedByMeasure = (price: string, other: string): boolean =>
  price.length <= headerCharsMax &&
  other.length <= headerCharsMax &&
  ofMeasure.test(price) &&
  measureOfPack.test(other) &&
  headerWords(other)
    .map(folded)
    .some((word) => word.length > 1 && packs.has(word));

const countForm = /^(\d{1,3}(?:[.,]?\d{3})?)(?:[.,]0+)?$/;
const unitCharsMax = 30;

/**
 * Returns the number of pieces in a cell: '100', '1.000 Stk', 'le cent', 'par 50', or 1 without a word for several
 * pieces. Null if the cell has an unknown word, which may mean several pieces.
 */
export function parsePriceUnit(cell: string | undefined): number | null {
  const text = cell === undefined || cell.length > unitCharsMax ? '' : folded(cell.trim());
  // 'm' is a metre, but 'M' may also be a thousand.
  if (cell?.trim() === 'M') return null;
  let pieces: number | null = null;
  let isUnknown = false;
  for (const [word] of text.replace(/m[23](?!\d)/g, 'qm').matchAll(/\d[\d.,]*|[^\s\d/.,()]+/g)) {
    const [, digits] = countForm.exec(word) ?? [];
    const said = digits === undefined ? multiples.get(word) : Number(digits.replace(/[.,]/, ''));
    // 'par cent' and '100 Blatt' mean 100 pieces. '1 Karton' may mean several pieces.
    if (said !== undefined) pieces = (pieces ?? 1) * said;
    else if (!ofOne.has(word)) isUnknown = true;
  }
  return isUnknown && (pieces ?? 1) <= 1 ? null : (pieces ?? 1);
}

const inHeader =
  /(?:(?<!\p{L})(?:per|pro|je|par|por|za|pour|for|à|pr)\.?|\/)\s*(10{1,3}|1[.,]000)(?!\d)\s*(?:\p{L}{1,8}\.?)?\s*\)?$/iu;

/** Returns the pieces in a header of prices: 12 for 'Price per dozen', 0 for a pack of unknown size, else null. */
export function piecesInHeader(header: string): number | null {
  const [, digits] = header.length > headerCharsMax ? [] : (inHeader.exec(header.trim()) ?? []);
  if (digits !== undefined) return Number(digits.replace(/[.,]/, ''));
  const all = headerWords(header).map(folded);
  // A gross is 144 only after a word like 'per': 'Price gross' is a price with tax, 'prix de gros' a wholesale price.
  const several = all.find((word, at) => {
    const isSeveral = at > 0 && word.length > 1 && word !== 'cent' && multiples.has(word);
    return isSeveral && (multiples.get(word) !== 144 || /^(?:per|pro|je|par|por)$/.test(all[at - 1] ?? ''));
  });
  if (several !== undefined) return multiples.get(several) ?? null;
  const isOfPack =
    all.length > 1 &&
    all.some((word) => word.length > 1 && !['lot', 'ct', 'op'].includes(word) && packs.has(word));
  return isOfPack || /karton(?:s)?preis|kistenpreis|packungspreis|gebindepreis|dozenprijs/.test(all.join(''))
    ? 0
    : null;
}

/** Returns the price of one piece, with its currency sign or code. Null for a text or for more than two decimals. */
export function pricePerPiece(text: string, pieces: number): string | null {
  const amount = parseMoney(text)?.amount;
  if (amount === undefined) return null;
  const [whole = '0', decimals = ''] = amount.split('.');
  const scaled = BigInt(whole + decimals) * 100n;
  const divisor = BigInt(pieces) * 10n ** BigInt(decimals.length);
  if (scaled % divisor !== 0n) return null;
  const hundredths = (scaled / divisor).toString().padStart(3, '0');
  return replaceAmount(text, `${hundredths.slice(0, -2)}.${hundredths.slice(-2)}`);
}
