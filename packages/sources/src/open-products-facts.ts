import type { SourceReply } from '@draftshelf/domain/enrich/sources';
import { z } from 'zod';
import { pictureUrls, type RawReply, readReply, type SourceAdapter, textOf } from './source.ts';

/** https://openfoodfacts.github.io/openfoodfacts-server/api/ */
const Body = z.object({
  status: z.union([z.literal(0), z.literal(1)]),
  product: z
    .object({
      product_name: z.string().nullish(),
      brands: z.string().nullish(),
      image_url: z.string().nullish(),
      categories_tags: z.array(z.string()).nullish(),
    })
    .optional(),
});

const fields = 'product_name,brands,image_url,categories_tags';

/** Its data are under the ODbL, its pictures under CC BY-SA, which asks for a credit. */
export const openProductsFacts: SourceAdapter = {
  request: (code) => ({ path: `/api/v2/product/${code}.json?fields=${fields}`, headers: {} }),
  read,
  left: () => null,
  keyTest: null,
};

function read(raw: RawReply): SourceReply {
  // Over the limit it answers 503.
  return readReply(raw.status === 503 ? { ...raw, status: 429 } : raw, Body, ({ status, product }) => {
    if (status === 0 || !product) return undefined;
    return {
      title: textOf(product.product_name),
      brand: textOf(product.brands?.split(',')[0]),
      description: null,
      category: categoryOf(product.categories_tags ?? []),
      images: pictureUrls([product.image_url]),
      attribution: 'Open Products Facts contributors, CC BY-SA 3.0',
      picturesNeedCredit: true,
    };
  });
}

/** The most specific English category: 'en:table-lamps' as 'Table lamps'. */
function categoryOf(tags: readonly string[]): string | null {
  const name = tags
    .filter((tag) => tag.startsWith('en:'))
    .at(-1)
    ?.slice('en:'.length)
    .replaceAll('-', ' ');
  return name ? name.charAt(0).toUpperCase() + name.slice(1) : null;
}
