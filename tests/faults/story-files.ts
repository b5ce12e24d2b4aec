import { csvOf } from '../support/fixture.ts';
import { merchantsTitle, sizesOf, skuOf } from './story-shop.ts';

/** A row of the supplier's list. */
export type ListedVariant = { sku: string; option: string; price: string; quantity: number };
/** A product of the supplier's list. `description`: undefined if the file has no such column, '' for an empty cell. */
export type Listed = { n: number; title: string; description?: string; variants: ListedVariant[] };
/** A file of the supplier. */
export type SupplierFile = { name: string; products: Listed[]; csv: string };

/** The supplier's products that the merchant has, too, and new ones, which are numbered from here. */
const matched = 60;
const firstNew = 900;
const newOnes = 20;
export const productsListed = matched + newOnes;
/** The files, from 0. */
const lastFile = 3;

export const isNew = (n: number): boolean => n >= firstNew;
/** Products that the supplier drops from the second file on. */
const dropped = [17, firstNew + 1];
/** Products whose size S is called Small from the third file on: one is the merchant's, one is ours. */
const renamed = [15, firstNew + 5];
/** Products whose quantity changes in the third file. */
const recounted = (n: number): boolean => n % 4 === 2;

/** The price in a file: new ones in each file for two thirds of the products. */
const priceOf = (n: number, at: number, file: number): string => {
  // What the merchant asks for it already.
  if (file === 0 && n % 6 === 1 && !isNew(n)) return `${20 + n + at}.00`;
  const changes = n % 3 === 0 ? 0 : file;
  return `${10 + (n % 300) + at + changes}.90`;
};

const titleOf = (label: string, n: number): string =>
  isNew(n) || n % 4 === 3 ? `Supplier’s vase ${label} ${n}` : merchantsTitle(label, n);

/** The sizes that a file lists: all, the first two, or one of three. */
function listedSizes(n: number): string[] {
  const all = sizesOf(n);
  if (isNew(n) || n % 20 === 15 || n % 20 === 0) return all;
  return n % 20 === 5 ? all.slice(0, 2) : all.slice(1, 2);
}

/** Only some rows name the option: others are found by their SKU. */
const namesOption = (n: number) => isNew(n) || n % 20 === 15;

function listed(label: string, n: number, file: number): Listed {
  const sizes = listedSizes(n);
  const values = sizes.length > 0 ? sizes : [''];
  const variants = values.map((size, at): ListedVariant => {
    const option = size === 'S' && file >= 2 && renamed.includes(n) ? 'Small' : size;
    return {
      sku: skuOf(label, n, size),
      option: namesOption(n) ? option : '',
      price: priceOf(n, at, file),
      quantity: 12 + (n % 7) + (file >= 2 && recounted(n) ? 5 : 0),
    };
  });
  const description = n % 2 === 0 ? `Text of the supplier about ${n}.` : '';
  return { n, title: titleOf(label, n), variants, ...(file === lastFile ? { description } : {}) };
}

/**
 * The lists of a supplier: prices and quantities, then other prices without two of the products, then a renamed size
 * and other quantities, then descriptions.
 */
export function supplierFiles(label: string): SupplierFile[] {
  const numbers = [
    ...Array.from({ length: matched }, (_, n) => n),
    ...Array.from({ length: newOnes }, (_, at) => firstNew + at),
  ];
  return Array.from({ length: lastFile + 1 }, (_, file) => {
    const products = numbers
      .filter((n) => file === 0 || !dropped.includes(n))
      .map((n) => listed(label, n, file));
    return { name: `file ${file + 1}`, products, csv: csvOfList(products) };
  });
}

function csvOfList(products: readonly Listed[]): string {
  const hasTexts = products.some(({ description }) => description !== undefined);
  const header = ['Handle', 'Title', 'Option1 Name', 'Option1 Value', 'SKU', 'Price', 'Quantity'];
  const lines = products.flatMap(({ n, title, description, variants }) =>
    variants.map(({ option, sku, price, quantity }) => [
      ...[`vase-${n}`, title, option && 'Size', option, sku, price, String(quantity)],
      ...(hasTexts ? [description ?? ''] : []),
    ]),
  );
  return csvOf([[...header, ...(hasTexts ? ['Description'] : [])], ...lines]);
}
