import { sql } from 'kysely';

const mark = '/* prepared */ ';

/**
 * Begins a statement that processes repeat all day: each connection plans it a few times only, which takes ten times as
 * long as running it. Not for statements whose best plan depends on their parameters, such as the import.
 */
export const prepared = sql.raw(mark);

/** SQL value: a list of names in this code. A statement without parameters is planned when it is prepared. */
export const namesHere = (list: readonly string[]) =>
  sql<string[]>`array[${sql.join(list.map((name) => sql.lit(name)))}]::text[]`;

const names = new Map<string, string>();

/** The name under which connections of this process keep a statement; it must be one of few texts. */
export function preparedName(text: string): string {
  const name = names.get(text) ?? `prepared_${names.size}`;
  names.set(text, name);
  return name;
}

/** A statement as pg takes it: one with the mark gets its name. */
export const withName = (statement: unknown): unknown =>
  typeof statement === 'string' && statement.startsWith(mark)
    ? { name: preparedName(statement), text: statement }
    : statement;
