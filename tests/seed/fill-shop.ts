import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { resolveSamplePictures, sampleFile } from '@draftshelf/domain/reading/sample';
import type { Operator } from './operator.ts';

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/mapping/${name}`, import.meta.url));
/** The sample file. */
export const sample = fileURLToPath(
  new URL('../../apps/web/public/sample/home-decor-manifest.csv', import.meta.url),
);

/** Uploads files and pushes some of them, so that every screen has something to show. Returns their ids. */
export async function fillShop({ importFile, importText, push, call, origin }: Operator) {
  const pushed = await importFile(fixture('platform-shopify-apparel.csv'));
  await push(pushed);
  // None of its rows can be sold.
  const failed = await importFile(fixture('trade-kbeauty-distributor.csv'));
  await push(failed);
  await importFile(fixture('unsellable-stock-count.csv'));
  const reviewed = await importText(
    resolveSamplePictures(origin, await readFile(sample, 'utf8')),
    sampleFile.filename,
  );
  await importFile(fixture('language-de-haendler.csv'));
  for (const product of scanned) await call('POST', '/api/scanner/products', product);
  return { pushed, failed, reviewed };
}

/** The scanner's library. One product has a long name, and one has nothing but what is required. */
const scanned = [
  { name: 'Rug', sku: 'RU-3', price: '120' },
  {
    name: 'Hand-woven seagrass storage basket with leather handles and a removable cotton lining',
    sku: 'BA-7',
    price: '49.5',
    weight: { value: 1.2, unit: 'kg' },
  },
  {
    name: 'Ceramic vase',
    sku: 'VA-12',
    price: '24.99',
    upc: '036000291452',
    dimensions: { length: 10, width: 5, height: 3, unit: 'in' },
    weight: { value: 2, unit: 'lb' },
  },
];
