import type { Stage } from '@draftshelf/domain/import-status';
import { until } from '../integration/fixtures.ts';
import type { AppName, AppProcess } from '../line/app-process.ts';
import type { QueueBackend } from '../line/queue-backend.ts';
import { type FaultLine, readImport, restingStatus } from './fault-line.ts';
import type { Random } from './random.ts';

/** Something that goes wrong in the middle of a stage, and is over when `strike` returns. */
export type Fault = {
  name: string;
  during: Stage;
  /** What it strikes, or needs to be there: two faults on one target do not go together. 'all': only alone. */
  targets: readonly string[];
  /** On this backend of the queue only. */
  backend?: QueueBackend;
  strike(line: FaultLine, importId: string, random: Random): Promise<void>;
};

const worker = (stage: Stage): AppName => `${stage}-worker`;
const stages = ['parse', 'enrich', 'push'] as const;

/** As a supervisor does: a process that cannot start, because a service is just away, is started again. */
async function startAsSupervised(start: () => Promise<AppProcess>): Promise<AppProcess> {
  let started: AppProcess | undefined;
  let problem: unknown;
  await until(
    'the process has started',
    async () => {
      started = await start().catch((error: unknown) => {
        problem = error;
        return undefined;
      });
      return started !== undefined;
    },
    60_000,
  ).catch(() => {});
  if (!started) throw problem;
  return started;
}

async function kill(line: FaultLine, name: AppName): Promise<void> {
  line.process(name).kill('SIGKILL');
  await line.process(name).ended;
  await startAsSupervised(() => line.start(name));
}

async function endInOrder(line: FaultLine, name: AppName): Promise<void> {
  const process = line.process(name);
  await process.stop();
  const how = await process.ended;
  if (how !== '0') throw new Error(`${name} was asked to stop and ended with ${how}:\n${process.output()}`);
  await startAsSupervised(() => line.start(name));
}

/** Frozen until another process has done all of its work; then it goes on, and must find nothing left to commit. */
async function freezeUntilDone(line: FaultLine, name: AppName, importId: string): Promise<void> {
  const frozen = line.process(name);
  frozen.kill('SIGSTOP');
  try {
    const successor = await startAsSupervised(() => line.startAnother(name));
    await until(
      'the successor has done it',
      async () => restingStatus((await readImport(line, importId)).status),
      180_000,
    );
    frozen.kill('SIGCONT');
    await successor.stop();
  } finally {
    frozen.kill('SIGCONT');
  }
}

/** Frozen until the work has gone on without it. */
async function freezeUntilProgress(line: FaultLine, name: AppName, importId: string): Promise<void> {
  const before = (await readImport(line, importId)).version;
  line.process(name).kill('SIGSTOP');
  try {
    await until(
      'the work goes on',
      async () => (await readImport(line, importId)).version !== before,
      180_000,
    );
  } finally {
    line.process(name).kill('SIGCONT');
  }
}

/** Away until somebody has noticed, and at least `awayMs`. */
async function storageAway(line: FaultLine, importId: string, awayMs: number): Promise<void> {
  line.services.storage().kill('SIGKILL');
  await line.services.storage().ended;
  const since = performance.now();
  await until('the import waits, visibly', async () => {
    return (await readImport(line, importId)).waiting_for === 'Object storage cannot be reached.';
  });
  await until('it was away long enough', () => performance.now() - since >= awayMs, awayMs + 1000);
  await line.services.startStorage();
}

/** The store's own ways of not answering; each is given often enough to strike several products. */
const storeFaults: Record<string, object> = {
  'answers 503': { kind: 'status', status: 503, times: 3, every: 4 },
  'asks for fewer requests (429)': { kind: 'status', status: 429, retryAfter: '0.5', times: 3, every: 4 },
  THROTTLED: { kind: 'throttled', times: 12, every: 2 },
  'loses answers after their effect': { kind: 'drop-after', operation: 'productSet', times: 3, every: 5 },
  'loses requests before their effect': { kind: 'drop-before', times: 3, every: 5 },
  'answers half a reply': { kind: 'truncated', times: 3, every: 5 },
  'answers with a page': { kind: 'html', times: 3, every: 5 },
  'is slow': { kind: 'delay', delayMs: 700, times: 4, every: 3 },
  'no longer knows the token (401)': { kind: 'unauthorized', times: 2, every: 6 },
};

