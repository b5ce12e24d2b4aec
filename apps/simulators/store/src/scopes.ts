import { GraphQLError, type GraphQLResolveInfo, type GraphQLSchema, getNamedType } from 'graphql';

/** Access required to read a type or a field: one of these scopes. `sentence`: Shopify's message without it. */
type RequiredAccess = { anyOf: readonly string[]; sentence: string };

/** The package's list, next to the schema. */
export type ScopeItem = {
  typeName: string;
  fieldName?: string;
  requiredAccess: string;
  offlineScopes: readonly string[];
};

/** By 'Type' and 'Type.field', with the result for each field that was read. */
type AccessOfSchema = {
  byName: ReadonlyMap<string, RequiredAccess>;
  byField: Map<string, RequiredAccess[]>;
};

const extension = 'requiredAccess';

/** Adds the required access of each type and field to a schema. */
export function addAccess(schema: GraphQLSchema, items: readonly ScopeItem[]): void {
  const byName = new Map<string, RequiredAccess>();
  for (const { typeName, fieldName, requiredAccess, offlineScopes } of items) {
    if (offlineScopes.length === 0) continue;
    const name = fieldName === undefined ? typeName : `${typeName}.${fieldName}`;
    byName.set(name, { anyOf: offlineScopes, sentence: requiredAccess });
  }
  const access: AccessOfSchema = { byName, byField: new Map() };
  schema.extensions = { ...schema.extensions, [extension]: access };
}

/** Throws ACCESS_DENIED for a field when the scopes do not cover it or the type that it returns. */
export function requireAccess(info: GraphQLResolveInfo, scopes: readonly string[]): void {
  for (const required of requirementsOf(info)) {
    if (required.anyOf.some((scope) => isGranted(scope, scopes))) continue;
    const message = `Access denied for ${info.fieldName} field. Required access: ${required.sentence}`;
    throw new GraphQLError(message, {
      extensions: {
        code: 'ACCESS_DENIED',
        documentation: 'https://shopify.dev/api/usage/access-scopes',
        requiredAccess: required.sentence,
      },
    });
  }
}

function requirementsOf(info: GraphQLResolveInfo): readonly RequiredAccess[] {
  const access = info.schema.extensions[extension] as AccessOfSchema | undefined;
  if (!access) return [];
  const field = `${info.parentType.name}.${info.fieldName}`;
  const known = access.byField.get(field);
  if (known) return known;
  // A list of products needs what a product needs.
  const returned = getNamedType(info.returnType).name.replace(/Connection$/, '');
  const found = [field, returned].flatMap((name) => access.byName.get(name) ?? []);
  access.byField.set(field, found);
  return found;
}

/** write_x includes read_x. */
function isGranted(scope: string, granted: readonly string[]): boolean {
  return granted.includes(scope) || granted.includes(scope.replace(/^read_/, 'write_'));
}
