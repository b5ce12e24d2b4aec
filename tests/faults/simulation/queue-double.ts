import type { ChunkQueue } from '@draftshelf/queues/connection';
import { type Actor, createActor, currentActor, never, runAs } from './actor.ts';
import type { Scheduler } from './scheduler.ts';

type Job = {
  id: string;
  data: unknown;
  priority: number;
  added: number;
  state: 'waiting' | 'active' | 'delayed' | 'failed';
  attempts: number;
  /** Which delivery holds it. */
  delivery: number;
};
type Add = Parameters<ChunkQueue['add']>;
type Processor = (data: unknown) => Promise<void>;

/** Chances of the faults of a queue. */
export type QueueFaults = { lose: number; repeat: number; reorder: number; refuse: number };

/** As of BullMQ's locks: a job comes back so long after its worker was killed or frozen. */
const stalledMs = { from: 6_000, to: 8_000 };
const firstPauseMs = 1_000;

/** A queue that loses jobs, delivers them twice and in any order, and does not answer. */
export function createQueueDouble(scheduler: Scheduler, faults: () => QueueFaults) {
  const { random } = scheduler;
  const jobs = new Map<string, Job>();
  const workers: { actor: Actor; free: number; process: Processor }[] = [];
  const world = createActor('queue');
  let added = 0;
  let deliveries = 0;
  const strikes = (chance: number, fault: string) => {
    if (random.between(0, 1) >= chance) return false;
    scheduler.meet(fault);
    return true;
  };

  /** A call of the queue is a step, whose answer may be lost before or after its effect. */
  function call<T>(name: string, act: () => T): Promise<T> {
    const actor = currentActor();
    if (!actor) return Promise.resolve(act());
    if (actor.isDead) return never();
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    scheduler.ask({
      ...{ actor, kind: 'queue', name },
      perform() {
        const isRefused = strikes(faults().refuse, 'queue unavailable');
        const hasEffect = !isRefused || random.between(0, 1) < 0.5;
        const value = hasEffect ? act() : undefined;
        scheduler.deliver(actor, () =>
          isRefused ? reject(new Error('The queue is unavailable')) : resolve(value as T),
        );
        return isRefused ? `unavailable ${hasEffect ? 'after' : 'before'}` : JSON.stringify(value);
      },
      performUnheard: () => JSON.stringify(act()) ?? '',
    });
    return promise;
  }

  function add([, data, options]: Add): void {
    const id = options?.jobId ?? '';
    if (jobs.has(id)) return;
    if (strikes(faults().lose, 'job lost')) return;
    added += 1;
    const rank = { priority: options?.priority ?? 0, added };
    jobs.set(id, { id, data, ...rank, state: 'waiting', attempts: 0, delivery: 0 });
  }

  function comeBack(job: Job, delivery: number): void {
    if (job.delivery === delivery && job.state === 'active') job.state = 'waiting';
  }

  async function deliverTo(worker: (typeof workers)[number], job: Job): Promise<void> {
    const { actor } = worker;
    deliveries += 1;
    const delivery = deliveries;
    // A job that came again and again would be given up: each delivery takes the claim of the one before.
    const mayRepeat = job.delivery === 0;
    job.delivery = delivery;
    job.state = mayRepeat && strikes(faults().repeat, 'job repeated') ? 'waiting' : 'active';
    worker.free -= 1;
    let isOver = false;
    const watch = () => {
      const ms = random.between(stalledMs.from, stalledMs.to);
      scheduler.addTimer(world, ms, () => {
        if (isOver && !actor.isDead) return;
        if (scheduler.isAble(actor)) watch();
        else comeBack(job, delivery);
      });
    };
    watch();
    const outcome = await worker.process(job.data).then(
      () => 'done' as const,
      (error: Error) => (error.name === 'UnrecoverableError' ? ('failed' as const) : ('again' as const)),
    );
    isOver = true;
    worker.free += 1;
    // Another delivery holds it since, or it was lost.
    if (job.delivery !== delivery || jobs.get(job.id) !== job) return;
    if (outcome === 'done') jobs.delete(job.id);
    job.attempts += 1;
    if (outcome === 'failed' || job.attempts >= 5) job.state = 'failed';
    else if (outcome === 'again') {
      job.state = 'delayed';
      scheduler.addTimer(world, firstPauseMs * 2 ** (job.attempts - 1), () => {
        if (job.state === 'delayed') job.state = 'waiting';
      });
    }
  }

  scheduler.provide(() => {
    const waiting = [...jobs.values()].filter(({ state }) => state === 'waiting');
    if (waiting.length === 0) return [];
    return workers
      .filter(({ free }) => free > 0)
      .map((worker) => ({
        actor: worker.actor,
        kind: 'job' as const,
        name: '',
        perform() {
          const [first] = waiting.toSorted((a, b) => a.priority - b.priority || a.added - b.added);
          const job = strikes(faults().reorder, 'jobs reordered') ? random.pick(waiting) : first;
          if (!job) return 'none';
          runAs(worker.actor, () => void deliverTo(worker, job));
          return `delivered ${job.id}`;
        },
      }));
  });

  const queue = {
    add: async (...job: Add) => void (await call(`add ${job[2]?.jobId}`, () => add(job))),
    addBulk: async (some: { name: string; data: unknown; opts?: Add[2] }[]) =>
      void (await call(`add ${some.length}`, () =>
        some.forEach((one) => void add([one.name, one.data, one.opts])),
      )),
    getJobState: (id: string) => call(`state of ${id}`, () => jobs.get(id)?.state ?? 'unknown'),
  };
  return {
    queue: queue as unknown as ChunkQueue,
    /** Delivers jobs to an actor, so many at a time. */
    work: (actor: Actor, slots: number, process: Processor) =>
      void workers.push({ actor, free: slots, process }),
    isEmpty: () => [...jobs.values()].every(({ state }) => state === 'failed'),
  };
}
