import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { sampleAt, sampleFile } from '@draftshelf/contract/sample';
import type { Operator } from './operator.ts';

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/mapping/${name}`, import.meta.url));
/** The sample file. */
export const sample = fileURLToPath(
  new URL('../../apps/web/public/sample/home-decor-manifest.csv', import.meta.url),
);

/** Uploads files and pushes some of them, so that every screen has something to show. Returns their ids. */
export async function fillShop({ importFile, importText, push, origin }: Operator) {
  const pushed = await importFile(fixture('platform-shopify-apparel.csv'));
  await push(pushed);
  // None of its rows can be sold.
  const failed = await importFile(fixture('trade-kbeauty-distributor.csv'));
  await push(failed);
  await importFile(fixture('unsellable-stock-count.csv'));
  const reviewed = await importText(sampleAt(origin, await readFile(sample, 'utf8')), sampleFile.filename);
  await importFile(fixture('language-de-haendler.csv'));
  return { pushed, failed, reviewed };
}
