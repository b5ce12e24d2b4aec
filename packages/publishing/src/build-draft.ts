import type { RowValues } from '@draftshelf/domain/canonical-fields';
import { buildDraftProduct, type DraftOptions, type DraftResult } from '@draftshelf/domain/draft-product';
import { cleanHtml } from './clean-html.ts';

/** The value of scd.import_source. It is constant, so that pushing the same file from another import changes nothing. */
export const importSource = 'draftshelf';

/**
 * The product that we intend to create in the store from the rows of one group, in file order, with a description that
 * runs nothing in a customer's browser. Everything that is sent to the store is built here.
 */
export function buildDraft(rows: readonly RowValues[], options: DraftOptions): DraftResult {
  const built = buildDraftProduct(rows, options);
  if (!built.ok) return built;
  return { ok: true, product: { ...built.product, body_html: cleanHtml(built.product.body_html) } };
}
