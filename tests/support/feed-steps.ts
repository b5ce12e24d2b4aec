import { deriveAllSealingKeys } from '@draftshelf/core/access/sealing';
import type { FeedRecord } from '@draftshelf/core/connection/schema';
import * as feeds from '@draftshelf/core/suppliers/feeds';
import { readLimitsDefault } from '@draftshelf/csv/limits';
import { type ListSignIn, readListAddress } from '@draftshelf/domain/suppliers/list-address';
import { defaultPace } from '@draftshelf/folders/address/opened-list';
import {
  createGuardedConnect,
  createGuardedDownload,
  type GuardOptions,
} from '@draftshelf/runtime/guarded-fetch';
import { createLogger, type Logger } from '@draftshelf/runtime/logger';
import { createFeedTasks } from '../../apps/folder-worker/src/fetch-lists.ts';
import type { Fixture } from './fixture.ts';
import { liveProcess, quietRunner } from './tasks.ts';

export const testKeys = deriveAllSealingKeys({ CREDENTIALS_KEY: '7'.repeat(64) });

type Options = {
  allowedOrigins: readonly string[];
  sheetsAt?: string;
  guard?: Partial<GuardOptions>;
  pace?: Partial<typeof defaultPace>;
  places?: typeof feeds.fetchLimits;
  logger?: Logger;
  currency?: string;
};

/** What the folder worker does with addresses, one step at a time. */
export function feedSteps({ database, storage }: Pick<Fixture, 'database' | 'storage'>, options: Options) {
  const { db } = database;
  const { allowedOrigins, sheetsAt, guard, pace, places, logger, currency = 'EUR' } = options;
  if (testKeys === null) throw new Error('No key');
  const keys = testKeys;
  const limits = { ...readLimitsDefault, csvBytesMax: 1_000_000, archiveBytesMax: 2_000_000 };
  const tasks = createFeedTasks({
    ...{ database, storage, limits, keys, places },
    logger: logger ?? createLogger({ name: 'folder-worker', level: 'silent', pretty: false }),
    currency: async () => currency,
    open: {
      sheetsAt,
      pace: { ...defaultPace, ...pace },
      download: createGuardedDownload({ allowedOrigins, isHttpsOnly: true, hosts: [], ...guard }),
      connect: createGuardedConnect({ allowedOrigins, ...guard }),
    },
  });
  const run = async (kind: keyof typeof tasks) => {
    const processId = await liveProcess(db);
    await quietRunner({ handlers: { [kind]: tasks[kind] }, database, processId }).runDue();
  };
  const find = async (id: string): Promise<FeedRecord> => {
    const feed = await feeds.findFeed(db, id);
    if (!feed) throw new Error('The address is gone');
    return feed;
  };
  const test = async (
    address: string,
    {
      supplier = null,
      signIn = { kind: 'none' },
      hostKey = null,
    }: {
      supplier?: number | null;
      signIn?: ListSignIn;
      hostKey?: string | null;
    } = {},
  ): Promise<FeedRecord> => {
    const read = readListAddress(address, sheetsAt);
    if (!read.ok) throw new Error(read.sentence);
    const id = await db.transaction().execute((trx) =>
      feeds.beginFeedTest(trx, keys, {
        ...{ address: read.address, secret: { address, signIn }, supplier, host_key: hostKey },
      }),
    );
    await run('fetch-list');
    return find(id);
  };
  return {
    tasks,
    find,
    test,
    /** Tests an address and makes a supplier of it. */
    async add(address: string, name: string, more: Parameters<typeof test>[1] = {}) {
      const tested = await test(address, more);
      if (tested.trouble !== null) throw new Error(tested.trouble);
      const timing = { schedule: { every: 'hour' as const }, zone: 'UTC' };
      const supplier = await db
        .transaction()
        .execute((trx) => feeds.activateFeed(trx, tested.id, name, timing));
      if (supplier === undefined) throw new Error('The test is gone');
      return { id: tested.id, supplier };
    },
    /** Asks for a fetch, and does it. */
    async fetch(supplier: number): Promise<void> {
      await db.transaction().execute((trx) => feeds.requestFetch(trx, supplier));
      await run('fetch-list');
    },
    /** Makes a feed due, and does what is due. */
    async fetchDue(id: string): Promise<void> {
      await database.pool.query(`update feeds set next_fetch_at = now() - interval '1 s' where id = $1`, [
        id,
      ]);
      await run('poll-feeds');
      await run('fetch-list');
    },
    run,
    /** The feeds whose fetch has begun and not ended. */
    fetching: async (): Promise<string[]> =>
      (
        await database.pool.query(
          `select subject from chunks where task = 'fetch-list' and state = 'published'`,
        )
      ).rows.map(({ subject }) => subject),
    fetches: (id: string) => feeds.listFetches(db, id),
    imports: () => db.selectFrom('import_records').selectAll().orderBy('created_at').orderBy('id').execute(),
  };
}
