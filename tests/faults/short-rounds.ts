import { afterAll, beforeAll, expect, it } from 'vitest';
import { isLong, type QueueBackend } from '../support/queue-backend.ts';
import { buttonFaults, runCancelled } from './buttons.ts';
import { allFaults, type Fault, together } from './fault-kinds.ts';
import { createRandom, seedOfRun } from './fault-random.ts';
import { type FaultStack, startFaultStack } from './fault-stack.ts';
import type { Sizes } from './midway.ts';
import { runRound } from './round.ts';

const sizes: Sizes = {
  rows: isLong ? 10_000 : 3_000,
  rowsPerChunk: 250,
  products: isLong ? 130 : 60,
  productsPerChunk: 10,
};
const seed = seedOfRun();

/** Each round has faults in every stage; concurrent faults affect different imports or different stages of one. */
const rounds: Record<string, readonly string[]> = {
  'workers killed with -9': [
    'kill -9 of the parse worker',
    'kill -9 of the enrich worker',
    'kill -9 of the push worker',
    'kill -9 of the api',
    'kill -9 of the folder worker',
  ],
  'processes stopped, and the queue emptied': [
    'the queue emptied during parse',
    'SIGTERM to the parse worker',
    'SIGTERM to the enrich worker',
    'SIGTERM to the push worker',
    'SIGTERM to the api',
    'SIGTERM to the folder worker',
  ],
  'processes frozen, and back': [
    'SIGSTOP of the parse worker, and back',
    'SIGSTOP of the push worker, and back',
    'SIGSTOP of the api, and back',
    'SIGSTOP of the folder worker, and back',
    'the queue emptied during enrich',
  ],
  'services stopped': [
    'Postgres stopped during enrich',
    'Redis stopped during push',
    'object storage stopped',
    'SIGTERM to the store',
  ],
  'services frozen, and back': [
    'Postgres frozen for a while during push',
    'Redis frozen for a while during parse',
    'object storage frozen for a while',
    'the store frozen for a while',
  ],
  'people who press the same buttons': [
    'two people pause and resume during push',
    'SIGSTOP of the enrich worker, and back',
    'Redis killed during parse',
  ],
  'Postgres restarted at once': [
    'Postgres restarted at once during parse',
    'Redis killed during push',
    'kill -9 of the store',
  ],
  'Postgres killed, object storage down, and a store with bad answers': [
    'kill -9 of Postgres during push',
    'object storage down for a moment',
    'the store answers 503',
    'the store loses answers after their effect',
    'the store THROTTLED',
    'the store no longer knows the token (401)',
  ],
  'a store that refuses us': ['the store refuses us (403), and two people retry'],
};

const byName = new Map([...allFaults, ...buttonFaults].map((fault) => [fault.name, fault]));

function faultOf(name: string): Fault {
  const fault = byName.get(name);
  if (!fault) throw new Error(`There is no fault '${name}'`);
  return fault;
}

/** `npm test` has one round on each backend, which kills the backend: other tests kill each worker. */
const shortRounds: Record<QueueBackend, readonly string[]> = {
  postgres: [
    'kill -9 of Postgres during push',
    'object storage down for a moment',
    'the store loses answers after their effect',
  ],
  redis: ['Redis killed during parse'],
};

const roundsOn = (backend: QueueBackend): [string, readonly string[]][] =>
  isLong ? Object.entries(rounds) : [['the queue backend killed', shortRounds[backend]]];

const on = (backend: QueueBackend) => (fault: Fault) =>
  fault.backend === undefined || fault.backend === backend;

/** Tests rounds with jobs in this backend, and in the long form imports that are cancelled. */
export function testRounds(backend: QueueBackend): void {
  let stack: FaultStack;
  beforeAll(async () => {
    stack = await startFaultStack(backend);
  });
  afterAll(() => stack?.close());

  it.each(roundsOn(backend))('%s: the result is as expected', async (_, names) => {
    const faults = names.map(faultOf).filter(on(backend));
    expect(together(faults)).toEqual(faults);
    const { injected, wrong } = await runRound(stack, faults, sizes, createRandom(seed));
    for (const one of injected) {
      console.log(
        `${one.name} at ${one.done} of ${one.total}; at rest ${one.restMs} ms later (seed ${seed})`,
      );
    }
    expect(wrong).toEqual([]);
  });

  it.runIf(isLong).each(['parse', 'push'] as const)(
    'cancelled during %s: nothing is left to do',
    async (during) => {
      const { injected, wrong } = await runCancelled(stack, during, sizes, createRandom(seed));
      console.log(
        `${injected.name} at ${injected.done} of ${injected.total}; ended ${injected.restMs} ms later (seed ${seed})`,
      );
      expect(wrong).toEqual([]);
    },
  );
}
