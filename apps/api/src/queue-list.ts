import { hash } from 'node:crypto';
import { type Job, nextBeforeHeader, totalCountHeader } from '@draftshelf/contract/imports';
import { readReadings } from '@draftshelf/database/chunks/runs';
import type { Db } from '@draftshelf/database/connection/database';
import {
  countImports,
  type QueueEntry,
  type QueuePage,
  readImports,
  readNewest,
  readOlder,
} from '@draftshelf/database/imports/queue-page';
import type { FastifyReply } from 'fastify';
import { memoizeFor } from './memoize-for.ts';
import { toJob } from './to-job.ts';

/** How old the list's version may be where a worker has changed something: screens poll every two seconds. */
const versionMsMax = 500;

/** The messages that a job has in the list: it is polled, and a job may have a hundred. */
const listedErrorsMax = 3;

/** So many imports are read at a time: each comes with the mapping of all its columns. */
const importsAtATime = 50;

type KnownJob = { version: number; job: Job };
type QueueReply = { jobs: Job[]; total: number; nextBefore: string | null };

export type QueueList = {
  /** The version of a page for an ETag; no promise where it is known, as in nearly every poll. */
  version(before: string | undefined): string | Promise<string>;
  /** A page of the list, not older than the version that was answered before. */
  read(before: string | undefined): Promise<QueueReply>;
  /** Looks anew at the next call. */
  forget(): void;
};

/**
 * The queue's list for all polls. They share a look at which imports it shows in which version; a job is made again only
 * when its import has another version, so that one import under way costs each poll one import and not 700.
 */
export function queueList(db: Db): QueueList {
  const newest = memoizeFor(() => withVersion(readNewest(db)), { msMax: versionMsMax, keysMax: 1 });
  let jobs = new Map<string, KnownJob>();
  let last: { version: string; reply: Promise<QueueReply> } | undefined;

  const readNewestJobs = async (page: QueuePage) => {
    const changed = page.entries.filter(({ id, version }) => jobs.get(id)?.version !== version);
    const [read, total] = [await readJobs(db, changed), await countImports(db)];
    const known = page.entries.flatMap(({ id }) => {
      const job = read.get(id) ?? jobs.get(id);
      return job ? [[id, job] as const] : [];
    });
    jobs = new Map(known);
    return { jobs: known.map(([, { job }]) => job), total, nextBefore: page.nextBefore };
  };
  return {
    version(before) {
      const page = before === undefined ? newest.get('newest') : withVersion(readOlder(db, before));
      return page instanceof Promise ? page.then(({ version }) => version) : page.version;
    },
    async read(before) {
      if (before !== undefined) return readOlderJobs(db, before);
      const page = await newest.get('newest');
      if (last?.version !== page.version) {
        const reply = readNewestJobs(page);
        last = { version: page.version, reply };
        reply.catch(() => {
          if (last?.reply === reply) last = undefined;
        });
      }
      return last.reply;
    },
    forget: newest.forget,
  };
}

/** The reply's body; what it says beside stands in headers. */
export function answerList(reply: FastifyReply, { jobs, total, nextBefore }: QueueReply): Job[] {
  reply.header(totalCountHeader, total);
  if (nextBefore !== null) reply.header(nextBeforeHeader, nextBefore);
  return jobs;
}

async function withVersion(reading: Promise<QueuePage>): Promise<QueuePage & { version: string }> {
  const page = await reading;
  const text = page.entries.map(({ id, version }) => `${id} ${version}`).join();
  return { ...page, version: hash('sha256', text, 'base64url') };
}

async function readOlderJobs(db: Db, before: string): Promise<QueueReply> {
  const { entries, nextBefore } = await readOlder(db, before);
  const read = await readJobs(db, entries);
  const jobs = entries.flatMap(({ id }) => read.get(id)?.job ?? []);
  return { jobs, total: await countImports(db), nextBefore };
}

async function readJobs(db: Db, entries: readonly QueueEntry[]): Promise<Map<string, KnownJob>> {
  const jobs = new Map<string, KnownJob>();
  for (let from = 0; from < entries.length; from += importsAtATime) {
    const ids = entries.slice(from, from + importsAtATime).map(({ id }) => id);
    const records = await readImports(db, ids);
    const readings = await readReadings(db, ids);
    for (const record of records) {
      const light = { ...record, error_log: record.error_log.slice(0, listedErrorsMax) };
      jobs.set(record.id, { version: record.version, job: toJob(light, readings.get(record.id)) });
    }
  }
  return jobs;
}
