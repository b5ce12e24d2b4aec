import { findAnywhere, findsProducts, foundMax } from '@draftshelf/contract/imports/find';
import { findImportsByName } from '@draftshelf/core/imports/find-imports';
import { findProducts } from '@draftshelf/core/review/search/find-products';
import { printedCode } from '@draftshelf/domain/base/gtin';
import { type Api, serve } from '../http/serve.ts';
import { busyReading, createTurns } from '../http/turns.ts';
import { wireFields } from '../http/wire-fields.ts';

/** Leaves connections for polls. */
const searchesAtOnceMax = 2;
const waitMsMax = 10_000;

const importFields = wireFields(findAnywhere.reply.shape.imports.element);

export function serveFind(api: Api): void {
  const { db } = api;
  const inTurn = createTurns({ max: searchesAtOnceMax, waitMsMax, refuse: busyReading });
  const find = async (text: string) => {
    const imports = await findImportsByName(db, text, foundMax);
    const found = findsProducts(text) ? await findProducts(db, text, foundMax) : null;
    return {
      imports: imports.map(importFields),
      products: found && {
        ...{ hasMore: found.hasMore, imports: found.imports, hasOlder: found.hasOlder },
        isCut: found.isCut,
        found: found.products.map(({ gtin, ...product }) => ({
          ...product,
          upc: gtin === null ? null : printedCode(gtin),
        })),
      },
    };
  };
  serve(api, findAnywhere, ({ query }) => inTurn(() => find(query.q)));
}
