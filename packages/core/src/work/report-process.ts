import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Tallies } from '@draftshelf/domain/operate/tallies';
import type { Db } from '../connection/database.ts';
import { appliedMigrations, schemaProblem } from '../migrations/schema-gate.ts';
import { addHealthCounts } from './health-counts.ts';
import { type ReportedProcess, recordHeartbeat, removeProcess } from './processes.ts';

const heartbeatEveryMs = 5_000;

/**
 * Reports this process in the table `processes`, now and every 5 s until `stop`, with its counts. `onProblem` gets
 * errors of an unavailable database, after which the next heartbeat repeats the report. Resolves after the first
 * report.
 */
export async function reportThisProcess(
  db: Db,
  {
    id = randomUUID(),
    onProblem,
    onOtherSchema,
    tallies,
    ...does
  }: Pick<ReportedProcess, 'kind' | 'version' | 'slots' | 'waiting_for'> & {
    id?: string;
    onProblem: (error: unknown, sentence: string) => void;
    /** Called when another version has migrated the database, because this process must then end. */
    onOtherSchema?: (sentence: string) => void;
    tallies?: Tallies;
  },
): Promise<{ id: string; stop(): Promise<void> }> {
  const self = { id, host: hostname(), pid: process.pid, ...does };
  let beating: Promise<void> | undefined;
  let skewMs = 0;
  let isOther = false;
  const report = async () => {
    const before = Date.now();
    const seenAt = (await recordHeartbeat(db, { ...self, clock_skew_ms: skewMs })).getTime();
    skewMs = Math.round(Math.max(0, before - seenAt, seenAt - Date.now()));
    const other = onOtherSchema && !isOther ? schemaProblem(await appliedMigrations(db)) : undefined;
    if (other) {
      isOther = true;
      onOtherSchema?.(other.sentence);
    }
    const counts = tallies?.take() ?? {};
    try {
      await addHealthCounts(db, counts);
    } catch (error) {
      tallies?.giveBack(counts);
      throw error;
    }
  };
  const beat = () => {
    beating ??= report()
      .catch((error) => onProblem(error, 'A heartbeat failed; the next one reports again'))
      .finally(() => {
        beating = undefined;
      });
    return beating;
  };
  await beat();
  const timer = setInterval(beat, heartbeatEveryMs);
  return {
    id: self.id,
    async stop() {
      clearInterval(timer);
      await beating;
      await removeProcess(db, self.id).catch((error) =>
        onProblem(error, 'This process stays in the table until a sweep removes it'),
      );
    },
  };
}
