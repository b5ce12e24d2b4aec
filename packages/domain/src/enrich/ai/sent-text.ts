import { toGtin14 } from '../../base/gtin.ts';
import { allowedEntities } from './fold-text.ts';

/** Characters that have no width or change the text direction. People do not see them, but models read them. */
const unseen = /[\p{Cc}\p{Cf}\u115F\u1160\u3164\uFFA0]/gu;
const tag = /<!--[\s\S]*?(?:-->|$)|<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)|<\/?[a-z][^<>]*>/gi;
/** Entities of characters that occur in addresses and amounts. */
const markEntities: Record<string, string> = {
  ...{ commat: '@', period: '.', plus: '+', euro: '€', pound: '£', yen: '¥' },
  ...{ cent: '¢', dollar: '$', curren: '¤' },
  ...{ shy: '', zwnj: '', zwj: '', colon: ':', sol: '/', hyphen: '-', num: '#' },
};

/** Returns a value without markup, invisible characters, mail addresses, phone numbers and GTINs, single-spaced. */
export function toSentText(value: string, charsMax: number): string {
  const text = value
    .slice(0, 20 * charsMax)
    .replace(tag, ' ')
    .replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (_, name: string) => allowedEntities.get(name) ?? ' ')
    .replace(/[\t\n\r\v\f\u0085\u2028\u2029]+/g, ' ')
    .replace(unseen, '')
    .replace(/\s+/g, ' ')
    .trim();
  const sent = withoutContacts(text).replace(/ +/g, ' ').trim();
  return [...sent].slice(0, charsMax).join('').trim();
}

/** The repetitions are bounded, because a text may have 40,000 letters without an '@', which would take too long. */
const mailAddress =
  /[\p{L}\p{N}._%+-]{1,64} ?[@＠] ?[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,4}\.\p{L}{2,63}/gu;
const phoneNumber =
  /(?:\+|(?<![\p{L}\p{N}.,])00)\p{Nd}[\p{Nd} ()./‐–-]{6,20}\p{Nd}|(?<=(?<!\p{L})(?:tel|telefon|telephone|telefono|phone|fon|fax|mobile?|handy|whatsapp|тел|телефон)[.:]? ?(?:no|nr|number)?[.:]? ?)\p{Nd}[\p{Nd} ()./‐–-]{4,20}\p{Nd}/giu;
const barcode = /(?<![\p{L}\p{N}.,-])\d{12,14}(?![\p{L}\p{N}])/gu;
/** Minimum number of digits in a phone number: after a word such as 'tel', and with a country code. */
const [phoneDigitsMin, wholePhoneDigitsMin] = [7, 9];

const withoutContacts = (text: string): string =>
  text
    .replace(mailAddress, ' ')
    .replace(phoneNumber, (number) => {
      const digits = number.match(/\p{Nd}/gu)?.length ?? 0;
      return digits < (/^(?:\+|00)/.test(number) ? wholePhoneDigitsMin : phoneDigitsMin) ? number : ' ';
    })
    .replace(barcode, (digits) => (toGtin14(digits) === null ? digits : ' '));

/** Returns the beginning of a value as a browser shows it: text split by tags is joined, and entities are decoded. */
export function toShownText(value: string, charsMax: number): string {
  return value
    .slice(0, 20 * charsMax)
    .replace(tag, '')
    .replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));?/gi, (entity, decimal, hex, name = '') => {
      if (name !== '')
        return allowedEntities.get(name.toLowerCase()) ?? markEntities[name.toLowerCase()] ?? entity;
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
    })
    .replace(/[\t\n\r\v\f\u0085\u2028\u2029]+/g, ' ')
    .replace(unseen, '');
}
