import { hash } from 'node:crypto';
import type { Job, Pace } from '@draftshelf/contract/imports/imports';
import type { Db } from '@draftshelf/core/connection/database';
import { type RunningWork, readRunningWork } from '@draftshelf/core/operate/stage-work';
import { computePace, type StageWork } from '@draftshelf/domain/work/pace';
import { memoizeByKey } from '../http/memoize-for.ts';
import { sharedReadOptions } from '../http/shared-reply.ts';

/** The paces of running imports by id. `version` is '' if there are none. */
export type Paces = { byId: ReadonlyMap<string, Pace>; version: string };

/** Creates a cached reader that reads all paces together, because imports in one stage share the stage's rate. */
export function createPaceReader(db: Db) {
  const memo = memoizeByKey(async () => toPaces(await readRunningWork(db)), sharedReadOptions);
  return { read: () => memo.get(''), forget: memo.forget };
}
export type PaceReader = ReturnType<typeof createPaceReader>;

function toPaces({ now, works, throughput, expectedPushRate }: RunningWork): Paces {
  const all = [...works];
  const byId = new Map(
    all.map(([id, work]) => {
      const isOther = ([otherId, { stage }]: [string, StageWork]) => otherId !== id && stage === work.stage;
      const others = all.filter(isOther).map(([, other]) => other);
      const { readyAtMs, stalledSinceMs, ...pace } = computePace(work, others, {
        nowMs: now.getTime(),
        throughput: throughput.get(work.stage) ?? [],
        expectedPerSecond: work.stage === 'push' ? expectedPushRate : null,
      });
      return [id, { ...pace, readyAt: timestamp(readyAtMs), stalledSince: timestamp(stalledSinceMs) }];
    }),
  );
  return { byId, version: byId.size === 0 ? '' : hash('sha256', JSON.stringify([...byId]), 'base64url') };
}

const timestamp = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/** Adds the pace only to a running job, because a cached reading may still have the pace of an ended stage. */
export function addPace<T extends Pick<Job, 'id' | 'status' | 'pace'>>(
  job: T,
  { byId }: Pick<Paces, 'byId'>,
): T {
  const pace = pacedStatuses.includes(job.status) ? byId.get(job.id) : undefined;
  return pace === undefined ? job : { ...job, pace };
}

const pacedStatuses = ['processing', 'uploading', 'paused'];

export function toPaceVersion(pace: Pace | undefined): string {
  return pace === undefined ? '' : hash('sha256', JSON.stringify(pace), 'base64url');
}
