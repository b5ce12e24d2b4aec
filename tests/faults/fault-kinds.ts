import { type Stage, stages } from '@draftshelf/domain/imports/stages';
import type { AppName } from '@draftshelf/infra/app-mains';
import type { QueueBackend } from '../support/queue-backend.ts';
import type { Random } from './fault-random.ts';
import type { FaultStack } from './fault-stack.ts';
import {
  endInOrder,
  freezeBesideAnother,
  freezeFor,
  freezeUntilDone,
  freezeUntilProgress,
  kill,
  redisDown,
  storageDown,
} from './inject.ts';

/** A fault in the middle of a stage, which is over when `inject` returns. */
export type Fault = {
  name: string;
  during: Stage;
  /** What it breaks or needs: two faults with one target exclude each other. 'all': excludes all others. */
  targets: readonly string[];
  /** Only on this queue backend. */
  backend?: QueueBackend;
  inject(stack: FaultStack, importId: string, random: Random): Promise<void>;
};

const worker = (stage: Stage): AppName => `${stage}-worker`;

/** Faulty answers of the store; each occurs often enough to affect several products. */
const storeFaults: Record<string, object> = {
  'answers 503': { kind: 'status', status: 503, times: 3, every: 4 },
  'is locked (402)': { kind: 'status', status: 402, times: 3, every: 4 },
  'asks for fewer requests (429)': { kind: 'status', status: 429, retryAfter: '0.5', times: 3, every: 4 },
  THROTTLED: { kind: 'throttled', times: 12, every: 2 },
  'loses answers after their effect': { kind: 'drop-after', operation: 'productSet', times: 3, every: 5 },
  'loses requests before their effect': { kind: 'drop-before', times: 3, every: 5 },
  'answers half a reply': { kind: 'truncated', times: 3, every: 5 },
  'answers with a page': { kind: 'html', times: 3, every: 5 },
  'is slow': { kind: 'delay', delayMs: 700, times: 4, every: 3 },
  'no longer knows the token (401)': { kind: 'unauthorized', times: 3, every: 6 },
};

const onProcesses: Fault[] = stages.flatMap((during) => [
  {
    name: `kill -9 of the ${during} worker`,
    during,
    targets: [worker(during)],
    inject: (stack) => kill(stack, worker(during)),
  },
  {
    name: `SIGTERM to the ${during} worker`,
    during,
    targets: [worker(during)],
    inject: (stack) => endInOrder(stack, worker(during)),
  },
  {
    name: `SIGSTOP of the ${during} worker, and back`,
    during,
    targets: [worker(during)],
    inject: (stack, id) => freezeUntilDone(stack, worker(during), id),
  },
]);

const onTheApi: Fault[] = [
  { name: 'kill -9 of the api', during: 'parse', targets: ['api'], inject: (stack) => kill(stack, 'api') },
  {
    name: 'SIGTERM to the api',
    during: 'enrich',
    targets: ['api'],
    inject: (stack) => endInOrder(stack, 'api'),
  },
  {
    name: 'SIGSTOP of the api, and back',
    during: 'parse',
    targets: ['api'],
    inject: (stack, id) => freezeUntilProgress(stack, 'api', id),
  },
];

/** A frozen folder worker keeps its claims for a minute; a successor then takes its files. */
const onTheFolderWorker: Fault[] = [
  {
    name: 'kill -9 of the folder worker',
    during: 'parse',
    targets: ['folder-worker'],
    inject: (stack) => kill(stack, 'folder-worker'),
  },
  {
    name: 'SIGTERM to the folder worker',
    during: 'parse',
    targets: ['folder-worker'],
    inject: (stack) => endInOrder(stack, 'folder-worker'),
  },
  {
    name: 'SIGSTOP of the folder worker, and back',
    during: 'parse',
    targets: ['folder-worker'],
    inject: (stack, _, random) => freezeBesideAnother(stack, 'folder-worker', random.between(500, 8_000)),
  },
  {
    name: 'SIGSTOP of the folder worker for longer than its claims',
    during: 'parse',
    targets: ['folder-worker'],
    inject: (stack) => freezeBesideAnother(stack, 'folder-worker', 75_000),
  },
];

const onTheQueue: Fault[] = stages.flatMap((during) => [
  {
    name: `the queue emptied during ${during}`,
    during,
    targets: ['queue', 'postgres'],
    async inject(stack) {
      await stack.emptyQueue();
    },
  },
  {
    name: `Redis killed during ${during}`,
    during,
    targets: ['queue'],
    backend: 'redis',
    inject: (stack) => redisDown(stack, 0),
  },
  {
    name: `Redis stopped during ${during}`,
    during,
    targets: ['queue'],
    backend: 'redis',
    async inject({ redis }) {
      await redis?.end('SIGTERM');
      await redis?.start();
    },
  },
  {
    name: `Redis down for 60 s during ${during}`,
    during,
    targets: ['queue'],
    backend: 'redis',
    inject: (stack) => redisDown(stack, 60_000),
  },
]);

