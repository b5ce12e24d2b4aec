import { readInSnapshot } from '@draftshelf/core/connection/database';
import { retryImport } from '@draftshelf/core/work/import-actions';
import { stages } from '@draftshelf/domain/imports/stages';
import { browserOf } from '../support/api-client.ts';
import { until } from '../support/fixture.ts';
import { leftOver } from './differences.ts';
import type { Fault } from './fault-kinds.ts';
import type { Random } from './fault-random.ts';
import { type FaultStack, readImport, restingStatus, type Work } from './fault-stack.ts';
import { beginStage, reachMiddle, type Sizes } from './midway.ts';
import type { Injected } from './round.ts';

type Button = 'pause' | 'resume' | 'cancel' | 'push' | 'retry' | 'ready';
type Browser = ReturnType<typeof browserOf>;

/** A signed-in browser. */
export async function openBrowser(apiUrl: string): Promise<Browser> {
  const browser = browserOf(apiUrl);
  await browser.login();
  return browser;
}

/** Presses a button, again as long as the database is busy; returns the status of the reply. */
export async function press(browser: Browser, id: string, button: Button): Promise<number> {
  for (;;) {
    const { status } = await browser.call('POST', `/api/queue/${id}/${button}`);
    if (status !== 503) return status;
  }
}

/** Both browsers press at the same time; returns both statuses, the lower first. */
export async function pressBoth(
  browsers: readonly [Browser, Browser],
  id: string,
  buttons: readonly [Button, Button],
): Promise<number[]> {
  const replies = await Promise.all([press(browsers[0], id, buttons[0]), press(browsers[1], id, buttons[1])]);
  return replies.sort((a, b) => a - b);
}

const pausesMax = 4;

/** Two people who pause and resume repeatedly at random times; the later one gets a 409. */
async function pauseAndResume(stack: FaultStack, id: string, random: Random): Promise<void> {
  const browsers = [await openBrowser(stack.apiUrl), await openBrowser(stack.apiUrl)] as const;
  for (let pause = 0; pause < pausesMax; pause += 1) {
    const replies = await pressBoth(browsers, id, ['pause', 'pause']);
    if (replies[0] !== 200 || replies[1] !== 409) {
      if (restingStatus((await readImport(stack, id)).status)) return;
      throw new Error(`Two pauses at once were answered ${replies}`);
    }
    await calmBeforeResume(stack, id);
    const resumed = await pressBoth(browsers, id, ['resume', 'resume']);
    if (resumed.join() !== '200,409') throw new Error(`Two resumes at once were answered ${resumed}`);
    const { version } = await readImport(stack, id);
    const steps = Math.floor(random.between(1, 12));
    await until('it has continued', async () => {
      const now = await readImport(stack, id);
      return now.version >= version + steps || restingStatus(now.status);
    });
  }
}

/** After a pause, the chunks in work end, and then nothing changes. */
async function calmBeforeResume(stack: FaultStack, id: string): Promise<void> {
  await until('no worker has a chunk of it', async () => {
    const held = await stack.database.db
      .selectFrom('chunks')
      .select('id')
      .where('import_id', '=', id)
      .where('state', '=', 'published')
      .execute();
    return held.length === 0;
  });
  const { status } = await readImport(stack, id);
  if (status !== 'paused') throw new Error(`It was paused, and is ${status}`);
}

/** The store refuses everything: the push fails with the cause, and a retry pushes what is missing. */
async function refuseAndRetry(stack: FaultStack, id: string): Promise<void> {
  await stack.store.fault({ kind: 'status', status: 403, times: 1 });
  await until('the push fails', async () => (await readImport(stack, id)).status === 'failed');
  const { error_message } = await readImport(stack, id);
  if (
    error_message !==
    'The store refuses this app: it is blocked or uninstalled, or its IP allowlist lacks the address of this server.'
  )
    throw new Error(`It failed because ${error_message}`);
  const results = await Promise.allSettled(
    [1, 2].map(() => stack.database.db.transaction().execute((trx) => retryImport(trx, id, 10))),
  );
  const begun = results.filter((one) => one.status === 'fulfilled' && one.value.ok);
  if (begun.length !== 1)
    throw new Error(`${begun.length} of two retries at once began: ${JSON.stringify(results)}`);
}

