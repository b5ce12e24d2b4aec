import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Random } from '../fault-random.ts';
import { type Actor, createActor, runAs } from './actor.ts';

/** One thing that may happen next. `perform` does it and returns its outcome for the trace. */
export type Step = {
  actor: Actor;
  kind: 'statement' | 'call' | 'queue' | 'job' | 'timer' | 'merchant' | 'operator';
  name: string;
  perform(): Promise<string> | string;
  /** Its effect happens, but its actor never hears of it. */
  performUnheard?(): Promise<string> | string;
};

type Timer = { actor: Actor; atMs: number; nth: number; everyMs: number | null; fire: () => void };

/** Decides what goes wrong at a step; undefined: nothing. */
export type Sabotage = (step: Step) => 'kill before' | 'kill after' | 'freeze' | undefined;

export type Scheduler = ReturnType<typeof createScheduler>;

const stepsMax = 30_000;
/** Consecutive turns of Node's loop without news after which no code of an actor has anything left to do. */
const quietTurns = 3;

/** The simulated time begins here. */
export const startMs = Date.parse('2026-11-20T10:00:00Z');

/**
 * Lets one step happen at a time, chosen by the seed. In between, it waits until the code of all actors waits for a
 * step or a timer. The clock moves by a little with each step, and to the next timer when no step is possible.
 */
export function createScheduler(random: Random, beginMs: number) {
  let nowMs = beginMs;
  let news = 0;
  let nth = 0;
  let steps = 0;
  const asked: Step[] = [];
  const timers = new Set<Timer>();
  const providers: (() => Step[])[] = [];
  const settlers: (() => Promise<boolean>)[] = [];
  const trace: string[] = [];
  const digest = createHash('sha256');
  const met = new Map<string, number>();
  let sabotage: Sabotage = () => undefined;

  const isAble = (actor: Actor) => !actor.isDead && actor.frozenUntilMs <= nowMs;
  const note = (line: string) => {
    trace.push(line);
    digest.update(`${line}\n`);
  };
  const meet = (fault: string) => met.set(fault, (met.get(fault) ?? 0) + 1);

  /** Hands an answer to an actor: at once, when it wakes up, or never. */
  function deliver(actor: Actor, answer: () => void): void {
    news += 1;
    if (actor.isDead) return;
    if (isAble(actor)) answer();
    else actor.inbox.push(answer);
  }

  async function kill(actor: Actor): Promise<void> {
    actor.isDead = true;
    for (const timer of timers) if (timer.actor === actor) timers.delete(timer);
    for (let at = asked.length - 1; at >= 0; at -= 1) if (asked[at]?.actor === actor) asked.splice(at, 1);
    for (const end of actor.onDeath) await end();
  }

  function freeze(actor: Actor, ms: number): void {
    actor.frozenUntilMs = nowMs + ms;
    // Its timers that are due meanwhile fire when it wakes up.
    addTimer(createActor('world'), ms, () => {
      if (actor.isDead) return;
      note(`${actor.name} wakes up`);
      for (const answer of actor.inbox.splice(0)) answer();
    });
  }

  function addTimer(actor: Actor, ms: number, fire: () => void, everyMs: number | null = null): () => void {
    news += 1;
    nth += 1;
    const timer = { actor, atMs: nowMs + Math.max(1, Math.ceil(ms)), nth, everyMs, fire };
    if (!actor.isDead) timers.add(timer);
    return () => timers.delete(timer);
  }

  const timerStep = (timer: Timer): Step => ({
    actor: timer.actor,
    kind: 'timer',
    name: '',
    perform() {
      timers.delete(timer);
      if (timer.everyMs !== null)
        timers.add(Object.assign(timer, { atMs: nowMs + Math.max(1, timer.everyMs) }));
      runAs(timer.actor, timer.fire);
      return '';
    },
  });

  async function quiet(): Promise<void> {
    for (let still = 0; still < quietTurns; ) {
      const before = news;
      await setImmediate();
      still = news === before ? still + 1 : 0;
    }
  }

  async function perform(step: Step): Promise<void> {
    const at = asked.indexOf(step);
    if (at >= 0) asked.splice(at, 1);
    const fault = sabotage(step);
    if (fault) meet(fault);
    const line = `${nowMs - beginMs} ${step.actor.name} ${step.kind} ${step.name}`;
    if (fault === 'kill before') {
      note(`${line}: killed before`);
      return kill(step.actor);
    }
    if (fault === 'kill after') {
      note(`${line}: killed after, ${await (step.performUnheard ?? step.perform)()}`);
      return kill(step.actor);
    }
    if (fault === 'freeze') {
      const ms = Math.floor(random.between(500, 25_000));
      freeze(step.actor, ms);
      note(`${step.actor.name} is frozen for ${ms} ms`);
    }
    const outcome = await step.perform();
    if (step.kind !== 'timer') note(`${line}: ${outcome}`);
  }

  return {
    random,
    now: () => nowMs,
    addTimer,
    deliver,
    kill,
    note,
    meet,
    isAble,
    /** Asks for a step; it happens when it is chosen. Returns how to take it back. */
    ask(step: Step): () => void {
      news += 1;
      if (!step.actor.isDead) asked.push(step);
      return () => {
        const at = asked.indexOf(step);
        if (at >= 0) asked.splice(at, 1);
      };
    },
    /** Further steps that are possible now. */
    provide: (provider: () => Step[]) => void providers.push(provider),
    /** Called after each step; returns whether something was delivered. */
    settle: (settler: () => Promise<boolean>) => void settlers.push(settler),
    setSabotage(next: Sabotage) {
      sabotage = next;
    },
    trace: trace as readonly string[],
    met: met as ReadonlyMap<string, number>,
    steps: () => steps,
    digest: () => digest.copy().digest('hex'),
    /** Lets steps happen until `isOver`, which is asked whenever all actors wait for the clock. */
    async run(isOver: () => Promise<boolean>): Promise<void> {
      for (;;) {
        await quiet();
        const delivered = await Promise.all(settlers.map((settler) => settler()));
        if (delivered.includes(true)) continue;
        const due = [...timers].filter((timer) => timer.atMs <= nowMs && isAble(timer.actor));
        const able = [
          // What a process has sent before it freezes arrives.
          ...asked,
          ...due.sort((a, b) => a.atMs - b.atMs || a.nth - b.nth).map(timerStep),
          ...providers.flatMap((provider) => provider().filter((step) => isAble(step.actor))),
        ];
        if (able.length === 0) {
          if (await isOver()) return;
          const next = [...timers].filter((timer) => isAble(timer.actor)).map((timer) => timer.atMs);
          if (next.length === 0) throw new Error('Nobody waits for anything');
          nowMs = Math.max(nowMs, Math.min(...next));
          continue;
        }
        steps += 1;
        if (steps > stepsMax) throw new Error(`The work has not ended after ${stepsMax} steps`);
        const step = random.pick(able);
        // Of an edit and a read at the same time, nothing says which was first.
        const [from, to] = step.kind === 'call' ? [20, 300] : [step.kind === 'operator' ? 1 : 0, 3];
        nowMs += Math.floor(random.between(from, to));
        await perform(step);
      }
    },
  };
}
