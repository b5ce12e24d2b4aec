import { canFindProducts, findAnywhere, findResultsMax } from '@draftshelf/contract/imports/find';
import { findImportsByName } from '@draftshelf/core/imports/queue-page';
import { findProducts } from '@draftshelf/core/review/search/find-products';
import { type Api, serve } from '../http/serve.ts';
import { busyReadingRefusal, createTurnQueue } from '../http/turns.ts';
import { createWireMapper } from '../http/wire-fields.ts';

/** Maximum number of concurrent searches, so that connections remain for polls. */
const searchesAtOnceMax = 2;
const waitMsMax = 10_000;

const importFields = createWireMapper(findAnywhere.reply.shape.imports.element);

export function serveSearch(api: Api): void {
  const { db } = api;
  const inTurn = createTurnQueue({ max: searchesAtOnceMax, waitMsMax, refuse: busyReadingRefusal });
  const find = async (text: string) => {
    const imports = await findImportsByName(db, text, findResultsMax);
    return {
      imports: imports.map(importFields),
      products: canFindProducts(text) ? await findProducts(db, text, findResultsMax) : null,
    };
  };
  serve(api, findAnywhere, ({ query }) => inTurn(() => find(query.q)));
}
