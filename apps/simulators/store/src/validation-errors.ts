import {
  type ASTNode,
  type DocumentNode,
  type GraphQLError,
  Kind,
  print,
  type SourceLocation,
  visit,
} from 'graphql';

/** An error as in graphql-ruby, which Shopify uses: another text than in graphql-js, and a code. */
export type StoreError = {
  message: string;
  locations?: readonly SourceLocation[];
  path?: readonly (string | number)[];
  extensions?: Record<string, unknown>;
};

type Translation = { message: string; extensions: Record<string, unknown> };
type Rule = { pattern: RegExp; translate: (...parts: string[]) => Translation };

const rules: Rule[] = [
  {
    pattern: /^Cannot query field "(.+?)" on type "(.+?)"/,
    translate: (fieldName = '', typeName = '') => ({
      message: `Field '${fieldName}' doesn't exist on type '${typeName}'`,
      extensions: { code: 'undefinedField', typeName, fieldName },
    }),
  },
  {
    pattern: /^Unknown argument "(.+?)" on field "(?:.+\.)?(.+?)"/,
    translate: (argumentName = '', name = '') => ({
      message: `Field '${name}' doesn't accept argument '${argumentName}'`,
      extensions: { code: 'argumentNotAccepted', name, typeName: 'Field', argumentName },
    }),
  },
  {
    pattern:
      /^Argument "(?:(.+?)\.)?(.+?)\((.+?):\)" of type|^Field "(.+?)" argument "(.+?)" of type .* is required/,
    translate: (_parent, field = '', argument = '', name = field, given = argument) => ({
      message: `Field '${name}' is missing required arguments: ${given}`,
      extensions: { code: 'missingRequiredArguments', className: 'Field', name, arguments: given },
    }),
  },
  {
    pattern: /^Variable "\$(.+?)" is never used(?: in operation "(.+?)")?/,
    translate: (variableName = '', operation = 'anonymous query') => ({
      message: `Variable $${variableName} is declared by ${operation} but not used`,
      extensions: { code: 'variableNotUsed', variableName },
    }),
  },
  {
    pattern: /^Variable "\$(.+?)" is not defined(?: by operation "(.+?)")?/,
    translate: (variableName = '', operation = 'anonymous query') => ({
      message: `Variable $${variableName} is used by ${operation} but not declared`,
      extensions: { code: 'variableNotDefined', variableName },
    }),
  },
  {
    pattern: /^Unknown directive "@(.+?)"/,
    translate: (directiveName = '') => ({
      message: `Directive @${directiveName} is not defined`,
      extensions: { code: 'undefinedDirective', directiveName },
    }),
  },
  {
    pattern: /^Field "(.+?)" of type "(.+?)" must have a selection/,
    translate: (name = '', typeName = '') => ({
      message: `Field must have selections (field '${name}' returns ${typeName} but has no selections. Did you mean '${name} { ... }'?)`,
      extensions: { code: 'selectionMismatch', nodeName: `field '${name}'`, typeName },
    }),
  },
  {
    pattern: /^Field "(.+?)" must not have a selection since type "(.+?)"/,
    translate: (name = '', typeName = '') => ({
      message: `Selections can't be made on scalars (field '${name}' returns ${typeName} but has selections)`,
      extensions: { code: 'selectionMismatch', nodeName: `field '${name}'`, typeName },
    }),
  },
  {
    pattern: /^Field "(.+?)\.(.+?)" of required type "(.+?)" was not provided/,
    translate: (typeName = '', argument = '', type = '') => ({
      message: `Argument '${argument}' on InputObject '${typeName}' is required. Expected type ${type}`,
      extensions: {
        code: 'missingRequiredInputObjectAttribute',
        argumentName: argument,
        argumentType: type,
        inputObjectType: typeName,
      },
    }),
  },
  {
    pattern: /^Field "(.+?)" is not defined by type "(.+?)"/,
    translate: (argumentName = '', name = '') => ({
      message: `InputObject '${name}' doesn't accept argument '${argumentName}'`,
      extensions: { code: 'argumentNotAccepted', name, typeName: 'InputObject', argumentName },
    }),
  },
];

/** Translates graphql-js' validation errors to graphql-ruby's; errors without a known counterpart keep their text. */
export function storeValidationErrors(document: DocumentNode, errors: readonly GraphQLError[]): StoreError[] {
  const paths = nodePaths(document);
  return errors.map((error) => ({
    ...translated(error.message),
    locations: error.locations ?? [],
    path: (error.nodes?.[0] && paths.get(error.nodes[0])) ?? [],
  }));
}

function translated(text: string): Translation {
  for (const { pattern, translate } of rules) {
    const parts = pattern.exec(text);
    if (parts) return translate(...parts.slice(1).map((part) => part as string));
  }
  return { message: text, extensions: { code: 'argumentLiteralsIncompatible' } };
}

/** The path of each node, as graphql-ruby reports it: ["mutation push", "productSet", "product"]. */
function nodePaths(document: DocumentNode): Map<ASTNode, string[]> {
  const paths = new Map<ASTNode, string[]>();
  const open: string[] = [];
  visit(document, {
    enter(node) {
      const name = pathName(node);
      if (name) open.push(name);
      paths.set(node, [...open]);
    },
    leave(node) {
      if (pathName(node)) open.pop();
    },
  });
  return paths;
}

function pathName(node: ASTNode): string | null {
  if (node.kind === Kind.OPERATION_DEFINITION) {
    return node.name ? `${node.operation} ${node.name.value}` : node.operation;
  }
  if (node.kind === Kind.FRAGMENT_DEFINITION) return `fragment ${node.name.value}`;
  if (node.kind === Kind.FIELD) return node.alias?.value ?? node.name.value;
  return node.kind === Kind.ARGUMENT ? node.name.value : null;
}

/** The store's error for text that is no GraphQL. */
export function storeSyntaxError(error: GraphQLError): StoreError {
  return {
    message: error.message.replace(/^Syntax Error: /, 'syntax error, '),
    locations: error.locations ?? [],
    extensions: { code: 'PARSE_ERROR' },
  };
}

/** The store's error for a variable of the wrong type. */
export function storeVariableError(
  error: GraphQLError,
  variables: Readonly<Record<string, unknown>>,
): StoreError {
  const [, name = ''] = /^Variable "\$(\w+)"/.exec(error.message) ?? [];
  const [, place = ''] = / at "(.+?)"/.exec(error.message) ?? [];
  const [, undefinedField, inputType] =
    /Field "(.+?)" is not defined by type "(.+?)"/.exec(error.message) ?? [];
  const path = place
    .replaceAll(/\[(\d+)\]/g, '.$1')
    .split('.')
    .slice(1);
  if (undefinedField) path.push(undefinedField);
  const explanation = undefinedField
    ? `Field is not defined on ${inputType}`
    : variableExplanation(error.message);
  const definition = error.nodes?.[0];
  const type = definition?.kind === Kind.VARIABLE_DEFINITION ? ` of type ${print(definition.type)}` : '';
  const where = path.length > 0 ? ` for ${path.join('.')} (${explanation})` : '';
  return {
    message: `Variable $${name}${type} was provided invalid value${where}`,
    locations: error.locations ?? [],
    extensions: {
      code: 'INVALID_VARIABLE',
      value: variables[name] ?? null,
      problems: [{ path, explanation }],
    },
  };
}

function variableExplanation(text: string): string {
  if (/was not provided|must not be null|to be null/.test(text)) return 'Expected value to not be null';
  return text.replace(/^.*?; /, '');
}
