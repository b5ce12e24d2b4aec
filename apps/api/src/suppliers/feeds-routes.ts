import * as contract from '@draftshelf/contract/suppliers/feeds';
import type { SealingKeys } from '@draftshelf/core/access/sealing';
import { type Db, readInSnapshot } from '@draftshelf/core/connection/database';
import type { FeedRecord } from '@draftshelf/core/connection/schema';
import * as feeds from '@draftshelf/core/suppliers/feeds';
import { findSupplier } from '@draftshelf/core/suppliers/suppliers';
import { isTaskOpen } from '@draftshelf/core/work/background-tasks';
import { type ListSignIn, readListAddress, signInFault } from '@draftshelf/domain/suppliers/list-address';
import { cannotSealMessage } from '../access/store-credentials.ts';
import { conflict, invalid, notFound, Refusal } from '../http/refusal.ts';
import { type Api, serve } from '../http/serve.ts';
import { createWireMapper } from '../http/wire-fields.ts';

/** Maximum number of tests within a period, so that tests cannot scan networks. */
const testsMax = { count: 20, withinMs: 10 * 60_000 };
const done = { success: true as const };
const logged = { detail: 'Address of a list' };

/** Serves feeds. The api seals entered secrets; the folder worker connects to the servers. */
export function serveFeeds(api: Api, { sealingKeys }: { sealingKeys: SealingKeys | null }): void {
  const { db, changes } = api;
  const readSignIn = async (trx: Db, feed: FeedRecord | undefined): Promise<ListSignIn> => {
    const secret = feed && (await feeds.readFeedSecret(trx, sealingKeys, feed.id));
    if (!secret) throw invalid('Enter the sign-in for this server.', 'signIn');
    return secret.signIn;
  };
  const change = <T>(work: (trx: Db) => Promise<T>) => changes.db.transaction().execute(work);
  serve(api, contract.testFeed, async ({ body, reply }) => {
    if (sealingKeys === null) throw conflict(cannotSealMessage('Addresses'));
    const read = readListAddress(body.address);
    if (!read.ok) throw invalid(read.sentence, 'address');
    const { address } = read;
    const { supplier } = body;
    if (supplier !== null && !(await findSupplier(db, { id: supplier })))
      throw notFound('This supplier was deleted.');
    const id = await change(async (trx) => {
      if ((await feeds.countFeedTests(trx, testsMax.withinMs)) >= testsMax.count) throw tooMany();
      const feed = supplier === null ? undefined : await feeds.findFeedOfSupplier(trx, supplier);
      // Saved secrets are sent only to the server for which they were entered.
      const saved = feed?.host === address.host ? feed : undefined;
      const signIn = body.signIn.kind === 'saved' ? await readSignIn(trx, saved) : body.signIn;
      const fault = signInFault(signIn, address);
      if (fault !== null) throw invalid(fault, 'signIn');
      const host_key = body.hostKey ?? saved?.host_key ?? null;
      const secret = { address: body.address, signIn };
      return feeds.beginFeedTest(trx, sealingKeys, { address, supplier, secret, host_key });
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
  serve(api, contract.keepFeed, async ({ params: { id }, body: { of, ...timing }, logSecurity }) => {
    const supplier = await change(async (trx) => {
      const kept = await feeds.activateFeed(trx, id, of, timing);
      // The thrown refusal also rolls back a new supplier.
      if (kept === undefined) throw notFound(noTest);
      await feeds.requestFetch(trx, kept);
      return kept;
    });
    logSecurity('credentials-saved', logged);
    return { supplier };
  });
  serve(api, contract.getFeed, ({ params: { id } }) => readInSnapshot(db, (trx) => readFeed(trx, id)));
  serve(api, contract.changeFeed, async ({ params: { id }, body }) => {
    const changed = await change((trx) =>
      'zone' in body ? feeds.setFeedTiming(trx, id, body) : feeds.setFeedFullAuto(trx, id, body.runsItself),
    );
    if (changed === 'not yet')
      throw conflict(
        'Full auto is available once three lists in a row, from at least two days, have been pushed as planned.',
      );
    if (!changed) throw notFound(noAddress);
    return done;
  });
  serve(api, contract.fetchFeed, async ({ params: { id }, reply }) => {
    if (!(await change((trx) => feeds.requestFetch(trx, id)))) throw notFound(noAddress);
    reply.code(202);
    return done;
  });
  serve(api, contract.removeFeed, async ({ params: { id }, logSecurity }) => {
    await change(async (trx) => {
      const feed = await feeds.findFeedOfSupplier(trx, id);
      if (!feed) throw notFound(noAddress);
      await feeds.removeFeed(trx, feed.id);
    });
    logSecurity('credentials-removed', logged);
    return done;
  });
}

const noTest = 'Test the address first.';
const noAddress = 'No address is saved for this supplier.';

const tooMany = () =>
  new Refusal(
    429,
    { code: 'busy', message: 'Too many addresses were tested just now. Wait a few minutes.' },
    60,
  );

const troubleOf = ({
  trouble: sentence,
  trouble_kind: kind,
  trouble_cause: cause,
  trouble_since,
}: FeedRecord) =>
  sentence === null || kind === null
    ? null
    : { kind, sentence, cause, since: (trouble_since ?? new Date()).toISOString() };

const feedFields = createWireMapper(contract.getFeed.reply.shape.feed.unwrap());
const fetchFields = createWireMapper(contract.getFeed.reply.shape.feed.unwrap().shape.fetches.element);

async function readFeed(db: Db, supplier: number): Promise<{ feed: contract.Feed | null }> {
  const feed = await feeds.findFeedOfSupplier(db, supplier);
  if (!feed) return { feed: null };
  const fetches = await feeds.listFetches(db, feed.id);
  const { agreed, isEnough } = await feeds.countAgreedLists(db, feed);
  return {
    feed: {
      ...feedFields(feed),
      ...{ address: feed.shown, trouble: troubleOf(feed), agreed, mayRunItself: isEnough },
      isFetching: await isTaskOpen(db, 'fetch-list', feed.id),
      nextAt: feed.next_fetch_at?.toISOString() ?? null,
      fetches: fetches.map((fetch) => ({
        ...fetchFields(fetch),
        agreed: fetch.agreed === 'unknown' ? null : fetch.agreed,
        importId: fetch.filename === null ? null : fetch.import_id,
      })),
    },
  };
}
