import type { Operation } from '@draftshelf/domain/review/operations/operation';
import type { GoneAction } from '@draftshelf/domain/suppliers/gone';
import { gtinOf } from '../support/sources.ts';
import type { Random } from './fault-random.ts';

/** What a supplier has, as he would say it himself. Prices in cents. */
export type Item = {
  n: number;
  /** The number in its keys: `n`, until the supplier gives its items other numbers. */
  code: number;
  title: string;
  price: number;
  quantity: number;
  gtin: string;
  isListed: boolean;
};

/** How a list is written: the order of its rows, its column names, its encoding, and whether it names prices only. */
export type Form = {
  shuffled?: boolean;
  renamed?: boolean;
  encoding?: 'utf8' | 'utf8-bom' | 'latin1';
  pricesOnly?: boolean;
};

export type Supplier = {
  name: string;
  /** What identifies an item in its lists. */
  keyOf(item: Item): string;
  /** Columns with the value of an item, for each of its variants. */
  columns(item: Item, variant: number): Readonly<Record<string, string>>;
  /** Columns that a renamed list calls otherwise. */
  renamed: Readonly<Record<string, string>>;
  /** The columns of a list of prices. */
  ofPrices?: readonly string[];
  separator: ',' | ';';
  variants: number;
  /** A command that the operator does to all of each of its lists; `alwaysFrom`: after that month unasked. */
  repeats?: readonly Operation[];
  alwaysFrom?: number;
  /** The standing answer about products that it no longer lists; absent: the operator decides each time. */
  whenGone?: GoneAction;
};

export const money = (cents: number): string => (cents / 100).toFixed(2);
const comma = (cents: number): string => money(cents).replace('.', ',');
const described = ({ n }: Item): string => `Made by hand, no. ${n}.`;

/** The price after 'Price × 1.2, to the nearest .99', in cents. */
export const raisedPrice = (cents: number): number => {
  const raised = cents * 1.2;
  const below = Math.floor((raised + 1) / 100) * 100 - 1;
  return raised - below <= below + 100 - raised ? below : below + 100;
};

const raise: readonly Operation[] = [
  { kind: 'calculate', field: 'price', by: 'multiply', amount: '1.2' },
  { kind: 'round', field: 'price', to: { ending: '.99' }, direction: 'nearest' },
];
/** Whether the operator raises the prices of a supplier's lists. */
export const isRaised = ({ repeats }: Supplier): boolean => repeats === raise;

export const homeType = 'Home';
const setType: readonly Operation[] = [{ kind: 'set', field: 'type', value: homeType }];
/** Whether the operator sets the type of a supplier's products. */
export const isTyped = ({ repeats }: Supplier): boolean => repeats === setType;

export const suppliers: readonly Supplier[] = [
  {
    name: 'saba',
    keyOf: ({ n }) => `SABA-${n}`,
    columns: (item) => ({
      TITOLO: item.title,
      DESCRIZIONE: described(item),
      PREZZO: money(item.price),
      CURRENCY_CODE: 'EUR',
      QUANTITÀ: String(item.quantity),
      SKU: `SABA-${item.n}`,
    }),
    renamed: { TITOLO: 'Title', PREZZO: 'Price' },
    separator: ',',
    variants: 1,
  },
  {
    name: 'sasse',
    keyOf: ({ n }) => String(1000 + n),
    columns: (item) => ({
      ordernumber: String(1000 + item.n),
      name: item.title,
      price: comma(item.price),
      supplier: 'Feinbrennerei Sasse',
      instock: String(item.quantity),
      description: described(item),
    }),
    renamed: {},
    ofPrices: ['ordernumber', 'price', 'instock'],
    separator: ';',
    variants: 1,
    repeats: raise,
  },
  {
    name: 'lotto',
    keyOf: ({ n }) => String(1000 + n),
    columns: (item) => ({
      'Item #': String(1000 + item.n),
      'Item Description': item.title,
      Qty: String(item.quantity),
      'Unit Retail': `$${money(item.price)}`,
      UPC: item.gtin,
    }),
    renamed: {},
    separator: ',',
    variants: 1,
    repeats: raise,
  },
  {
    name: 'packt',
    keyOf: ({ n }) => `PACKT-${n}-A`,
    columns: (item, variant) => ({
      Handle: `packt-${item.n}`,
      Title: variant === 0 ? item.title : '',
      'Body (HTML)': variant === 0 ? described(item) : '',
      Vendor: variant === 0 ? 'Packt' : '',
      'Option1 Name': variant === 0 ? 'Size' : '',
      'Option1 Value': 'SL'.charAt(variant),
      'Variant SKU': `PACKT-${item.n}-${'AB'.charAt(variant)}`,
      'Variant Inventory Qty': String(item.quantity),
      'Variant Price': money(item.price),
      'Variant Barcode': variant === 0 ? item.gtin : '',
    }),
    renamed: {},
    separator: ',',
    variants: 2,
  },
  {
    name: 'spree',
    keyOf: ({ code }) => `SPREE-${code}`,
    columns: (item) => ({
      sku: `SPREE-${item.code}`,
      name: item.title,
      price: money(item.price),
      description: described(item),
      inventory_count: String(item.quantity),
      gtin: item.gtin,
    }),
    renamed: { name: 'product_name', inventory_count: 'stock' },
    separator: ',',
    variants: 1,
    repeats: setType,
    alwaysFrom: 3,
    whenGone: 'archive',
  },
];

