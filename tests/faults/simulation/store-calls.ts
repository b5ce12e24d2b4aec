import { createHash } from 'node:crypto';
import { type PlainFetch, plainFetch } from '@draftshelf/runtime/plain-fetch';
import type { TestStore } from '../../store/start-store.ts';
import { currentActor, never, runOutside } from './actor.ts';
import type { Scheduler } from './scheduler.ts';

/** A call of an actor to the store, when it had its effect. */
export type StoreCall = { actor: string; operation: string; atStep: number; body: string; reply: string };

const writes = new Set([
  ...['productSet', 'productDelete', 'inventorySetQuantities', 'metafieldsDelete', 'metafieldsSet'],
]);

/** Whether a call changes the store, by its operation or the name of its step. */
export const isStoreWrite = (name: string): boolean => writes.has(name.split(' ')[0] ?? '');

const faults = ['lost before', 'lost after', '503 before', '503 after', 'throttled'] as const;
type CallFault = (typeof faults)[number];

/**
 * Fetches of actors, each a step of the scheduler. `chance`: of a fault. `onAsked`: a call is to be made; `onCall`: it
 * has had its effect.
 */
export function simulatedFetch(
  scheduler: Scheduler,
  store: TestStore,
  {
    chance,
    onAsked,
    onCall,
  }: {
    chance: () => number;
    onAsked: (operation: string, body: string) => void;
    onCall: (call: StoreCall) => Promise<void>;
  },
): PlainFetch {
  const { random } = scheduler;
  return (address, { signal, ...options }) => {
    const actor = currentActor();
    if (!actor) throw new Error('Only actors call the store');
    if (actor.isDead) return never();
    const body = options.body ?? '';
    const [, operation = '?'] = /(?:query|mutation) (\w+)/.exec(body) ?? [];
    onAsked(operation, body);
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const perform = async (isHeard: boolean): Promise<string> => {
      signal?.removeEventListener('abort', abort);
      const fault = random.between(0, 1) < chance() ? random.pick(faults) : undefined;
      if (fault) scheduler.meet(`call ${fault}`);
      const hasEffect = !fault || fault.endsWith('after');
      const reply = hasEffect ? await send() : '';
      if (isHeard) scheduler.deliver(actor, () => answer(fault, reply));
      return `${fault ?? 'answered'} #${hashOf(reply)}`;
    };
    const send = () =>
      runOutside(async () => {
        store.clock.pass(scheduler.now() - store.clock.now());
        const response = await plainFetch(address, options);
        const reply = await response.text();
        await onCall({ actor: actor.name, operation, atStep: scheduler.steps(), body, reply });
        return reply;
      });
    const answer = (fault: CallFault | undefined, reply: string) => {
      if (fault?.startsWith('lost')) return reject(new TypeError('The request failed'));
      if (fault?.startsWith('503')) return resolve(new Response('', { status: 503 }));
      resolve(new Response(fault ? throttled : reply, { headers: { 'x-shopify-api-version': '2026-10' } }));
    };
    const takeBack = scheduler.ask({
      ...{ actor, kind: 'call', name: `${operation} #${hashOf(body)}` },
      perform: () => perform(true),
      performUnheard: () => perform(false),
    });
    const abort = () => {
      takeBack();
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', abort, { once: true });
    return promise;
  };
}

const throttled = JSON.stringify({
  errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }],
  extensions: {
    cost: {
      requestedQueryCost: 10,
      throttleStatus: { maximumAvailable: 2000, currentlyAvailable: 0, restoreRate: 100 },
    },
  },
});

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 6);
