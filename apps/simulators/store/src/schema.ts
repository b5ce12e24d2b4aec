import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import {
  buildClientSchema,
  extendSchema,
  GraphQLScalarType,
  type GraphQLSchema,
  type IntrospectionQuery,
  parse,
} from 'graphql';
import { addAccess, type ScopeItem } from './scopes.ts';

/** The supported Admin API versions whose schema is in the package. */
export type SchemaVersion = '2026-07' | '2026-10';

/** Further barcodes of a variant: 2026-10 has them by Shopify's changelog, but the package is older. */
const barcodes = `
  enum BarcodeType { ASIN EAN GTIN ISBN UPC }
  type ProductVariantBarcode { type: BarcodeType value: String! }
  type ProductVariantBarcodeEdge { cursor: String! node: ProductVariantBarcode! }
  type ProductVariantBarcodeConnection {
    edges: [ProductVariantBarcodeEdge!]!
    nodes: [ProductVariantBarcode!]!
    pageInfo: PageInfo!
  }
  extend type ProductVariant {
    barcodes(first: Int, after: String, last: Int, before: String, reverse: Boolean = false): ProductVariantBarcodeConnection!
  }
  input BarcodeInput { type: BarcodeType value: String! }
  extend input ProductVariantSetInput { barcodes: [BarcodeInput!] }
`;

/**
 * The real Admin schema of a version, as Shopify publishes it in @shopify/ai-toolkit (MIT): 3,546 types, loaded in
 * 160 ms and 21 MB, so nothing is trimmed. Money and Decimal refuse values that are no numbers, as the store does.
 */
export function loadAdminSchema(version: SchemaVersion): GraphQLSchema {
  const root = dirname(createRequire(import.meta.url).resolve('@shopify/ai-toolkit/package.json'));
  const file = join(root, 'skills/shopify-admin/assets', `admin_${version}.json.br`);
  const { data, offline_scopes } = JSON.parse(brotliDecompressSync(readFileSync(file)).toString()) as {
    data: IntrospectionQuery;
    offline_scopes: { items: ScopeItem[] };
  };
  const packaged = buildClientSchema(data, { assumeValid: true });
  if (packaged.getType('BarcodeInput')) throw new Error('The package has barcodes: remove them here.');
  const schema =
    version === '2026-07' ? packaged : extendSchema(packaged, parse(barcodes), { assumeValid: true });
  addAccess(schema, offline_scopes.items);
  for (const name of ['Money', 'Decimal']) {
    const scalar = schema.getType(name);
    if (!(scalar instanceof GraphQLScalarType))
      throw new Error(`The schema ${version} lacks the scalar ${name}.`);
    scalar.parseValue = (value) => parseDecimal(name, value);
  }
  return schema;
}

function parseDecimal(scalar: string, value: unknown): string {
  const text = String(value);
  if (/^-?\d+(\.\d+)?$/.test(text)) return text;
  throw new Error(`${scalar} must be a decimal number`);
}
