import { setTimeout as pause } from 'node:timers/promises';
import { describeConnectError } from '../connection/connect-problem.ts';
import { type Db, isDatabaseUnavailable, type OpenDatabase } from '../connection/database.ts';
import type { ProcessesTable } from '../connection/schema.ts';
import { appliedMigrations, schemaProblem } from '../migrations/schema-gate.ts';
import { reportThisProcess } from './report-process.ts';

const lookEveryMs = 1_000;

/**
 * Resolves once this version can work on the schema. Until then, reports the process without slots and with the cause
 * of its wait; `onWait` gets each new cause. Also waits while the database is unavailable or refuses this process,
 * because a migration may be about to create the process's role. Throws other errors of the database.
 */
export async function waitForSchema(
  { db }: Pick<OpenDatabase, 'db'>,
  self: { kind: ProcessesTable['kind']; version: string },
  onWait: (sentence: string) => void,
): Promise<void> {
  let shown: string | undefined;
  let reported: Awaited<ReturnType<typeof reportThisProcess>> | undefined;
  for (;;) {
    const problem = await problemNow(db);
    if (problem !== shown) await reported?.stop();
    if (problem === undefined) return;
    if (problem !== shown) {
      shown = problem;
      onWait(problem);
      reported = await reportThisProcess(db, {
        ...self,
        slots: 0,
        waiting_for: problem,
        // Before the first migration, only the log can report a problem.
        onProblem: () => {},
      });
    }
    await pause(lookEveryMs);
  }
}

async function problemNow(db: Db): Promise<string | undefined> {
  try {
    return schemaProblem(await appliedMigrations(db))?.sentence;
  } catch (error) {
    const cause = describeConnectError(error);
    if (cause !== undefined) return `Waits for the database. ${cause}`;
    if (!isDatabaseUnavailable(error)) throw error;
    return 'Waits for the database.';
  }
}
