import { parseAst } from 'vitest/node';

type Node = { type: string; [key: string]: unknown };

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** Separates the names of groups from each other and from the name of their test. */
export const nameSeparator = ' › ';

/**
 * The names of a file's tests, each behind the names of its groups. Names of parametrized tests are templates, as
 * `shows %s as %s`. `name`: of the file, which says whether it has JSX. Tests that are never run are left out.
 */
export function testNamesIn(source: string, name: string): string[] {
  const names: string[] = [];
  const visit = (node: unknown, groups: readonly string[]): void => {
    if (Array.isArray(node)) for (const one of node) visit(one, groups);
    if (!isNode(node)) return;
    const named = node.type === 'CallExpression' ? namedCall(node) : null;
    if (named?.kind === 'skipped') return;
    if (named?.kind === 'test') names.push([...groups, named.name].join(nameSeparator));
    const inside = named?.kind === 'group' ? [...groups, named.name] : groups;
    for (const value of Object.values(node)) visit(value, inside);
  };
  visit(parseAst(source, { lang: name.endsWith('x') ? 'tsx' : 'ts' }).body, []);
  return names;
}

type NamedCall = { kind: 'test' | 'group' | 'skipped'; name: string };

/** A call that defines a test or a group: `test('name', …)`, `it.each(cases)('name', …)`. */
function namedCall({ callee, arguments: given }: Node): NamedCall | null {
  const [first, ...others] = given as Node[];
  const words = calleeWords(callee);
  const [root] = words;
  if (first === undefined || others.length === 0 || words.includes('extend')) return null;
  if (root !== 'test' && root !== 'it' && root !== 'describe') return null;
  const name = textOf(first);
  if (name === null) return null;
  if (words.includes('skip') || words.includes('todo')) return { kind: 'skipped', name };
  return { kind: root === 'describe' ? 'group' : 'test', name };
}

/** The identifier and properties of what is called: `it.each(cases)` has it and each. */
function calleeWords(callee: unknown): string[] {
  if (!isNode(callee)) return [];
  if (callee.type === 'Identifier') return [callee.name as string];
  if (callee.type === 'CallExpression') return calleeWords(callee.callee);
  if (callee.type === 'TaggedTemplateExpression') return calleeWords(callee.tag);
  if (callee.type !== 'MemberExpression') return [];
  return [...calleeWords(callee.object), ...calleeWords(callee.property)];
}

/** A text of the source, with a placeholder for each of its variable parts; null if it is none. */
function textOf(node: Node): string | null {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null;
  if (node.type !== 'TemplateLiteral') return null;
  return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('%s');
}

const placeholder = /%(?:\.\d+)?[sdifjoOc#$]|\$[\w.]+/g;

/** Whether a test may have this name: the template itself, or the template with any values. */
export function isNameOf(template: string, name: string): boolean {
  if (template === name) return true;
  const parts = template.split(placeholder).map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(name);
}