const onPostgres: Fault[] = stages.flatMap((during) => [
  {
    name: `Postgres restarted at once during ${during}`,
    during,
    targets: ['postgres'],
    inject: (stack) => stack.services.endPostgres('SIGQUIT'),
  },
  {
    name: `Postgres stopped during ${during}`,
    during,
    targets: ['postgres'],
    inject: (stack) => stack.services.endPostgres('SIGINT'),
  },
  {
    name: `kill -9 of Postgres during ${during}`,
    during,
    targets: ['postgres'],
    inject: (stack) => stack.services.endPostgres('SIGKILL'),
  },
  {
    name: `kill -9 of a connection of Postgres during ${during}`,
    during,
    targets: ['postgres'],
    async inject(stack, _, random) {
      const { rows } = await stack.database.pool.query<{ pid: number }>(
        `select pid from pg_stat_activity where application_name like 'draftshelf-%' and pid <> pg_backend_pid()`,
      );
      await stack.services.killBackend(random.pick(rows).pid);
    },
  },
]);

const onTheStore: Fault[] = [
  {
    name: 'kill -9 of the store',
    during: 'push',
    targets: ['store-simulator'],
    inject: (stack) => kill(stack, 'store-simulator'),
  },
  {
    name: 'SIGTERM to the store',
    during: 'push',
    targets: ['store-simulator'],
    inject: (stack) => endInOrder(stack, 'store-simulator'),
  },
  ...Object.entries(storeFaults).map(
    ([what, fault]): Fault => ({
      name: `the store ${what}`,
      during: 'push',
      targets: [what],
      inject: (stack) => stack.store.fault(fault),
    }),
  ),
];

const onStorage: Fault[] = [
  ...[0, 60_000].map(
    (downMs): Fault => ({
      name: `object storage down for ${downMs === 0 ? 'a moment' : `${downMs / 1000} s`}`,
      during: 'parse',
      targets: ['storage'],
      inject: (stack, id) => storageDown(stack, id, downMs),
    }),
  ),
  {
    name: 'object storage stopped',
    during: 'parse',
    targets: ['storage'],
    async inject({ services }) {
      await services.storage().stop();
      await services.startStorage();
    },
  },
];

/** Durations of freezes; a minute is longer than any time-out for an answer. */
const frozenFor: Record<string, (random: Random) => number> = {
  'a while': (random) => random.between(500, 8_000),
  'a minute': () => 60_000,
};

const freezesOfServices: Fault[] = Object.entries(frozenFor).flatMap(([howLong, ms]) => [
  ...stages.map(
    (during): Fault => ({
      name: `Postgres frozen for ${howLong} during ${during}`,
      during,
      targets: ['postgres'],
      inject: (stack, _, random) => freezeFor({ kill: stack.services.signalPostgres }, ms(random)),
    }),
  ),
  ...stages.map(
    (during): Fault => ({
      name: `Redis frozen for ${howLong} during ${during}`,
      during,
      targets: ['queue'],
      backend: 'redis',
      async inject({ redis }, _, random) {
        if (redis) await freezeFor(redis, ms(random));
      },
    }),
  ),
  {
    name: `object storage frozen for ${howLong}`,
    during: 'parse',
    targets: ['storage'],
    inject: (stack, _, random) => freezeFor(stack.services.storage(), ms(random)),
  },
  {
    name: `the store frozen for ${howLong}`,
    during: 'push',
    targets: ['store-simulator'],
    inject: (stack, _, random) => freezeFor(stack.process('store-simulator'), ms(random)),
  },
]);

/** All faults; the long run picks from them at random. */
export const allFaults: readonly Fault[] = [
  ...onProcesses,
  ...onTheApi,
  ...onTheFolderWorker,
  ...onTheQueue,
  ...onPostgres,
  ...onTheStore,
  ...onStorage,
  ...freezesOfServices,
];

/** The faults in order, without those that exclude an earlier one. */
export function together(faults: readonly Fault[]): Fault[] {
  const taken: Fault[] = [];
  for (const fault of faults) {
    const alone = fault.targets.includes('all') || taken.some((one) => one.targets.includes('all'));
    const clashes = taken.some((one) => one.targets.some((target) => fault.targets.includes(target)));
    if (taken.length === 0 || !(alone || clashes)) taken.push(fault);
  }
  return taken;
}
