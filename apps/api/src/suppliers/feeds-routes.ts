import * as contract from '@draftshelf/contract/suppliers/feeds';
import type { SealingKeys } from '@draftshelf/core/access/sealing';
import { type Db, readConsistently } from '@draftshelf/core/connection/database';
import * as feeds from '@draftshelf/core/suppliers/feeds';
import { findSupplier } from '@draftshelf/core/suppliers/suppliers';
import { isTaskOpen } from '@draftshelf/core/work/background-tasks';
import { type ListSecret, readListAddress, signInFault } from '@draftshelf/domain/suppliers/list-address';
import { type ListSchedule, nextFetchAt } from '@draftshelf/domain/suppliers/list-schedule';
import { timestamp } from '../folders/folder-list.ts';
import type { ApiDatabases } from '../http/databases.ts';
import { conflict, invalid, notFound, Refusal } from '../http/refusal.ts';
import type { SecurityLog } from '../http/security-log.ts';
import { type Api, serve } from '../http/serve.ts';

type Deps = Pick<ApiDatabases, 'database' | 'changes'> & {
  sealingKeys: SealingKeys | null;
  securityLog: SecurityLog;
};

/** So that tests are no scanner of networks. */
const testsMax = { count: 20, withinMs: 10 * 60_000 };

/** The api only seals what is entered: the folder worker asks the servers. */
export function serveFeeds(api: Api, { database: { db }, changes, sealingKeys, securityLog }: Deps): void {
  const change = <T>(work: (trx: Db) => Promise<T>) => changes.db.transaction().execute(work);
  serve(api, contract.testFeed, async ({ body, reply }) => {
    if (sealingKeys === null) throw conflict(noKey);
    const read = readListAddress(body.address);
    if (!read.ok) throw invalid(read.sentence, 'address');
    const { address } = read;
    const { supplier } = body;
    if (supplier !== null && !(await findSupplier(db, { id: supplier })))
      throw notFound('This supplier was deleted.');
    const id = await change(async (trx) => {
      if ((await feeds.countTests(trx, testsMax.withinMs)) >= testsMax.count) throw tooMany();
      const saved = await readSaved(trx, sealingKeys, body, address.host);
      const signIn = body.signIn.kind === 'saved' ? saved.signIn : body.signIn;
      const fault = signInFault(signIn, address);
      if (fault !== null) throw invalid(fault, 'signIn');
      return feeds.beginTest(trx, sealingKeys, {
        ...{ address, supplier, secret: { address: body.address, signIn } },
        hostKey: body.hostKey ?? saved.hostKey,
      });
    });
    reply.code(202);
    return { id };
  });
  serve(api, contract.getFeedTest, async ({ params: { id } }) => {
    const test = await feeds.findFeed(db, id);
    if (test?.state !== 'test') throw notFound(noTest);
    const isRunning = test.preview === null && test.trouble === null;
    return { isRunning, preview: test.preview, trouble: troubleOf(test) };
  });
  serve(api, contract.getFeed, ({ params: { id } }) => readConsistently(db, (trx) => readFeed(trx, id)));
  serve(api, contract.saveFeed, async ({ params: { id }, body: { test, ...timing }, request }) => {
    await change(async (trx) => {
      const isSaved =
        test === null
          ? await feeds.setTiming(trx, id, withNext(timing))
          : await feeds.keepTested(trx, test, id, withNext(timing));
      if (!isSaved) throw notFound(test === null ? noAddress : noTest);
      if (test !== null) await feeds.requestFetch(trx, id);
    });
    if (test !== null) securityLog.record(request, 'credentials-saved', { detail: 'Address of a list' });
    return { success: true as const };
  });
  serve(api, contract.addFeed, async ({ params: { id }, body: { name, ...timing }, request }) => {
    const supplier = await change(async (trx) => {
      const added = await feeds.addSupplierOf(trx, id, name, withNext(timing));
      // Rolls the new supplier back.
      if (added === undefined) throw notFound(noTest);
      await feeds.requestFetch(trx, added);
      return added;
    });
    securityLog.record(request, 'credentials-saved', { detail: 'Address of a list' });
    return { supplier };
  });
  serve(api, contract.fetchFeed, async ({ params: { id }, reply }) => {
    if (!(await change((trx) => feeds.requestFetch(trx, id)))) throw notFound(noAddress);
    reply.code(202);
    return { success: true as const };
  });
  serve(api, contract.changeFeedMode, async ({ params: { id }, body: { runsItself } }) => {
    const changed = await change((trx) => feeds.setRunsItself(trx, id, runsItself));
    if (changed === undefined) throw notFound(noAddress);
    if (!changed)
      throw conflict('Full auto is offered after three lists of two days that were pushed as planned.');
    return { success: true as const };
  });
  serve(api, contract.removeFeed, async ({ params: { id }, request }) => {
    await change(async (trx) => {
      const feed = await feeds.findFeedOf(trx, id);
      if (!feed) throw notFound(noAddress);
      await feeds.removeFeed(trx, feed.id);
    });
    securityLog.record(request, 'credentials-removed', { detail: 'Address of a list' });
    return { success: true as const };
  });
}

