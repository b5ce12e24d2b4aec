import {
  type DocumentNode,
  execute,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import type { Bucket } from './bucket.ts';
import type { Catalogue } from './catalogue.ts';
import type { Shop } from './demo-shop.ts';
import { actualPoints, type Operation, requestedPoints } from './query-cost.ts';
import { type Context, readField } from './roots.ts';
import {
  type StoreError,
  storeSyntaxError,
  storeValidationErrors,
  storeVariableError,
} from './validation-errors.ts';

export type GraphqlRequest = { query: string; variables: Record<string, unknown> };

/** The reply; always with HTTP 200, as from the store. */
export type GraphqlReply = { data?: unknown; errors?: StoreError[]; extensions?: { cost: Cost } };

/** `actualQueryCost`: the points that were charged; null: none, because the request was refused. */
type Cost = { requestedQueryCost: number; actualQueryCost: number | null; throttleStatus: object };

export type GraphqlEndpoint = {
  /** The operation's first root field, for statistics; 'invalid' if there is none. */
  operationName(query: string): string;
  /** `origin`: the one that the app asked, for the addresses of uploads. */
  run(request: GraphqlRequest, options: { throttled: boolean; origin: string }): Promise<GraphqlReply>;
};

type Deps = { schema: GraphQLSchema; roots: object; bucket: Bucket; catalogue: Catalogue; shop: Shop };
type Prepared = { document: DocumentNode; definition: OperationDefinitionNode; errors: StoreError[] };

const costPerRequestMax = 1000;
const inputListMax = 250;
/** Documents come from programs, so there are few; the limit protects the memory. */
const documentsKeptMax = 500;
const limitsDocumentation = 'https://shopify.dev/api/usage/rate-limits';

/** Runs documents on the real schema with the store's admission, cost and error envelopes. */
export function createGraphqlEndpoint(deps: Deps): GraphqlEndpoint {
  const prepared = new Map<string, Prepared | StoreError>();

  function prepare(query: string): Prepared | StoreError {
    let found = prepared.get(query);
    if (!found) {
      found = prepareDocument(deps.schema, query);
      if (prepared.size >= documentsKeptMax) prepared.clear();
      prepared.set(query, found);
    }
    return found;
  }

  return {
    operationName(query) {
      const found = prepare(query);
      if (!('definition' in found)) return 'invalid';
      const field = found.definition.selectionSet.selections.find((one) => one.kind === Kind.FIELD);
      return field?.name.value ?? 'invalid';
    },
    async run({ query, variables }, options) {
      const found = prepare(query);
      if (!('definition' in found)) return { errors: [found] };
      if (found.errors.length > 0) return { errors: found.errors };
      const values = getVariableValues(deps.schema, found.definition.variableDefinitions ?? [], variables);
      if (values.errors)
        return { errors: values.errors.map((error) => storeVariableError(error, variables)) };
      const fragments = new Map<string, FragmentDefinitionNode>();
      for (const one of found.document.definitions) {
        if (one.kind === Kind.FRAGMENT_DEFINITION) fragments.set(one.name.value, one);
      }
      const { schema } = deps;
      const operation = { schema, definition: found.definition, fragments, variables: values.coerced };
      const refusal = admission(deps.bucket, operation, options.throttled);
      if (refusal) return refusal;
      return await runOperation(deps, found.document, operation, { variables, origin: options.origin });
    },
  };
}

function prepareDocument(schema: GraphQLSchema, query: string): Prepared | StoreError {
  let document: DocumentNode;
  try {
    document = parse(query);
  } catch (error) {
    return storeSyntaxError(error as GraphQLError);
  }
  const definition = document.definitions.find((one) => one.kind === Kind.OPERATION_DEFINITION);
  if (!definition) return { message: 'No operation provided', extensions: { code: 'PARSE_ERROR' } };
  const errors = storeValidationErrors(document, validate(schema, document, specifiedRules));
  return { document, definition, errors };
}

/** Checks the requested cost; null: the operation may run. */
function admission(bucket: Bucket, operation: Operation, throttled: boolean): GraphqlReply | null {
  const requested = requestedPoints(operation);
  const list = overlongList(operation.variables, []);
  if (list) {
    const message = `The input array size of ${list.length} is greater than the maximum allowed of ${inputListMax}.`;
    const error = {
      message,
      locations: [],
      path: list.path,
      extensions: { code: 'MAX_INPUT_SIZE_EXCEEDED' },
    };
    return { errors: [error], extensions: { cost: costOf(bucket, requested, null) } };
  }
  if (requested > costPerRequestMax) {
    const message = `Query cost is ${requested}, which exceeds the single query max cost limit (${costPerRequestMax}).\n\nSee https://shopify.dev/docs/api/usage/rate-limits for more information on how the cost of a query is calculated.\n`;
    const extensions = {
      code: 'MAX_COST_EXCEEDED',
      cost: requested,
      maxCost: costPerRequestMax,
      documentation: limitsDocumentation,
    };
    return { errors: [{ message, extensions }] };
  }
  if (!throttled && bucket.admits(requested)) return null;
  const extensions = { code: 'THROTTLED', documentation: limitsDocumentation };
  return {
    errors: [{ message: 'Throttled', extensions }],
    extensions: { cost: costOf(bucket, requested, null) },
  };
}

/** Variants have their own limit; every other list may have 250 entries. */
function overlongList(value: unknown, path: string[]): { length: number; path: string[] } | null {
  if (Array.isArray(value) && value.length > inputListMax && path.at(-1) !== 'variants') {
    return { length: value.length, path };
  }
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, one] of Object.entries(value)) {
    const found = overlongList(one, [...path, name]);
    if (found) return found;
  }
  return null;
}

async function runOperation(
  deps: Deps,
  document: DocumentNode,
  operation: Operation,
  { variables, origin }: { variables: Record<string, unknown>; origin: string },
): Promise<GraphqlReply> {
  const requested = requestedPoints(operation);
  const result = await execute({
    schema: deps.schema,
    document,
    rootValue: deps.roots,
    contextValue: { shop: deps.shop, origin } satisfies Context,
    variableValues: variables,
    fieldResolver: readField,
    typeResolver: (value) => (value as { __typename?: string }).__typename,
  });
  // Answer only when the changes are on disk.
  if (operation.definition.operation === 'mutation') await deps.catalogue.flushed();
  const actual =
    operation.definition.operation === 'query' ? actualPoints(operation, result.data) : requested;
  deps.bucket.charge(actual);
  const extensions = { cost: costOf(deps.bucket, requested, actual) };
  if (!result.errors) return { data: result.data, extensions };
  return { errors: result.errors.map(executionError), data: result.data ?? null, extensions };
}

function executionError(error: GraphQLError): StoreError {
  const { message, locations, path, extensions, originalError } = error;
  if (!originalError || originalError instanceof GraphQLError) {
    return { message, locations: locations ?? [], path: path ?? [], extensions };
  }
  return { message, path: path ?? [], extensions: { code: 'INTERNAL_SERVER_ERROR' } };
}

function costOf(bucket: Bucket, requestedQueryCost: number, actualQueryCost: number | null): Cost {
  return { requestedQueryCost, actualQueryCost, throttleStatus: bucket.status() };
}