/** Actions of people in the middle of a stage. */
export const buttonFaults: readonly Fault[] = [
  ...stages.map(
    (during): Fault => ({
      name: `two people pause and resume during ${during}`,
      during,
      targets: ['api', 'postgres', `people ${during}`],
      inject: pauseAndResume,
    }),
  ),
  {
    name: 'the store refuses us (403), and two people retry',
    during: 'push',
    targets: ['all'],
    inject: refuseAndRetry,
  },
];

/** Cancels an import in the middle of a stage: nothing more is done, and what was done is recorded. */
export async function runCancelled(
  stack: FaultStack,
  during: 'parse' | 'push',
  sizes: Sizes,
  random: Random,
): Promise<{ injected: Injected; wrong: string[] }> {
  const begun = await beginStage(stack, during, sizes);
  const { work, at } = await reachMiddle(stack, during, { begun, sizes, random });
  const injectedAt = performance.now();
  const browsers = [await openBrowser(stack.apiUrl), await openBrowser(stack.apiUrl)] as const;
  const replies = await pressBoth(browsers, work.id, ['cancel', 'cancel']);
  const wrong = replies.join() === '200,409' ? [] : [`two cancels at once were answered ${replies}`];
  await until('its chunks are dropped', async () => (await undoneOf(stack, work)) === 0);
  const injected = {
    name: `cancelled during ${during}`,
    ...at,
    restMs: Math.round(performance.now() - injectedAt),
  };
  return {
    injected,
    wrong: [...wrong, ...(await cancelledDifferences(stack, work)), ...(await leftOver(stack))],
  };
}

async function undoneOf(stack: FaultStack, { id }: Work): Promise<number> {
  const undone = await stack.database.db
    .selectFrom('chunks')
    .select('id')
    .where('import_id', '=', id)
    .where('state', 'in', ['pending', 'published'])
    .execute();
  return undone.length;
}

/** Products in the store, outcomes, ledger lines and counters of a cancelled import agree. */
async function cancelledDifferences(stack: FaultStack, { id, truth }: Work): Promise<string[]> {
  const label = truth.rows[0]?.sku.replace(/\d+$/, '') ?? '';
  const inStore = async () =>
    (await stack.store.products()).filter((one) => one.variants[0]?.sku?.startsWith(label)).length;
  // Products that were on their way arrive and are recorded after the import was cancelled. Until then the store may be
  // ahead of the records; these agree with each other at any moment.
  let sums = await cancelledSums(stack, id);
  await until('the last answers of the store are recorded', async () => {
    sums = await cancelledSums(stack, id);
    return sums.created === (await inStore());
  });
  const { status, created, skipped, done, outcomes, entries } = sums;
  const wrong = status === 'cancelled' ? [] : [`it was cancelled, and is ${status}`];
  for (const [what, count] of Object.entries({ outcomes, entries, done })) {
    if (count !== created + skipped)
      wrong.push(`${what} and counters differ: ${count} and ${created + skipped}`);
  }
  return wrong;
}

/** The counters of an import, and the number of its outcomes and ledger entries, at one moment. */
function cancelledSums(stack: FaultStack, id: string) {
  return readInSnapshot(stack.database.db, async (trx) => {
    const { status, created, skipped, push_done } = await trx
      .selectFrom('imports')
      .select(['status', 'created', 'skipped', 'push_done'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const counted = async (table: 'outcomes' | 'ledger') =>
      (await trx.selectFrom(table).select('product').where('import_id', '=', id).execute()).length;
    const [outcomes, entries] = [await counted('outcomes'), await counted('ledger')];
    return { status, created, skipped, done: push_done, outcomes, entries };
  });
}
