import type { ReplyOf } from '@draftshelf/contract/route';
import { lookUpCode } from '@draftshelf/contract/scanner/scanner';
import type { Db } from '@draftshelf/core/connection/database';
import { readBadImages } from '@draftshelf/core/enrich/images';
import { readLookupAnswers } from '@draftshelf/core/enrich/lookups';
import { readRowsByNumber } from '@draftshelf/core/review/effective-rows';
import * as knownCodes from '@draftshelf/core/scanner/known-codes';
import { readShownScannedProduct } from '@draftshelf/core/scanner/library-page';
import { sourceLabel } from '@draftshelf/domain/enrich/sources';
import { picturesOf } from '@draftshelf/domain/products/images';
import { readScan, type Scan, scanFormats } from '@draftshelf/domain/scanner/read-scan';
import { createProductUrl, type StoreConnection } from '../access/store-connection.ts';
import { type AskSourcesDeps, createSourceAsker } from '../enrich/ask-sources.ts';
import { invalid } from '../http/refusal.ts';
import { type Api, serve } from '../http/serve.ts';
import { readConnectedStore, toScannedProduct } from './scanned-library.ts';

type Reply = ReplyOf<typeof lookUpCode>;
type Store = Awaited<ReturnType<typeof readConnectedStore>>;
type Deps = AskSourcesDeps & { store: StoreConnection };

/** Serves look-ups of codes. Stored data is read first; sources are asked last, because calls cost quota and time. */
export function serveLookUpCode(api: Api, deps: Deps): void {
  const { db } = api;
  const ask = createSourceAsker(deps);
  serve(api, lookUpCode, async ({ body }) => {
    const scan = readScan(body.code, scanFormats.find((one) => one === body.format) ?? null);
    if (scan === null) throw invalid('The code has no characters that can be saved.', 'code');
    const store = await readConnectedStore(db, deps.store);
    const product = await findProduct(db, scan, store);
    const { own: _own, isPublic, ...code } = scan;
    const nothing = { inStore: null, inImports: [], found: null, asked: 'later', waiting: null } as const;
    if (product !== null) return { ...nothing, code, product, inImports: [] };
    const known = {
      code,
      product: null,
      inStore: await readInStore(db, scan, store.url),
      inImports: await readWaiting(db, scan),
    };
    const { gtin } = scan;
    if (gtin === null) return { ...nothing, ...known, asked: 'off' as const };
    const found = await readFound(db, gtin);
    if (found?.title) return { ...nothing, ...known, found, asked: 'answered' as const };
    if (!isPublic) return { ...nothing, ...known, found, asked: 'off' as const };
    if (!body.ask) return { ...nothing, ...known, found };
    const { state: asked, waiting } = await ask(gtin);
    return {
      ...known,
      found: (await readFound(db, gtin)) ?? found,
      asked,
      waiting: waiting && { source: waiting.source, until: waiting.until.toISOString() },
    };
  });
}

async function findProduct(db: Db, scan: Scan, { url, shop }: Store): Promise<Reply['product']> {
  const id =
    scan.own?.kind === 'product'
      ? scan.own.id
      : scan.own?.kind === 'photo'
        ? await knownCodes.findScannedByPhoto(db, scan.own.id)
        : await knownCodes.findScannedByCode(db, scan);
  if (id === null) return null;
  const shown = await readShownScannedProduct(db, id, shop);
  return shown ? toScannedProduct(shown, url) : null;
}

async function readInStore(db: Db, scan: Scan, storeUrl: string | undefined): Promise<Reply['inStore']> {
  const found = await knownCodes.findStoreProduct(db, scan);
  const url = createProductUrl(storeUrl, found?.id ?? null);
  return found && url !== null ? { title: found.title, storeUrl: url } : null;
}

async function readWaiting(db: Db, scan: Scan): Promise<Reply['inImports']> {
  const waiting = await knownCodes.findWaitingRows(db, scan);
  return Promise.all(
    waiting.map(async ({ import_id, run, filename, row }) => {
      const [found] = await readRowsByNumber(db, { import_id, run }, [row]);
      const values = found?.values ?? {};
      return {
        ...{ id: import_id, filename, row, title: values.title ?? null },
        description: values.description ?? null,
        price: values.price ?? null,
        images: picturesOf(values).map(({ src }) => src),
      };
    }),
  );
}

/** Returns the first valid answer with a title, else the first valid answer. Null without an answer. */
async function readFound(db: Db, gtin: string): Promise<Reply['found']> {
  const answers = await readLookupAnswers(db, [gtin]);
  const best = answers.find(({ answer }) => answer.title) ?? answers[0];
  if (!best) return null;
  const { title, brand, description, category, images, attribution } = best.answer;
  const bad = await readBadImages(db, images);
  const good = images.filter((url) => !bad.has(url));
  return { source: sourceLabel(best.source), title, brand, description, category, images: good, attribution };
}
