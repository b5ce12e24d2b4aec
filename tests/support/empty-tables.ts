import { type Fixture, until } from './fixture.ts';

/** Empties tables, given with commas between them, and those that refer to them, while processes may use them. */
export const emptyTables = (database: Fixture['database'], tables: string): Promise<void> =>
  runThroughDeadlocks(database, `truncate ${tables} cascade`);

/** Runs statements; again if they were ended because processes use the same tables in another order. */
export const runThroughDeadlocks = ({ pool }: Fixture['database'], statements: string): Promise<void> =>
  until('the statements have run', () =>
    pool.query(statements).then(
      () => true,
      (error: { code?: string }) => {
        if (error.code === deadlockDetected) return false;
        throw error;
      },
    ),
  );

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const deadlockDetected = '40P01';
