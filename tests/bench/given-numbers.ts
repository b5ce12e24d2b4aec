import { parseArgs } from 'node:util';

/** Reads numbers of the command line, such as `--rows 1000`; `defaults` has those that are not given. */
export function givenNumbers<Name extends string>(defaults: Record<Name, number>): Record<Name, number> {
  const names = Object.keys(defaults) as Name[];
  const { values } = parseArgs({
    options: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
  });
  const numberOf = (name: Name) => Number(values[name] ?? defaults[name]);
  return Object.fromEntries(names.map((name) => [name, numberOf(name)])) as Record<Name, number>;
}
