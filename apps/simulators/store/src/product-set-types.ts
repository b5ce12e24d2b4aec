import type { StoredBarcode } from './catalogue.ts';

/** The arguments of productSet after validation and coercion by GraphQL. */
export type ProductSetArguments = {
  identifier?: { id?: string; handle?: string; customId?: CustomId } | null;
  input: SetInput;
  synchronous: boolean;
};
export type CustomId = { namespace?: string | null; key: string; value: string };
export type SetMetafield = {
  namespace?: string | null;
  key?: string | null;
  value?: string | null;
  type?: string | null;
};
export type SetVariant = {
  id?: string | null;
  optionValues: { optionName?: string | null; name?: string | null }[];
  price?: string | null;
  compareAtPrice?: string | null;
  sku?: string | null;
  barcode?: string | null;
  barcodes?: StoredBarcode[] | null;
  taxable?: boolean | null;
  inventoryPolicy?: string | null;
  inventoryItem?: {
    sku?: string | null;
    cost?: string | null;
    tracked?: boolean | null;
    harmonizedSystemCode?: string | null;
    countryCodeOfOrigin?: string | null;
    measurement?: { weight?: { value: number; unit: string } | null } | null;
  } | null;
  inventoryQuantities?: { locationId: string; name: string; quantity: number }[] | null;
};
export type SetOption = { name?: string | null; values?: { name?: string | null }[] | null };
export type SetFile = { id?: string | null; originalSource?: string | null; alt?: string | null };
export type SetInput = {
  id?: string | null;
  title?: string | null;
  handle?: string | null;
  descriptionHtml?: string | null;
  vendor?: string | null;
  productType?: string | null;
  status?: string | null;
  tags?: string[] | null;
  collections?: string[] | null;
  productOptions?: SetOption[] | null;
  variants?: SetVariant[] | null;
  files?: SetFile[] | null;
  metafields?: SetMetafield[] | null;
  category?: string | null;
  seo?: { title?: string | null; description?: string | null } | null;
};

/** A userError of productSet. */
export type Refusal = { code: string | null; field: string[]; message: string };