const onProcesses: Fault[] = stages.flatMap((during) => [
  {
    name: `kill -9 of the ${during} worker`,
    during,
    targets: [worker(during)],
    strike: (line) => kill(line, worker(during)),
  },
  {
    name: `SIGTERM to the ${during} worker`,
    during,
    targets: [worker(during)],
    strike: (line) => endInOrder(line, worker(during)),
  },
  {
    name: `SIGSTOP of the ${during} worker, and back`,
    during,
    targets: [worker(during)],
    strike: (line, id) => freezeUntilDone(line, worker(during), id),
  },
]);

const onTheApi: Fault[] = [
  { name: 'kill -9 of the api', during: 'parse', targets: ['api'], strike: (line) => kill(line, 'api') },
  {
    name: 'SIGTERM to the api',
    during: 'enrich',
    targets: ['api'],
    strike: (line) => endInOrder(line, 'api'),
  },
  {
    name: 'SIGSTOP of the api, and back',
    during: 'parse',
    targets: ['api'],
    strike: (line, id) => freezeUntilProgress(line, 'api', id),
  },
];

const onTheQueue: Fault[] = stages.flatMap((during) => [
  {
    name: `the queue emptied during ${during}`,
    during,
    targets: ['queue', 'postgres'],
    async strike(line) {
      await line.emptyQueue();
    },
  },
  {
    name: `Redis killed during ${during}`,
    during,
    targets: ['queue'],
    backend: 'redis',
    async strike(line) {
      await line.redis?.kill();
      await line.redis?.start();
    },
  },
]);

const onPostgres: Fault[] = stages.flatMap((during) => [
  {
    name: `Postgres restarted at once during ${during}`,
    during,
    targets: ['postgres'],
    strike: (line) => line.services.strikePostgres('SIGQUIT'),
  },
  {
    name: `kill -9 of Postgres during ${during}`,
    during,
    targets: ['postgres'],
    strike: (line) => line.services.strikePostgres('SIGKILL'),
  },
  {
    name: `kill -9 of a connection of Postgres during ${during}`,
    during,
    targets: ['postgres'],
    async strike(line, _, random) {
      const { rows } = await line.database.pool.query<{ pid: number }>(
        `select pid from pg_stat_activity where application_name like 'draftshelf-%' and pid <> pg_backend_pid()`,
      );
      await line.services.strikeBackend(random.pick(rows).pid);
    },
  },
]);

const onTheStore: Fault[] = [
  {
    name: 'kill -9 of the store',
    during: 'push',
    targets: ['store-simulator'],
    strike: (line) => kill(line, 'store-simulator'),
  },
  ...Object.entries(storeFaults).map(
    ([what, fault]): Fault => ({
      name: `the store ${what}`,
      during: 'push',
      targets: [what],
      strike: (line) => line.store.fault(fault),
    }),
  ),
];

const storageKilled = (awayMs: number): Fault => ({
  name: `object storage away for ${awayMs === 0 ? 'a moment' : `${awayMs / 1000} s`}`,
  during: 'parse',
  targets: ['storage'],
  strike: (line, id) => storageAway(line, id, awayMs),
});

/** Every fault, as the long run takes them by chance. */
export const allFaults: readonly Fault[] = [
  ...onProcesses,
  ...onTheApi,
  ...onTheQueue,
  ...onPostgres,
  ...onTheStore,
  storageKilled(0),
  storageKilled(60_000),
];

/** Takes faults in their order, and leaves out what does not go together with those before it. */
export function together(faults: readonly Fault[]): Fault[] {
  const taken: Fault[] = [];
  for (const fault of faults) {
    const alone = fault.targets.includes('all') || taken.some((one) => one.targets.includes('all'));
    const clashes = taken.some((one) => one.targets.some((target) => fault.targets.includes(target)));
    if (taken.length === 0 || !(alone || clashes)) taken.push(fault);
  }
  return taken;
}
