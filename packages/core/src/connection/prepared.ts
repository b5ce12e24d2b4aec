import { sql } from 'kysely';

const mark = '/* prepared */ ';

/**
 * SQL: prefix that marks a frequent statement as prepared. Each connection then plans the statement only a few times,
 * and planning takes ten times as long as execution. Do not use the prefix if the best plan depends on a parameter.
 */
export const prepared = sql.raw(mark);

/** SQL value: a list of constant names as literals. A prepared statement without parameters is planned only once. */
export const toLiteralArray = (list: readonly string[]) =>
  sql<string[]>`array[${sql.join(list.map((name) => sql.lit(name)))}]::text[]`;

const names = new Map<string, string>();

/** Returns the name of a prepared statement. The process keeps all names, so the number of texts must be small. */
export function getStatementName(text: string): string {
  const name = names.get(text) ?? `prepared_${names.size}`;
  names.set(text, name);
  return name;
}

/** Converts a statement with the `prepared` prefix to pg's named statement. Returns other statements unchanged. */
export const toNamedStatement = (statement: unknown): unknown =>
  typeof statement === 'string' && statement.startsWith(mark)
    ? { name: getStatementName(statement), text: statement }
    : statement;