const nouns = ['chair', 'lamp', 'vase', 'bowl', 'table', 'clock', 'mirror'];
const woods = ['Oak', 'Ash', 'Elm', 'Pine', 'Teak'];

/** The code of a product of a supplier. */
const codeOf = (at: number, n: number): string => gtinOf((407_000 + at) * 1_000_000 + n).slice(1);

/** An item that a supplier begins to list. */
export function newItem(supplier: Supplier, n: number, random: Random): Item {
  const at = suppliers.indexOf(supplier);
  // Two suppliers list the same book.
  const gtin = supplier.name === 'spree' && n === 3 ? codeOf(suppliers.length - 2, 3) : codeOf(at, n);
  const title = `${random.pick(woods)} ${random.pick(nouns)} ${supplier.name}${String(n)}`;
  const price = Math.floor(random.between(5, 90)) * 100;
  return { n, code: n, title, price, quantity: Math.floor(random.between(1, 60)), gtin, isListed: true };
}

/** Numbers of items of each supplier that it lists no more from the second month on. */
export const dropped = [2, 4];
/** What the supplier says otherwise of some items, by number, and the items that it changes in no other way. */
export type Told = {
  steady: ReadonlySet<number>;
  dearer?: readonly number[] | undefined;
  /** All items that are listed have other numbers from now on. */
  isRenumbered: boolean;
};

/** The next month of a supplier: other prices and quantities, what is new, gone and back. */
export function nextMonth(
  supplier: Supplier,
  items: readonly Item[],
  random: Random,
  { steady, dearer = [], isRenumbered }: Told,
): Item[] {
  const share = (part: number) => random.between(0, 1) < part;
  const renumbered = (item: Item): Item =>
    isRenumbered && item.isListed ? { ...item, code: item.n + 5000 } : item;
  const next = items.map((item) => {
    if (dropped.includes(item.n)) return { ...item, isListed: false };
    if (dearer.includes(item.n)) return { ...item, price: item.price + 700 };
    if (steady.has(item.n)) return item;
    if (!item.isListed) return { ...item, isListed: share(0.25) };
    return {
      ...item,
      isListed: !share(0.06),
      price: share(0.15) ? item.price + Math.floor(random.between(1, 9)) * 100 : item.price,
      quantity: share(0.3) ? item.quantity + Math.floor(random.between(1, 20)) : item.quantity,
      title: share(0.02) ? `${item.title} new` : item.title,
    };
  });
  const added = Math.max(1, Math.round(items.length * 0.03));
  const numbers = Array.from({ length: added }, (_, at) => items.length + at + 1);
  return [...next, ...numbers.map((n) => newItem(supplier, n, random))].map(renumbered);
}

/** The file of a list; `rows`: at most so many records, the last one cut in its middle. */
export function fileOf(
  supplier: Supplier,
  items: readonly Item[],
  form: Form,
  random: Random,
  rows?: number,
): Buffer<ArrayBuffer> {
  const listed = items.filter(({ isListed }) => isListed);
  const ordered = form.shuffled ? listed.toSorted(() => random.between(0, 1) - 0.5) : listed;
  const records = ordered.flatMap((item) =>
    Array.from({ length: supplier.variants }, (_, variant) => supplier.columns(item, variant)),
  );
  const names = Object.keys(records[0] ?? {}).filter(
    (name) => !form.pricesOnly || (supplier.ofPrices ?? []).includes(name),
  );
  const headers = names.map((name) => (form.renamed ? (supplier.renamed[name] ?? name) : name));
  const quoted = (cell: string) => (/[",;\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  const lines = [headers, ...records.map((record) => names.map((name) => record[name] ?? ''))].map((cells) =>
    cells.map(quoted).join(supplier.separator),
  );
  const whole = `${lines.join('\r\n')}\r\n`;
  const text =
    rows === undefined ? whole : `${lines.slice(0, rows).join('\r\n')}\r\n${lines[rows]?.slice(0, 12)}`;
  const bytes = Buffer.from(text, form.encoding === 'latin1' ? 'latin1' : 'utf8');
  return form.encoding === 'utf8-bom' ? Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]) : bytes;
}
