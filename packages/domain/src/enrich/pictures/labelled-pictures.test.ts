import { expect, test } from 'vitest';
import { createPictureMatcher } from './picture-names.ts';

type Random = (below: number) => number;
function seededRandom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}
const pick = <T>(random: Random, from: readonly T[]): T => from[random(from.length)] as T;

type Row = { sku: string; upc: string; item: string };
/** `isListed`: the list has it, not only the archive. */
type Product = { handle: string; rows: [Row, ...Row[]]; isListed: boolean };
/** A picture and its product; null: it is of several, or of none that the list has. */
type Labelled = { entry: string; product: Product | null };

/** How suppliers make article numbers. Most end in what could number a picture. */
const codes: readonly ((n: number) => string)[] = [
  (n) => `A-${100 + n}`,
  (n) => `LMP${1000 + n}`,
  (n) => `${4700 + (n >> 2)}-${10 + (n % 4)}`,
  (n) => `VS ${20 + (n >> 1)}/${1 + (n % 2)}`,
  (n) => `OAK.${['RED', 'BLU', 'GRN', 'WHT'][n % 4]}.${n >> 2}`,
  (n) => String(100_200 + 3 * n),
];
/** What makes the code of another product look like a picture or a variant of the first. */
const ends = ['-2', '-RED', '_3', '-B', '0'];
/** Codes that are each other's beginning, or differ in a separator. The list lacks the last two. */
const alike = ['AB', 'AB-2', '1', 'K 25', '47111', 'K 2.5', '4711-1'];

