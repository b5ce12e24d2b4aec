import { statfs } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Condition, EndedCondition } from '@draftshelf/contract/operate/conditions';
import { describeRefusal, isDatabaseRefusal, type OpenDatabase } from '@draftshelf/core/connection/database';
import { countMissingMigrations } from '@draftshelf/core/migrations/schema-gate';
import * as stored from '@draftshelf/core/operate/conditions/condition-states';
import { readHealthFacts } from '@draftshelf/core/operate/conditions/health-facts';
import { ChunkFenced } from '@draftshelf/core/work/claim-chunk';
import {
  type ConditionId,
  conditionCatalog,
  type FactWindows,
  factWindows,
} from '@draftshelf/domain/operate/conditions';
import { findSigns } from '@draftshelf/domain/operate/find-signs';
import type { Tallies } from '@draftshelf/domain/operate/tallies';
import { backgroundCatalog } from '@draftshelf/domain/work/task-catalog';
import type { TaskHandler, TaskRun } from '@draftshelf/queues/run-task';
import type { Logger } from '@draftshelf/runtime/logger';
import { plainFetch } from '@draftshelf/runtime/plain-fetch';

export type Alert = { id: ConditionId; isInEffect: boolean; detail: string | null; at: Date };

export type SendAlert = (alert: Alert) => Promise<void>;

const answerMsMax = 5_000;

/** Returns a function that posts alerts. Chat rooms show `text`. Throws if the URL accepts no alert within 5 s. */
export function createAlertSender(url: string, publicUrl: string): SendAlert {
  return async ({ id, isInEffect, detail, at }) => {
    const { sentence, todo } = conditionCatalog[id];
    const found = detail === null ? sentence : `${sentence} ${detail}`;
    const text = isInEffect ? `Draftshelf: ${found} ${todo}` : `Draftshelf: over: ${sentence}`;
    const response = await plainFetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        text,
        condition: id,
        state: isInEffect ? 'begun' : 'ended',
        at: at.toISOString(),
        url: `${publicUrl}/settings?tab=debug`,
      }),
      redirect: 'error',
      signal: AbortSignal.timeout(answerMsMax),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`The webhook answered ${response.status}`);
  };
}

export type ConditionWatch = {
  list(): Promise<Condition[]>;
  listEnded(): Promise<EndedCondition[]>;
  /** Stores which conditions begin or end, and calls the webhook. Throws only if another process claimed the task. */
  look(lock?: TaskRun['lock']): Promise<void>;
};

const lookEveryMs = backgroundCatalog['watch-conditions'].everyMs;

// Creates a task that never ends, so that one api keeps its claim and watches even while Postgres refuses connections.
export const createWatchConditionsTask = (watch: ConditionWatch): TaskHandler => ({
  async run({ signal, lock }) {
    await watch.look(lock);
    await pause(lookEveryMs, undefined, { signal }).catch(() => {});
    return 'more';
  },
});

type Deps = {
  database: OpenDatabase;
  changes: OpenDatabase;
  tallies: Tallies;
  logger: Logger;
  disk: () => Promise<stored.DiskSpace | null>;
  sendAlert: SendAlert | null;
  windows?: FactWindows;
  forMs?: (id: ConditionId) => number;
};

/** Kept in memory, because nothing can be stored while Postgres refuses connections. */
type Refusal = { since: Date; detail: string; isSent: boolean };

export function createConditionWatch(deps: Deps): ConditionWatch {
  const { database, changes, tallies, logger, sendAlert } = deps;
  let refusal: Refusal | null = null;

  const storeSigns = async (lock: TaskRun['lock'] | undefined) => {
    const disk = await deps.disk();
    await changes.db.transaction().execute(async (trx) => {
      await lock?.(trx);
      const facts = {
        ...(await readHealthFacts(trx, deps.windows ?? factWindows)),
        missingMigrations: await countMissingMigrations(trx),
        freeShare: disk && disk.freeBytes / disk.totalBytes,
        fullInMs: disk && (await stored.sampleDisk(trx, disk)),
      };
      const signs = findSigns(facts);
      // Do not wait for other processes, which store their refusals only with their next heartbeat.
      if (refusal) signs.set('database-refuses', { detail: refusal.detail });
      await stored.storeSymptoms(trx, signs, deps.forMs);
      // An alert about this condition was already sent while Postgres refused connections.
      if (refusal?.isSent) await stored.markChangeSent(trx, { id: 'database-refuses', isInEffect: true });
    });
  };

  const sendChanges = async () => {
    if (sendAlert === null) return;
    for (const change of await stored.listUnsentChanges(changes.db)) {
      await sendAlert(change);
      await stored.markChangeSent(changes.db, change);
    }
  };

  const noteRefusal = async (error: unknown) => {
    tallies.add('database-refusals');
    refusal ??= { since: new Date(), detail: describeRefusal(error) ?? 'It is unavailable.', isSent: false };
    if (refusal.isSent || sendAlert === null) return;
    const { since: at, detail } = refusal;
    await sendAlert({ id: 'database-refuses', isInEffect: true, detail, at });
    refusal.isSent = true;
  };

  return {
    async look(lock) {
      try {
        await storeSigns(lock);
        refusal = null;
        await sendChanges();
      } catch (error) {
        if (error instanceof ChunkFenced) throw error;
        logger.warn({ err: error }, 'Conditions could not be looked at');
        if (!isDatabaseRefusal(error)) return;
        await noteRefusal(error).catch((err) => logger.warn({ err }, 'The webhook could not be told'));
      }
    },
    async list() {
      const rows = await stored.listConditions(database.db);
      const known = rows.map(({ id, began_at, detail }) => conditionOf(id, began_at, detail));
      if (refusal === null || known.some(({ id }) => id === 'database-refuses')) return known;
      return [conditionOf('database-refuses', refusal.since, refusal.detail), ...known];
    },
    async listEnded() {
      const rows = await stored.listEndedConditions(database.db);
      return rows.map(({ id, ended_at, detail }) => {
        const { sentence } = conditionCatalog[id];
        return { id, sentence, detail, endedAt: ended_at.toISOString() };
      });
    },
  };
}

function conditionOf(id: ConditionId, since: Date, detail: string | null): Condition {
  const { sentence, todo } = conditionCatalog[id];
  return { id, sentence, todo, detail, since: since.toISOString() };
}

export async function readDiskSpace(directory: string | undefined): Promise<stored.DiskSpace | null> {
  if (directory === undefined) return null;
  const disk = await statfs(directory).catch(() => null);
  if (!disk || disk.blocks === 0) return null;
  return { freeBytes: disk.bavail * disk.bsize, totalBytes: disk.blocks * disk.bsize };
}
