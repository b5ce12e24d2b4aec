import { encode } from '@draftshelf/csv/testing/encode';
import { pick, type Random, seededRandom } from '@draftshelf/csv/testing/random';
import type { Field, FileForm } from './independent-comparison.ts';

/** `price`: in cents; null: none. */
type Entry = {
  sku: string;
  title: string;
  price: number | null;
  quantity: number;
  brand: string;
  tags: readonly string[];
  code: string;
};

export type WrittenList = { bytes: Uint8Array<ArrayBuffer>; form: FileForm };

/**
 * Two lists of one supplier: the second one is shuffled, in another form, up to 30 % of its rows have changed, some are
 * gone, some new, and 5 % are doubled. Rows have a SKU, or a code, or nothing that identifies them.
 */
export function randomPair(seed: number): { first: WrittenList; second: WrittenList } {
  const random = seededRandom(seed);
  const entries = Array.from({ length: 20 + random(60) }, (_, at) => randomEntry(random, at));
  const share = random(31);
  const kept = entries.flatMap((entry) => {
    if (random(100) < 8) return [];
    const next = random(100) < share ? changedEntry(random, entry) : entry;
    if (random(100) >= 5) return [next];
    return [next, random(2) === 0 ? next : changedEntry(random, next)];
  });
  const added = Array.from({ length: random(6) }, (_, at) => randomEntry(random, 1000 + at));
  return {
    first: written(random, entries),
    second: written(random, shuffled(random, [...kept, ...added])),
  };
}

const names = ['Théière', 'Lampe', 'Größe Vase', 'Oak  chair', 'Käse', 'Señor "Rug"', 'Plain, bowl', 'Œuvre'];

function randomEntry(random: Random, at: number): Entry {
  const sku = ['SKU', '00', 'ab-', 'É'][random(4)];
  const hasSku = random(100) < 85;
  return {
    sku: hasSku ? `${sku}${1000 + at}` : '',
    title: `${pick(random, names)} ${pick(random, names)} ${at}`,
    price: random(40) === 0 ? null : 100 + random(400_000),
    quantity: random(1500),
    brand: pick(random, ['Acme', 'Müller', 'Été & Cie']),
    tags: shuffled(random, ['oak', 'été', 'new in', 'sale']).slice(random(4)),
    code: (hasSku && random(3) > 0) || random(4) === 0 ? '' : ean(at),
  };
}

/** An EAN with its check digit. */
function ean(number: number): string {
  const digits = String(400_638_000_000 + number);
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

const changedEntry = (random: Random, entry: Entry): Entry => ({
  ...entry,
  ...pick<Partial<Entry>>(random, [
    { price: 100 + random(400_000) },
    { price: (entry.price ?? 500) + 1 },
    { price: null },
    { quantity: entry.quantity + 1 },
    { title: `${entry.title} II` },
    { title: entry.title.normalize('NFD').replace(/[\u0300-\u036f]/g, '') },
    { brand: 'ACME' },
    { tags: [...entry.tags, 'more'] },
    { price: 777_700, quantity: 7, title: 'Other' },
    ...(entry.sku
      ? [
          { sku: entry.sku.toLowerCase() },
          { code: ean(5000 + random(1000)) },
          { code: ean(5000 + random(1000)), title: 'Another one' },
        ]
      : []),
  ]),
});

function shuffled<T>(random: Random, from: readonly T[]): T[] {
  const left = [...from];
  return from.map(() => left.splice(random(left.length), 1)[0] as T);
}

const headers: Record<Field, readonly string[]> = {
  sku: ['SKU', 'Artikelnummer', 'Item code'],
  title: ['Title', 'Bezeichnung', 'Product name'],
  price: ['Price', 'Preis', 'Selling price'],
  quantity: ['Qty', 'Bestand', 'Stock'],
  brand: ['Brand', 'Hersteller', 'Vendor'],
  tags: ['Tags'],
  code: ['UPC', 'EAN', 'Barcode'],
};
const fields = Object.keys(headers) as Field[];

function written(random: Random, entries: readonly Entry[]): WrittenList {
  const order = shuffled(random, fields);
  const form: FileForm = {
    encoding: pick(random, ['utf-8', 'windows-1252', 'utf-16le']),
    delimiter: pick(random, [',', ';', '\t']),
    decimalMark: pick(random, ['.', ',']),
    headers: Object.fromEntries(
      fields.map((field) => [field, pick(random, headers[field])]),
    ) as FileForm['headers'],
  };
  const lineEnd = pick(random, ['\n', '\r\n']);
  const cells: Record<Field, (entry: Entry) => string> = {
    sku: ({ sku }) => sku,
    title: ({ title }) => (random(9) === 0 ? title.replaceAll(' ', pick(random, ['\u00a0', '  '])) : title),
    price: ({ price }) => (price === null ? '' : amount(random, price, form.decimalMark)),
    quantity: ({ quantity }) => (random(9) === 0 ? `00${quantity}` : `${quantity}`),
    brand: ({ brand }) => brand,
    tags: ({ tags }) => shuffled(random, tags).join(pick(random, [', ', '|'])),
    code: ({ code }) => (code && random(3) === 0 ? `0${code}` : code),
  };
  const lines = [
    order.map((field) => form.headers[field]),
    ...entries.map((entry) => order.map((field) => cells[field](entry))),
  ];
  const text = lines
    .map((line) => `${line.map((cell) => quoted(cell, form.delimiter)).join(form.delimiter)}${lineEnd}`)
    .join('');
  const bytes = encode(form.encoding === 'utf-16le' ? `\ufeff${text}` : text, form.encoding);
  return { bytes: new Uint8Array(bytes), form };
}

function amount(random: Random, cents: number, mark: string): string {
  const [whole = '', decimals = ''] = (cents / 100).toFixed(2).split('.');
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, mark === '.' ? ',' : '.');
  return `${pick(random, ['', '', '$'])}${random(2) === 0 ? grouped : whole}${mark}${decimals}`;
}

const quoted = (cell: string, delimiter: string) =>
  cell.includes(delimiter) || cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : cell;
