import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

export type Operation = {
  schema: GraphQLSchema;
  definition: OperationDefinitionNode;
  fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  variables: Readonly<Record<string, unknown>>;
};

/** Base cost of a mutation, without the fields it returns. */
const mutationPoints = 10;

/** Types whose fields are always free. */
const freeTypes: readonly string[] = ['MoneyV2', 'MoneyBag', 'PageInfo'];

/** The points of a list: 2 + ⌊2 ln(length + 1)⌋ × the cost of its most expensive node. */
function listPoints(count: number, nodePoints: number): number {
  return 2 + Math.floor(2 * Math.log(count + 1)) * nodePoints;
}

/** The requested cost, before an operation runs: lists count with their maximum length. */
export function requestedPoints(operation: Operation): number {
  return rootPoints(operation, undefined);
}

/** The actual cost, after it has run: lists count with their actual length, null is free. */
export function actualPoints(operation: Operation, data: unknown): number {
  return rootPoints(operation, data ?? null);
}

/** `result` undefined: the operation has not run yet. */
function rootPoints(operation: Operation, result: unknown): number {
  const { definition, schema } = operation;
  const root = schema.getRootType(definition.operation);
  if (!root) return 0;
  let points = 0;
  for (const field of fieldsOf(operation, definition.selectionSet, root)) {
    if (definition.operation === 'query') {
      points += fieldPoints(operation, field.node, field.parent, childOf(result, field.node));
      continue;
    }
    points += mutationPoints;
    if (field.node.name.value === 'productSet') points += productSetPoints(operation, field.node);
    points += payloadPoints(operation, field.node, field.parent, childOf(result, field.node));
  }
  return Math.round(points);
}

/** Objects on the first level of a mutation payload are free; their fields are not. */
function payloadPoints(
  operation: Operation,
  node: FieldNode,
  parent: GraphQLCompositeType,
  result: unknown,
): number {
  const payload = typeOf(parent, node);
  if (!payload || !node.selectionSet) return 0;
  let points = 0;
  for (const field of fieldsOf(operation, node.selectionSet, payload)) {
    const type = typeOf(field.parent, field.node);
    if (!type || !field.node.selectionSet) continue;
    points += selectionPoints(operation, field.node.selectionSet, type, childOf(result, field.node));
  }
  return points;
}

function fieldPoints(
  operation: Operation,
  node: FieldNode,
  parent: GraphQLCompositeType,
  result: unknown,
): number {
  const type = typeOf(parent, node);
  if (!type || !node.selectionSet || result === null || freeTypes.includes(type.name)) return 0;
  if (type.name === 'Count') return 10;
  if (type.name.endsWith('Connection')) return connectionPoints(operation, node, type, result);
  if (Array.isArray(result)) {
    const each = result.map((one) => (one === null ? 0 : objectPoints(operation, node, type, one)));
    return Math.max(0, ...each);
  }
  return objectPoints(operation, node, type, result);
}

function objectPoints(
  operation: Operation,
  node: FieldNode,
  type: GraphQLCompositeType,
  result: unknown,
): number {
  return 1 + (node.selectionSet ? selectionPoints(operation, node.selectionSet, type, result) : 0);
}

function connectionPoints(
  operation: Operation,
  node: FieldNode,
  type: GraphQLCompositeType,
  result: unknown,
): number {
  if (!node.selectionSet) return 0;
  const asked = Number(argumentOf(operation, node, 'first') ?? argumentOf(operation, node, 'last') ?? 10);
  let count = result === undefined ? asked : 0;
  let nodePoints = 1;
  for (const field of fieldsOf(operation, node.selectionSet, type)) {
    const name = field.node.name.value;
    if (name !== 'nodes' && name !== 'edges') continue;
    const list = childOf(result, field.node);
    if (Array.isArray(list)) count = list.length;
    const inner = fieldPoints(operation, field.node, field.parent, list);
    nodePoints = Math.max(nodePoints, name === 'edges' ? inner - 1 : inner);
  }
  return listPoints(count, nodePoints);
}

function selectionPoints(
  operation: Operation,
  selectionSet: SelectionSetNode,
  type: GraphQLCompositeType,
  result: unknown,
): number {
  let common = 0;
  const byType = new Map<string, number>();
  for (const field of fieldsOf(operation, selectionSet, type)) {
    const points = fieldPoints(operation, field.node, field.parent, childOf(result, field.node));
    if (field.parent === type) common += points;
    else byType.set(field.parent.name, (byType.get(field.parent.name) ?? 0) + points);
  }
  return common + Math.max(0, ...byType.values());
}

type SelectedField = { node: FieldNode; parent: GraphQLCompositeType };

/** The fields of a selection with fragments expanded, each with the type it is selected on. */
function fieldsOf(
  operation: Operation,
  selectionSet: SelectionSetNode,
  type: GraphQLCompositeType,
): SelectedField[] {
  return selectionSet.selections.flatMap((selection): SelectedField[] => {
    if (selection.kind === Kind.FIELD) return [{ node: selection, parent: type }];
    const fragment =
      selection.kind === Kind.FRAGMENT_SPREAD ? operation.fragments.get(selection.name.value) : selection;
    if (!fragment) return [];
    const on = fragment.typeCondition && operation.schema.getType(fragment.typeCondition.name.value);
    return fieldsOf(operation, fragment.selectionSet, on && isCompositeType(on) ? on : type);
  });
}

function typeOf(parent: GraphQLCompositeType, node: FieldNode): GraphQLCompositeType | null {
  if (!('getFields' in parent)) return null;
  const field = parent.getFields()[node.name.value];
  const type = field && getNamedType(field.type);
  return type && isCompositeType(type) ? type : null;
}

function childOf(result: unknown, node: FieldNode): unknown {
  if (result === undefined || result === null) return result;
  return (result as Record<string, unknown>)[node.alias?.value ?? node.name.value];
}

function argumentOf(operation: Operation, node: FieldNode, name: string): unknown {
  const value = node.arguments?.find((argument) => argument.name.value === name)?.value;
  if (!value) return undefined;
  if (value.kind === Kind.VARIABLE) return operation.variables[value.name.value];
  return 'value' in value ? value.value : undefined;
}

type CountedInput = {
  variants?: { file?: unknown; metafields?: unknown[] }[];
  metafields?: unknown[];
  files?: unknown[];
};

/** The cost of a productSet's writes, as in Shopify's changelog. */
function productSetPoints(operation: Operation, node: FieldNode): number {
  const input = (argumentOf(operation, node, 'input') ?? {}) as CountedInput;
  const variants = input.variants ?? [];
  const variantFiles = variants.filter((variant) => variant.file).length;
  const variantMetafields = variants.reduce((sum, variant) => sum + (variant.metafields?.length ?? 0), 0);
  const tenths =
    2 * variants.length +
    6 * variantFiles +
    4 * (variantMetafields + (input.metafields?.length ?? 0)) +
    19 * (input.files?.length ?? 0);
  return tenths / 10;
}
