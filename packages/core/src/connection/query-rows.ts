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
