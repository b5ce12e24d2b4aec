import * as contract from '@draftshelf/contract/push/readiness';
import { chooseCategory } from '@draftshelf/core/push/category-choices';
import { countFilledFields } from '@draftshelf/core/push/readiness';
import { currentRows, readParseRun } from '@draftshelf/core/work/runs';
import { labelOf, type RowField } from '@draftshelf/domain/base/canonical-fields';
import { fieldOfMetafield } from '@draftshelf/domain/base/metafields';
import { searchCategories } from '@draftshelf/shopify/categories';
import type { StoreConnection } from '../access/store-connection.ts';
import { refuseStoreErrors, requireStore } from '../access/store-reads.ts';
import { type Api, serve } from '../http/serve.ts';
import { serveImport } from '../imports/serve-import.ts';

/** The product fields that a shop shows or needs, in addition to the mapped metafields. */
const shopFields = [
  ...(['title', 'price', 'image', 'description', 'upc', 'weight', 'seoTitle', 'seoDescription'] as const),
] satisfies RowField[];

const foundMax = 20;
const searchMsMax = 10_000;

export function serveReadiness(api: Api, { store }: { store: StoreConnection }): void {
  const { db, changes } = api;
  serveImport(api, contract.getReadiness, async ({ record }) => {
    const { mapping } = await readParseRun(db, currentRows(record));
    const { metafields = [] } = mapping;
    const named = metafields.map((one) => ({ field: fieldOfMetafield(one), label: one.name }));
    const fields = [...shopFields.map((field) => ({ field, label: labelOf(field) })), ...named];
    const { having, ...readiness } = await countFilledFields(
      db,
      record,
      fields.map(({ field }) => field),
    );
    return { ...readiness, fields: fields.map((one, at) => ({ ...one, products: having[at] ?? 0 })) };
  });
  serve(api, contract.findCategories, async ({ query }) => {
    const { client } = await requireStore(store);
    const signal = AbortSignal.timeout(searchMsMax);
    return { categories: await refuseStoreErrors(searchCategories(client, query.q, foundMax, { signal })) };
  });
  serveImport(api, contract.chooseCategory, async ({ record, body: { path, category } }) => {
    await chooseCategory(changes.db, record, path, category);
    const message = category === null ? 'Category removed.' : `Category set to ${category.name}.`;
    return { success: true as const, message };
  });
}
