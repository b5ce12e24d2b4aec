import { hash } from 'node:crypto';
import type { Job } from '@draftshelf/contract/imports/imports';
import { nextBeforeHeader, totalCountHeader } from '@draftshelf/contract/wire';
import type { Db } from '@draftshelf/core/connection/database';
import {
  countImports,
  type QueueEntry,
  type QueuePage,
  readNewestImports,
  readOlderImports,
} from '@draftshelf/core/imports/queue-page';
import type { FastifyBaseLogger, FastifyReply } from 'fastify';
import { memoizeByKey } from '../http/memoize-for.ts';
import { createBodyVersioner, sharedReadOptions } from '../http/shared-reply.ts';
import { addPace, type PaceReader, type Paces } from './paces.ts';
import { type CachedJob, readJobs } from './read-jobs.ts';

type QueueReply = { jobs: Job[]; total: number; nextBefore: string | null };

/** Creates the queue list, shared by all polls (docs/why/web.md). It reads only changed imports, often 1 of 700. */
export function createQueueList(db: Db, paces: PaceReader, log: FastifyBaseLogger) {
  let jobs = new Map<string, CachedJob>();
  const versions = createBodyVersioner<QueueReply>(
    (before, after) =>
      before.total === after.total &&
      before.nextBefore === after.nextBefore &&
      isSameExceptProgress(before.jobs, after.jobs),
  );

  const readNewestJobs = async (page: PacedPage) => {
    // Captured here, because another reading may replace `jobs` while this reading waits.
    const before = jobs;
    const changed = page.entries.filter(({ id, version }) => before.get(id)?.version !== version);
    const read = await readJobs(db, changed, log);
    const known = page.entries.flatMap(({ id }) => {
      const job = read.get(id) ?? before.get(id);
      return job ? [[id, job] as const] : [];
    });
    jobs = new Map(known);
    return replyOf(page, jobs);
  };
  const newest = memoizeByKey(async () => {
    const page = await withVersion(db, readNewestImports(db), paces);
    const last = versions.last();
    return last?.version === page.version ? last : versions.next(page.version, await readNewestJobs(page));
  }, sharedReadOptions);
  return {
    async version(before: string | undefined): Promise<string> {
      const page =
        before === undefined ? newest.get('newest') : withVersion(db, readOlderImports(db, before), paces);
      return (await page).version;
    },
    /** Reads a page that is at least as new as the version `before`, which the client already has. */
    async read(before: string | undefined): Promise<QueueReply> {
      if (before === undefined) return (await newest.get('newest')).body;
      const page = await withVersion(db, readOlderImports(db, before), paces);
      return replyOf(page, await readJobs(db, page.entries, log));
    },
    forget() {
      newest.forget();
      versions.forget();
      paces.forget();
    },
  };
}

export function replyWithList(reply: FastifyReply, { jobs, total, nextBefore }: QueueReply): Job[] {
  reply.header(totalCountHeader, total);
  if (nextBefore !== null) reply.header(nextBeforeHeader, nextBefore);
  return jobs;
}

type PacedPage = QueuePage & Pick<Paces, 'byId'> & { total: number };

/** Adds a version of the page. It covers total and `nextBefore`: deleting an import on another page changes both. */
async function withVersion(
  db: Db,
  reading: Promise<QueuePage>,
  paces: PaceReader,
): Promise<PacedPage & { version: string }> {
  const [page, { byId, version }, total] = await Promise.all([reading, paces.read(), countImports(db)]);
  const ofList = `${total}.${page.nextBefore ?? ''}`;
  return { ...page, byId, total, version: `${queueVersionOf(page.entries)}.${ofList}.${version}` };
}

export function queueVersionOf(entries: readonly QueueEntry[]): string {
  return hash('sha256', entries.map(({ id, version }) => `${id} ${version}`).join(), 'base64url');
}

function replyOf(page: PacedPage, known: ReadonlyMap<string, CachedJob>): QueueReply {
  const jobs = page.entries.flatMap(({ id }) => known.get(id)?.job ?? []);
  const { total, nextBefore } = page;
  return { jobs: jobs.map((job) => addPace(job, page)), total, nextBefore };
}

type ListedJob = Pick<
  Job,
  'status' | 'progress' | 'processedProducts' | 'validProducts' | 'outcomes' | 'pace'
>;

/** Returns whether lists differ in progress only: not in status, errors, warnings, skips, failures or stalls. */
export function isSameExceptProgress(before: readonly ListedJob[], after: readonly ListedJob[]): boolean {
  if (before.length !== after.length) return false;
  return before.every((job, at) => job === after[at] || textOf(job) === textOf(after[at] as ListedJob));
}

const runningStatuses = ['processing', 'uploading'];

function textOf(job: ListedJob): string {
  if (!runningStatuses.includes(job.status)) return JSON.stringify(job);
  const { skipped, failed } = job.outcomes;
  const pace = job.pace && { ...job.pace, done: 0, perSecond: null, readyAt: null, sharedWith: 0 };
  const progress = { progress: 0, progressPercentage: 0, processedProducts: 0, validProducts: 0 };
  return JSON.stringify({
    ...{ ...job, ...progress, createdProducts: 0, outcomes: { skipped, failed }, pace },
  });
}