const noTest = 'Test the address first.';
const noAddress = 'No address is saved for this supplier.';
const noKey =
  'Addresses can’t be saved here, because the server has no key to seal them with. Set CREDENTIALS_KEY and restart.';

const tooMany = () =>
  new Refusal(429, { code: 'busy', message: 'Many addresses were tested just now. Wait some minutes.' }, 60);

type Timing = { schedule: ListSchedule | null; zone: string };

const withNext = ({ schedule, zone }: Timing) => ({
  ...{ schedule, zone },
  nextAt: schedule && nextFetchAt(schedule, zone, new Date()),
});

/** The sign-in and the server's key that are saved for a supplier's address on the same host. */
async function readSaved(
  db: Db,
  keys: SealingKeys,
  { supplier, signIn }: { supplier: number | null; signIn: contract.FeedSignIn },
  host: string,
): Promise<{ signIn: ListSecret['signIn']; hostKey: string | null }> {
  const feed = supplier === null ? undefined : await feeds.findFeedOf(db, supplier);
  const nothing = { signIn: { kind: 'none' as const }, hostKey: null };
  // A sign-in that is saved for one server is never sent to another one.
  if (feed?.host !== host) {
    if (signIn.kind === 'saved') throw invalid('Enter the sign-in for this server.', 'signIn');
    return nothing;
  }
  const secret = await feeds.readFeedSecret(db, keys, feed.id);
  return { signIn: secret?.signIn ?? nothing.signIn, hostKey: feed.host_key };
}

type Troubled = NonNullable<Awaited<ReturnType<typeof feeds.findFeed>>>;

const troubleOf = ({ trouble, trouble_kind: kind, trouble_cause: cause }: Troubled) =>
  trouble === null || kind === null ? null : { kind, sentence: trouble, cause };

async function readFeed(db: Db, supplier: number): Promise<{ feed: contract.Feed | null }> {
  const feed = await feeds.findFeedOf(db, supplier);
  if (!feed) return { feed: null };
  const trouble = troubleOf(feed);
  const fetches = await feeds.listFetches(db, feed.id);
  const { agreed, isEnough } = await feeds.readAgreement(db, feed);
  return {
    feed: {
      ...{ address: feed.shown, signIn: feed.sign_in, hostKey: feed.host_key },
      ...{ schedule: feed.schedule, zone: feed.zone, runsItself: feed.runs_itself },
      ...{ agreed, mayRunItself: isEnough, itselfEnded: feed.itself_ended },
      isFetching: await isTaskOpen(db, 'fetch-list', feed.id),
      fetchedAt: timestamp(feed.fetched_at),
      foundAt: timestamp(feed.found_at),
      nextAt: timestamp(feed.next_fetch_at),
      trouble: trouble && { ...trouble, since: (feed.trouble_since ?? new Date()).toISOString() },
      fetches: fetches.map(
        ({ id, at, result, import_id, filename, sentence, cause, replaced, agreed: as }) => ({
          ...{ id, result, filename, sentence, cause, replaced, agreed: as === 'unknown' ? null : as },
          ...{ at: at.toISOString(), importId: filename === null ? null : import_id },
        }),
      ),
    },
  };
}