function gtinOf(random: Random): string {
  const digits = `${pick(random, ['0', '4', '8'])}${String(random(1e9)).padStart(11, '7')}`;
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (at % 2 ? 3 : 1), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

/** About 90 products, some with a row for each size. The first two have one item number. */
function madeProducts(random: Random, code: (n: number) => string): Product[] {
  let items = 70_000;
  const rowOf = (sku: string): Row => {
    items += 7;
    return { sku, upc: gtinOf(random), item: String(items) };
  };
  const made = Array.from({ length: 80 }, (_, n): Product[] => {
    const handle = `${pick(random, ['oak-lamp', 'tea-pot', 'rug'])}-${n}`;
    const isListed = n % 16 !== 9;
    if (n % 7 === 3) {
      const others = ['M', 'XL'].map((size) => rowOf(`${code(n)}-${size}`));
      return [{ handle, rows: [rowOf(`${code(n)}-S`), ...others], isListed }];
    }
    const other = {
      handle: `${handle}-2`,
      rows: [rowOf(code(n) + pick(random, ends))] as [Row],
      isListed: true,
    };
    return [{ handle, rows: [rowOf(code(n))], isListed }, ...(n % 12 === 5 ? [other] : [])];
  });
  const products = [
    ...made.flat(),
    ...alike.map((sku, at): Product => ({ handle: `alike-${sku}`, rows: [rowOf(sku)], isListed: at < 5 })),
  ];
  const [first, second] = products;
  if (first && second) second.rows[0].item = first.rows[0].item;
  return products;
}

/** How photographers number the pictures of a product, the same way in a whole archive. */
const suffixes: readonly ((at: number) => string)[] = [
  (at) => (at === 0 ? '' : `-${at}`),
  (at) => `_0${at + 1}`,
  (at) => (at === 0 ? '' : ` (${at + 1})`),
  (at) => `-${['front', 'back', 'detail'][at]}`,
  (at) => (at === 0 ? '' : `-${'abc'[at]}`),
];
const numbers: readonly ((at: number) => string)[] = [
  (at) => String(at + 1),
  (at) => `IMG_${2041 + at}`,
  (at) => ['front', 'back', 'detail'][at] ?? '',
];
/** How they write a code: as it is, in another case, with other separators. No file name has a slash. */
const writings: readonly ((code: string) => string)[] = [
  (code) => code.replaceAll('/', '-'),
  (code) => code.replaceAll('/', '_').toLowerCase(),
  (code) => code.replace(/[-_ ./]/g, '_'),
  (code) => code.replace(/[-_ /]/g, ' ').toLowerCase(),
];

type Key = 'sku' | 'upc' | 'item' | 'handle';
type Style = {
  write: (key: string) => string;
  suffix: (at: number) => string;
  number: (at: number) => string;
  /** What the archive names products by. */
  key: Key;
};
/** GTINs lose their leading zero. */
const keyOf = ({ handle, rows: [first] }: Product, key: Key) =>
  key === 'handle' ? handle : key === 'upc' ? first.upc.replace(/^0/, '') : first[key];

/** The names of a product's pictures in an archive, without their ends. */
type Manner = (product: Product, style: Style) => string[];
const bySuffix: Manner = (product, { write, suffix, key }) =>
  [0, 1, 2].map((at) => write(keyOf(product, key)) + suffix(at));
const bySku: Manner = ({ rows }, { write }) => rows.map(({ sku }) => write(sku));
const byFolder: Manner = (product, { write, number, key }) =>
  [0, 1, 2].map((at) => `${write(keyOf(product, key))}/${number(at)}`);
/** Each with the keys of three archives. */
const manners: readonly [Manner, readonly Key[]][] = [
  [bySku, ['sku', 'sku', 'sku']],
  [bySuffix, ['sku', 'sku', 'sku']],
  [byFolder, ['sku', 'item', 'handle']],
  [bySuffix, ['upc', 'item', 'handle']],
];

const keysOf = ({ handle, rows }: Product) => [
  handle,
  ...rows.flatMap(({ sku, upc, item }) => [sku, upc, item]),
];
const lower = (text: string) => text.toLowerCase();

/** The 100 pictures of an archive, of products that the list has and of others. */
function madePictures(
  manner: Manner,
  style: Style,
  products: readonly Product[],
  random: Random,
): Labelled[] {
  const labelled = products.flatMap((product): Labelled[] => {
    const others = products
      .filter((other) => other !== product && other.isListed)
      .flatMap(keysOf)
      .map(lower);
    const isShared = style.key === 'item' && others.includes(product.rows[0].item);
    return (
      manner(product, style)
        // Nobody names the second picture of A like the product A-2.
        .filter((name) => isShared || !others.includes(lower(name)))
        .map((entry) => ({ entry, product: product.isListed && !isShared ? product : null }))
    );
  });
  const last = labelled.splice(-20);
  for (let at = labelled.length - 1; at > 0; at -= 1) labelled.push(...labelled.splice(random(at), 1));
  const noise = ['logo', 'banner-2', 'IMG_0017', 'size chart'].map((entry) => ({ entry, product: null }));
  const folder = pick(random, ['', 'images/', 'Fotos 2026/']);
  return [...noise, ...last, ...labelled].slice(0, 100).map(({ entry, product }) => ({
    entry: `${folder}${entry}.${pick(random, ['jpg', 'JPG', 'png', 'webp'])}`,
    product,
  }));
}

test('of 1,200 pictures in 12 archives nearly all find their product, and none finds another', () => {
  const counts = { pictures: 0, ofProducts: 0, right: 0 };
  const wrong: { entry: string; keys: string[] }[] = [];
  for (const [kind, [manner, keys]] of manners.entries()) {
    for (const [at, key] of keys.entries()) {
      const random = seededRandom(1 + 10 * kind + at);
      const style: Style = {
        key,
        write: (text) => pick(random, writings)(text),
        suffix: suffixes[(2 * kind + at) % suffixes.length] ?? String,
        number: numbers[at] ?? String,
      };
      const made = madeProducts(random, codes[(2 * kind + 1 + at) % codes.length] ?? String);
      const pictures = madePictures(manner, style, made, random);
      const matcher = createPictureMatcher(pictures.map(({ entry }, n) => ({ n, entry })));
      const products = made.filter(({ isListed }) => isListed);
      const rows = products.flatMap((of, product) =>
        of.rows.map((row) => ({ ...row, product, handle: of.handle })),
      );
      for (const [row, { product, sku, upc, item, handle }] of rows.entries()) {
        matcher.addRow({ product, row, keys: [sku, upc, item, handle], cells: [] });
      }
      for (const match of matcher.matches()) {
        const { entry, product } = pictures[match.n] as Labelled;
        const found = match.rows.map((one) => products[one.product] as Product);
        counts.pictures += 1;
        if (product !== null) counts.ofProducts += 1;
        if (found.some((one) => one !== product)) wrong.push({ entry, keys: found.flatMap(keysOf) });
        else if (found.length > 0) counts.right += 1;
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(counts.pictures).toBe(1200);
  expect(counts.ofProducts).toBeGreaterThan(1000);
  expect(counts.right / counts.ofProducts).toBeGreaterThanOrEqual(0.97);
});
