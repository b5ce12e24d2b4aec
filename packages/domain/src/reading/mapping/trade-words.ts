import { headerWords, namesIdentifier, toBeginningsPattern, wordSet } from './header-words.ts';

/** Beginnings of words for prices that shops pay. `tradeWords` are whole words. */
const tradeBeginnings = toBeginningsPattern(`
  handler haendler fachhand grosshand grossist wiederverk dealer trade(?!m) resell wholesal distribu jobber stockist revend grossiste
  detaillant mayor gremio rivendit ingross negozian atacad lojist groothand wederverk vakhand aterforsalj engros forhandl
  jalleenmyy tukku hurt dystryb velkoobch nagyker viszontel angro toptan bayi опт дилер закуп гурт едро veleprod χονδρικ grosir
  whsl einkauf inkoop innkjop inkop indkob nakup beszerz achat acquist compra zakup
`);
const tradeWords = wordSet(
  'purchase purchases pro professionnel profesional af voc vpc b2b ek si buon agen advice lojista partner partnerska',
);
const tradeSigns =
  /代理|批发|批發|出厂|经销|拿货|供货|渠道|卸|仕入|下代|仕切|도매|공급|대리점|جملة|الموزع|סיטונא|ขายส่ง|ราคาส่ง/u;

const retailBeginnings = toBeginningsPattern(`
  endverbrauch endkund verbrauch ladenpr endpreis retail consum customer public pubblic publico particul minorist menude dettagl varej
  winkelpr konsument butik udsalg utsalg utpris kulutta vahittais detal maloobch kisker amanunt perakende tavsiye розни розн роздр дребно
  maloprod λιανικ eceran
`);
const retailWords = wordSet('sales laden moc mpc mo detail boutique le klant kunde kunden privat');
const retailSigns = /零售|小売|上代|소매|소비자|تجزئة|المستهلك|לצרכן|ปลีก/u;

const priceWord =
  /pri[cjsx]|prei[sç]?|pre[cç]|prezz|cen[aeyо]|hinta|pret|fiyat|цен|ціна|ар$|^ar$|价|價|価|가|단가|سعر|מחיר|τιμ|harga|^gia$|ราคา|tarif|listin|^(?:vk|ek|net|netto|brutto|ht|ttc)$/u;

const otherWords = wordSet(
  'sku ean upc gtin mpn asin id item part model name brand stock qty quantity discount rabatt url',
);

/** Whether a header names prices. */
export const namesPrice = (header: string): boolean =>
  headerWords(header).some((word) => priceWord.test(word));

/** Returns the payer of the price in a header, or null. Ambiguous words count only next to a word for prices. */
export function payerInHeader(header: string): 'shop' | 'customer' | null {
  const all = headerWords(header);
  const text = all.join(' ');
  // `headerWords` splits words at the vowel signs of scripts such as Thai, so the whole header is searched too.
  const signs = `${text} ${header}`;
  if (namesIdentifier(all) || all.some((word) => otherWords.has(word))) return null;
  const isPrice = all.some((word) => priceWord.test(word));
  const isShop = all.some((word) => tradeBeginnings.test(word) || (isPrice && tradeWords.has(word)));
  const isCustomer = all.some((word) => retailBeginnings.test(word) || (isPrice && retailWords.has(word)));
  const alone = all.length === 1 && /^(?:voc|moc|vpc|mpc)$/.test(text);
  const shop = isShop || tradeSigns.test(signs) || (alone && /^v/.test(text));
  const customer = isCustomer || retailSigns.test(signs) || (alone && /^m/.test(text));
  return shop === customer ? null : shop ? 'shop' : 'customer';
}
