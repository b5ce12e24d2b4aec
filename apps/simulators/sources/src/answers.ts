import type { SimulatedName } from './behavior.ts';

export type KnownProduct = {
  title: string;
  brand: string | null;
  category: string | null;
  pictures: string[];
};

type Answer = { status: number; body: unknown };

/** The answer of each source about a product, or about an unknown one (null), in the source's own form. */
export const answersOf: Record<SimulatedName, (gtin: string, product: KnownProduct | null) => Answer> = {
  upcitemdb: (gtin, product) =>
    product === null
      ? { status: 404, body: { code: 'NOT_FOUND', message: 'No match found' } }
      : { status: 200, body: { code: 'OK', total: 1, offset: 0, items: [itemOf(gtin, product)] } },
  'open-products-facts': (gtin, product) =>
    product === null
      ? { status: 200, body: { code: gtin, status: 0, status_verbose: 'product not found' } }
      : {
          status: 200,
          body: {
            code: gtin,
            status: 1,
            product: {
              product_name: product.title,
              brands: product.brand ?? '',
              image_url: product.pictures[0],
              categories_tags: product.category
                ? [`en:${product.category.toLowerCase().replaceAll(' ', '-')}`]
                : [],
            },
          },
        },
  'barcode-lookup': (gtin, product) =>
    product === null
      ? { status: 404, body: {} }
      : { status: 200, body: { products: [{ ...itemOf(gtin, product), barcode_number: gtin }] } },
};

function itemOf(gtin: string, { title, brand, category, pictures }: KnownProduct) {
  return {
    ean: gtin.slice(1),
    title,
    brand: brand ?? '',
    category: category ?? '',
    description: `${title}. Described by a source.`,
    images: pictures,
  };
}
