import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { buildClientSchema, GraphQLScalarType, type GraphQLSchema, type IntrospectionQuery } from 'graphql';
import { addAccess, type ScopeItem } from './scopes.ts';

/** The supported Admin API versions whose schema is in the package. */
export type SchemaVersion = '2026-07' | '2026-10';

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
  const schema = buildClientSchema(data, { assumeValid: true });
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
