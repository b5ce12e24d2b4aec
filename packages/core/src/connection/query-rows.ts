import { type QueryExecutorProvider, sql } from 'kysely';

/** Returns a template tag that runs a statement and returns its rows. */
export const queryRows =
  <Row>(db: QueryExecutorProvider) =>
  async (...statement: Parameters<typeof sql>): Promise<Row[]> =>
    (await sql<Row>(...statement).execute(db)).rows;

/** Like queryRows, but returns the first row. Use it only for statements that always return a row. */
export const queryRow =
  <Row>(db: QueryExecutorProvider) =>
  async (...statement: Parameters<typeof sql>): Promise<Row> => {
    const [row] = await queryRows<Row>(db)(...statement);
    if (!row) throw new Error('Postgres returned no row');
    return row;
  };

/** Like queryRows, but returns the first row, or undefined if there is none. */
export const findRow =
  <Row>(db: QueryExecutorProvider) =>
  async (...statement: Parameters<typeof sql>): Promise<Row | undefined> =>
    (await queryRows<Row>(db)(...statement))[0];

/** Like queryRows, but returns whether there are rows. */
export const hasRows =
  (db: QueryExecutorProvider) =>
  async (...statement: Parameters<typeof sql>): Promise<boolean> =>
    (await queryRows(db)(...statement)).length > 0;

/** Like queryRow, but returns the value of the only column. */
export const queryValue =
  <Value>(db: QueryExecutorProvider) =>
  async (...statement: Parameters<typeof sql>): Promise<Value> =>
    Object.values(await queryRow<Record<string, Value>>(db)(...statement))[0] as Value;

/** Like findRow, but returns the value of the only column. Null if there is no row. */
export const findValue =
  <Value>(db: QueryExecutorProvider) =>
  async (...statement: Parameters<typeof sql>): Promise<Value | null> =>
    (await queryValues<Value>(db)(...statement))[0] ?? null;

/** Like queryRows, but returns the values of the only column. */
export const queryValues =
  <Value>(db: QueryExecutorProvider) =>
  async (...statement: Parameters<typeof sql>): Promise<Value[]> =>
    (await queryRows<Record<string, Value>>(db)(...statement)).flatMap((row) => Object.values(row));

/** Returns a template tag that runs a statement and returns the number of changed rows. */
export const changeRows =
  (db: QueryExecutorProvider) =>
  async (...statement: Parameters<typeof sql>): Promise<number> =>
    Number((await sql(...statement).execute(db)).numAffectedRows ?? 0n);
