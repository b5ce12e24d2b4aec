import { type QueryExecutorProvider, sql } from 'kysely';

/** Returns a template tag that runs its statement and returns the rows. */
export const queryRows =
  <Row>(db: QueryExecutorProvider) =>
  async (...statement: Parameters<typeof sql>): Promise<Row[]> =>
    (await sql<Row>(...statement).execute(db)).rows;

/** Like queryRows, for a statement that always returns a row: returns the first one. */
export const queryRow =
  <Row>(db: QueryExecutorProvider) =>
  async (...statement: Parameters<typeof sql>): Promise<Row> => {
    const [row] = await queryRows<Row>(db)(...statement);
    if (!row) throw new Error('Postgres returned no row');
    return row;
  };

/** Like queryRows: returns the first row, if there is one. */
export const findRow =
  <Row>(db: QueryExecutorProvider) =>
  async (...statement: Parameters<typeof sql>): Promise<Row | undefined> =>
    (await queryRows<Row>(db)(...statement))[0];

/** Like queryRows: returns whether there are rows. */
export const hasRows =
  (db: QueryExecutorProvider) =>
  async (...statement: Parameters<typeof sql>): Promise<boolean> =>
    (await queryRows(db)(...statement)).length > 0;

/** Like queryRow, for a statement with one column. */
export const queryValue =
  <Value>(db: QueryExecutorProvider) =>
  async (...statement: Parameters<typeof sql>): Promise<Value> =>
    Object.values(await queryRow<Record<string, Value>>(db)(...statement))[0] as Value;

/** Like findRow, for a statement with one column: null if there is no row. */
export const findValue =
  <Value>(db: QueryExecutorProvider) =>
  async (...statement: Parameters<typeof sql>): Promise<Value | null> =>
    (await queryValues<Value>(db)(...statement))[0] ?? null;

/** Like queryRows, for a statement with one column. */
export const queryValues =
  <Value>(db: QueryExecutorProvider) =>
  async (...statement: Parameters<typeof sql>): Promise<Value[]> =>
    (await queryRows<Record<string, Value>>(db)(...statement)).flatMap((row) => Object.values(row));

/** Runs a statement that returns no rows. Returns how many rows it has changed. */
export const changeRows =
  (db: QueryExecutorProvider) =>
  async (...statement: Parameters<typeof sql>): Promise<number> =>
    Number((await sql(...statement).execute(db)).numAffectedRows ?? 0n);
