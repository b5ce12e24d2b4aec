import type { RowValues } from '@draftshelf/domain/base/canonical-fields';
import {
  buildDraftProduct,
  type DraftOptions,
  type DraftProduct,
  type DraftResult,
} from '@draftshelf/domain/products/draft-product';
import { isAllowedHost, toPicture } from '@draftshelf/domain/products/images';
import { type ProductFacts, silentFieldsOf } from '@draftshelf/domain/products/silent-fields';
import { listSentVariants, listVariantRows } from '@draftshelf/domain/products/variant-rows';
import { findOtherCurrency, unconvertedText } from '@draftshelf/domain/review/other-currency';
import { refusalOf } from '@draftshelf/domain/review/store-limits';
import { cleanHtml } from './clean-html.ts';

/** The metafield value for the import source. Constant, so that a repeated import of a file changes nothing. */
export const importSource = 'draftshelf';

/** Results of picture checks, stored as JSON. A push does not wait for checks: pictures without a result are sent. */
export type PictureFacts = {
  /** Pictures that the store would refuse: the reason by address, or null if no reason is known. */
  bad: Readonly<Record<string, string | null>>;
  credits: Readonly<Record<string, string>>;
  /** Allowed hosts of pictures. Empty if all hosts are allowed. */
  hosts: readonly string[];
};

const noFacts: PictureFacts = { bad: {}, credits: {}, hosts: [] };

/**
 * Builds the draft of a product from its rows, in file order. All values sent to the store come from here. Leaves out
 * bad pictures, returns their addresses in `omitted`, and adds picture credits. `leftOut`: indexes of unsent rows.
 */
export function buildDraft(
  rows: readonly RowValues[],
  options: DraftOptions,
  pictures: PictureFacts = noFacts,
  leftOut: readonly number[] = [],
  said?: ProductFacts,
): DraftResult & { omitted: string[] } {
  const built = buildDraftProduct(rows, options, leftOut);
  if (!built.ok) return { ...built, omitted: [] };
  const { product } = built;
  const isSent = ({ src }: { src: string }) =>
    !(src in pictures.bad) && isAllowedHost(toPicture(src), pictures.hosts);
  const images = product.images.filter(isSent);
  const credits = new Set(images.flatMap(({ src }) => pictures.credits[src] ?? []));
  const variants = listSentVariants(rows, leftOut);
  const metafields = [...product.metafields, ...(credits.size > 0 ? [creditOf([...credits])] : [])];
  return {
    ...built,
    product: cleanDescription({
      ...product,
      images,
      metafields,
      ...(said?.category && { category: said.category }),
    }),
    ...(said ? { silent: silentFieldsOf(rows, variants, said, options.isPartial) } : {}),
    omitted: product.images.filter((image) => !isSent(image)).map(({ src }) => src),
  };
}

/** Cleans the description. Skips a product that the store would refuse anyway, because cleaning 1 MB takes a second. */
export const cleanDescription = (product: DraftProduct): DraftProduct =>
  refusalOf(product) === null ? { ...product, body_html: cleanHtml(product.body_html) } : product;

const creditOf = (credits: readonly string[]) => ({
  namespace: 'scd' as const,
  key: 'image_credit',
  value: credits.join('; '),
  type: 'single_line_text_field',
});

export function omittedImagesSentence(omitted: readonly string[], { bad }: PictureFacts): string | null {
  const [first] = omitted;
  if (first === undefined) return null;
  const reason = bad[first] ?? 'Pictures on this host aren’t allowed.';
  const count = omitted.length === 1 ? '1 picture was' : `${omitted.length} pictures were`;
  return `${count} left out: ${first} – ${reason}`;
}

export function leftOutRowsSentence(rows: number): string | null {
  if (rows === 0) return null;
  const are = rows === 1 ? '1 row is' : `${rows} rows are`;
  return `${are} left out of the push. Variants that the store has already stay there.`;
}

/** Returns a sentence about the first amount in a foreign currency, or null. `leftOut`: indexes of unsent rows. */
export function currencySentence(
  rows: readonly RowValues[],
  currency: string,
  leftOut: readonly number[] = [],
): string | null {
  const [first = {}] = rows;
  const left = new Set(leftOut.map((at) => rows[at]));
  for (const values of listVariantRows(rows)) {
    if (left.has(values)) continue;
    const other = findOtherCurrency(values, { inherited: values === first ? {} : first, currency });
    if (other) return unconvertedText(other, currency);
  }
  return null;
}
