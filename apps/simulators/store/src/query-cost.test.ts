import { type FragmentDefinitionNode, Kind, type OperationDefinitionNode, parse } from 'graphql';
import { expect, test } from 'vitest';
import { actualPoints, requestedPoints } from './query-cost.ts';
import { loadAdminSchema } from './schema.ts';

const schema = loadAdminSchema('2026-10');

function operation(query: string, variables: Record<string, unknown> = {}) {
  const { definitions } = parse(query);
  const definition = definitions.find(
    (one) => one.kind === Kind.OPERATION_DEFINITION,
  ) as OperationDefinitionNode;
  const fragments = new Map(
    definitions
      .filter((one): one is FragmentDefinitionNode => one.kind === Kind.FRAGMENT_DEFINITION)
      .map((one) => [one.name.value, one]),
  );
  return { schema, definition, fragments, variables };
}

const points = (query: string, variables?: Record<string, unknown>) =>
  requestedPoints(operation(query, variables));

// Recorded from real stores.
test.each([
  ['{ products(first: 250) { nodes { id } } }', 13],
  ['{ products(first: 250) { edges { cursor node { id } } pageInfo { endCursor } } }', 13],
  ['{ products(first: 250) { nodes { id variants(first: 250) { nodes { id } } options { id } } } }', 167],
  ['{ productsCount { count } }', 10],
  ['{ shop { name } }', 1],
  [
    '{ nodes(ids: ["a", "b", "c"]) { ... on Product { media(first: 10) { nodes { ... on MediaImage { id fileStatus } } } } } }',
    7,
  ],
  ['mutation { productSet(input: {title: "A"}) { product { id } userErrors { message } } }', 10],
  ['mutation { productSet(input: {title: "A"}) { product { id media(first: 10) { nodes { id } } } } }', 16],
  [
    'mutation { metafieldDefinitionCreate(definition: {name: "a", key: "b", ownerType: PRODUCT, type: "id"}) { createdDefinition { id } } }',
    10,
  ],
])('%s asks for %i', (query, expected) => {
  expect(points(query)).toBe(expected);
});

test('the cost of a productSet depends on what it writes, in a variable or inline', () => {
  const query = 'mutation m($input: ProductSetInput!) { productSet(input: $input) { product { id } } }';
  const input = { variants: [{}], files: [{}], metafields: [{}, {}, {}] };
  expect(points(query, { input })).toBe(13);
  expect(
    points(query, {
      input: { variants: Array(200).fill({}), files: Array(10).fill({}), metafields: Array(20).fill({}) },
    }),
  ).toBe(77);
});

test('the charge depends on what was returned', () => {
  const query = operation(
    '{ products(first: 250) { nodes { id variants(first: 250) { nodes { id } } options { id } } } }',
  );
  expect(actualPoints(query, { products: { nodes: [] } })).toBe(2);
  const one = { id: '1', variants: { nodes: [{ id: '2' }] }, options: [{ id: '3' }] };
  expect(actualPoints(query, { products: { nodes: [one] } })).toBe(7);
  expect(actualPoints(operation('{ product(id: "1") { id } }'), { product: null })).toBe(0);
});
