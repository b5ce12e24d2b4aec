import { GraphQLError } from 'graphql';

/** Some categories of the taxonomy by the last part of their ids. The store accepts any id of this form. */
const names: Readonly<Record<string, string>> = {
  'hg-3-9': 'Home & Garden > Decor > Candle Holders',
  'hg-3-66': 'Home & Garden > Decor > Vases',
  'hg-11-10': 'Home & Garden > Kitchen & Dining > Tableware',
  'aa-1-13': 'Apparel & Accessories > Clothing > Clothing Tops',
};

const idForm = /^gid:\/\/shopify\/TaxonomyCategory\/([a-z]{2}(?:-\d+)*)$/;

/** The categories whose names have all words of a search. */
export function findCategories(search: string | null | undefined): string[] {
  const words = (search ?? '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  return Object.entries(names)
    .filter(([, name]) => words.every((word) => name.toLowerCase().includes(word)))
    .map(([code]) => `gid://shopify/TaxonomyCategory/${code}`);
}

export function categoryView(id: string): object {
  const code = idForm.exec(id)?.[1] ?? '';
  const fullName = names[code] ?? `Category ${code}`;
  return {
    __typename: 'TaxonomyCategory',
    id,
    name: fullName.split(' > ').at(-1),
    fullName,
    isArchived: false,
  };
}

/** Throws the top-level error with which the store answers an unknown category. */
export function requireCategory(id: string | null | undefined): void {
  if (!id || idForm.test(id)) return;
  throw new GraphQLError(`Invalid global id '${id}'`, {
    extensions: { code: 'argumentLiteralsIncompatible' },
  });
}
