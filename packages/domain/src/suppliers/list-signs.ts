import { cutText } from '../base/cut-text.ts';
import { removeInvisible } from '../base/file-name.ts';
import { headerWords } from '../reading/mapping/header-words.ts';
import { supplierNameCharsMax } from './list.ts';
import type { SupplierSign } from './propose-supplier.ts';

export type ListTraits = {
  /** A hash of the headers, equal in similar files. Null if too few columns have a name. */
  layout: string | null;
  filename: string;
  /** The path in a watched folder, or null if the file was uploaded. */
  path: string | null;
  rows: readonly { vendor: string | null }[];
};

/** If at least this share of rows has the same vendor, the suggested name is this vendor's. */
const vendorShareMin = 0.9;

/** Returns the signs by which a list is recognized as its supplier's: layout, folder and words of the filename. */
export function supplierSignsOf(list: Omit<ListTraits, 'rows'>): SupplierSign[] {
  const signs: [SupplierSign['kind'], string | null][] = [
    ['layout', list.layout],
    ['folder', folderOf(list)],
    ['filename', filenameWords(list.filename).flatMap(headerWords).filter(isNaming).join(' ')],
  ];
  return signs.flatMap(([kind, value]) => (value ? [{ kind, value }] : []));
}

/** Returns a name for a new supplier from its list's vendor, folder or filename; null for names like 'july.csv'. */
export function suggestSupplierName(list: ListTraits): string | null {
  const folder = folderOf(list)?.replace(/^.*[/\\]/, '') ?? '';
  const words = filenameWords(list.filename).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  const found = vendorOf(list) || (filenameWords(folder).length > 0 ? folder : words.join(' '));
  const name = removeInvisible(found.replaceAll(/\s+/g, ' ')).trim();
  return name === '' ? null : cutText(name, supplierNameCharsMax);
}

const folderOf = ({ path }: Pick<ListTraits, 'path'>): string | null =>
  path?.replace(/[/\\]?[^/\\]*$/, '') || null;

function vendorOf({ rows }: ListTraits): string | null {
  const byVendor = [...Map.groupBy(rows, ({ vendor }) => vendor?.trim() || null)];
  return byVendor.find(([, { length }]) => length >= rows.length * vendorShareMin)?.[0] ?? null;
}

/** Words in filenames that describe the list, not the supplier. */
const listWords = new Set(
  `price prices pricelist list lists stock inventory products product catalog catalogue export feed copy final new
  update preis preise preisliste liste lager bestand artikel tarif tarifs prix stocks produits catalogue
  listino prezzi prodotti catalogo giacenze precios precio lista productos precos produtos prijs prijslijst voorraad
  cennik cena ceny cenik stan prislista prisliste hinnasto fiyat listesi прайс лист цены остатки товары
  价格表 价目表 库存 價格表 庫存 価格表 在庫 가격표 재고 月 年 日 월 년 일`
    .split(/\s+/)
    .flatMap(headerWords),
);

const isNaming = (word: string) =>
  !/^\p{N}+$/u.test(word) && !listWords.has(word) && !collectMonthNames().has(word);

/** Returns the words of a filename as they are spelled, without dates, numbers, months and `listWords`. */
function filenameWords(filename: string): string[] {
  const words = filename.replace(/\.[a-z0-9]{1,5}$/i, '').split(/[\s_()[\]+-]+/);
  return words.filter((word) => headerWords(word).some(isNaming));
}

/** The languages of the column names that the mapping recognizes. */
const languages =
  'en de fr es it nl pt pl cs sk sv da nb fi et lv lt hu ro hr sl sr bg uk ru el tr ar he fa ja zh ko th vi id'.split(
    ' ',
  );
let months: ReadonlyMap<string, number> | undefined;

/** Returns long and short names of months in all languages, with the month's number from 0. */
export function collectMonthNames(): ReadonlyMap<string, number> {
  months ??= new Map(
    languages.flatMap((language) =>
      (['short', 'long'] as const).flatMap((month) => {
        const format = new Intl.DateTimeFormat(language, { month, timeZone: 'UTC', calendar: 'gregory' });
        return Array.from({ length: 12 }, (_, at) => at).flatMap((at) =>
          headerWords(format.format(Date.UTC(2026, at, 15)))
            .filter((word) => word.length > 1 && !/^\p{N}+$/u.test(word))
            .map((word) => [word, at] as const),
        );
      }),
    ),
  );
  return months;
}

/** The lowest year in filenames. Smaller numbers are counts, sizes or item numbers. */
const yearMin = 2000;
const yearMax = 2099;

/** A date at 00:00 UTC. If `isMonth`, the filename has no day and the date is the first of the month. */
export type DateInName = { date: Date; isMonth: boolean };

/** Finds '2026-11-26', '20261126', '26.11.2026', '2026-11' or 'november 2026'; null if day and month may be either. */
export function parseDateInName(filename: string): DateInName | null {
  const found = /(?<!\d)(20\d\d)([-_. ]?)(\d\d)(?:\2(\d\d))?(?!\d)/.exec(filename);
  if (found)
    return dateOf(Number(found[1]), Number(found[3]), found[4] === undefined ? null : Number(found[4]));
  const dayFirst = /(?<!\d)(\d{1,2})([-_. ])(\d{1,2})\2(20\d\d)(?!\d)/.exec(filename);
  if (dayFirst) return dateOfParts(dayFirst);
  const words = headerWords(filename);
  const month = words.map((word) => collectMonthNames().get(word)).find((at) => at !== undefined);
  const year = words.map(Number).find((number) => number >= yearMin && number <= yearMax);
  return month === undefined || year === undefined ? null : dateOf(year, month + 1, null);
}

/** With points, the day comes before the month. With other separators, the month may come first. */
function dateOfParts([, one, sign, other, year]: RegExpExecArray): DateInName | null {
  const [first, second] = [Number(one), Number(other)];
  if (sign === '.' || first > 12 || first === second) return dateOf(Number(year), second, first);
  return second > 12 ? dateOf(Number(year), first, second) : null;
}

/** Returns a date, or null if the month does not have that day. */
function dateOf(year: number, month: number, day: number | null): DateInName | null {
  const date = new Date(Date.UTC(year, month - 1, day ?? 1));
  const isDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === (day ?? 1);
  return isDay ? { date, isMonth: day === null } : null;
}
