import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { type Actor, currentActor, never, runOutside } from './actor.ts';
import type { Backend, Backends } from './backends.ts';
import type { Scheduler } from './scheduler.ts';

type Answer = { value: unknown } | { error: unknown };
type Settle = (answer: Answer) => void;
type Callback = (error: unknown, result?: unknown) => void;
/** A client of an actor with the backend that it has. */
type Session = { actor: Actor; client: pg.Client; backend: Backend; isOver: boolean };
type Waiting = { session: Session; name: string; answer: Answer | null; settle: Settle };

/** Whether the connection of a statement is lost, before it reaches Postgres or after its effect. */
export type Cut = 'before' | 'after' | undefined;

/** Postgres is asked whether a statement waits for a lock when it has not answered for this long. */
const answerMs = 3;

/** Statements that read the time or store one, also by a column's default. */
const readsClock = /now\(|clock_timestamp|insert/;

/**
 * Makes each statement of an actor a step of the scheduler. A statement that Postgres shows waiting for a lock lets
 * others go on; its answer is delivered after the step that frees it. Clients of actors get backends of the simulation.
 * `admin`: a connection to the same database. Returns how to take all of that back.
 */
export function scheduleStatements(
  scheduler: Scheduler,
  { admin, backends }: { admin: pg.Client; backends: Backends },
  cutOf: (name: string) => Cut,
): () => Promise<void> {
  const { connect, query, end } = pg.Client.prototype;
  const sessions = new Map<pg.Client, Session>();
  let clients = 0;
  const waiting: Waiting[] = [];
  const closing = new Set<Promise<void>>();
  /** Whether a lock may have been released since waiting statements were looked at. */
  let mayBeFree = false;
  let clockMs = 0;

  async function blocked(some: readonly Session[]): Promise<Set<Session>> {
    const { rows } = await runOutside(() =>
      admin.query(`select pid from unnest($1::int[]) as pid where cardinality(pg_blocking_pids(pid)) > 0`, [
        some.map(({ backend }) => backend.pid),
      ]),
    );
    const pids = new Set(rows.map(({ pid }) => pid));
    return new Set(some.filter(({ backend }) => pids.has(backend.pid)));
  }

  async function begin(actor: Actor, client: pg.Client): Promise<void> {
    clients += 1;
    const backend = await backends.lend(`${actor.name}#${clients}`);
    Object.assign(backend.client, { _types: (client as unknown as { _types: unknown })._types });
    const session: Session = { actor, client, backend, isOver: false };
    // The pool listens from when it has the client; a killed or frozen actor's pool never has it, or late.
    client.on('error', () => {});
    // It has no socket that could keep the process alive.
    Object.assign(client, { ref() {}, unref() {} });
    backend.onEnd = () => tellLost(session);
    if (![...sessions.values()].some((one) => one.actor === actor)) {
      actor.onDeath.push(async () => {
        for (const one of sessions.values()) if (one.actor === actor) close(one);
        await closed();
      });
    }
    sessions.set(client, session);
  }

  /** Ends a session. Its backend notices that once it no longer waits for a lock. */
  function close(session: Session): void {
    session.isOver = true;
    sessions.delete(session.client);
    const open = waiting.find((one) => one.session === session);
    if (open) open.settle = () => giveBack(session);
    else giveBack(session);
  }

  function giveBack({ backend }: Session): void {
    mayBeFree = true;
    const done = runOutside(() => backends.takeBack(backend)).finally(() => closing.delete(done));
    closing.add(done);
  }

  async function closed(): Promise<void> {
    while (closing.size > 0) await Promise.all(closing);
  }

  /** As pg does it when a connection has ended by itself. */
  function tellLost({ actor, client }: Session): void {
    mayBeFree = true;
    sessions.delete(client);
    scheduler.deliver(actor, () => {
      Object.assign(client, { _queryable: false });
      client.emit('error', lostError());
    });
  }

  function lose(session: Session): Promise<void> {
    close(session);
    tellLost(session);
    return closed();
  }

  /** The clock is sent with the statement that may need it. */
  function send(
    { backend: { client } }: Session,
    text: string,
    values: readonly unknown[],
  ): Promise<unknown> {
    return runOutside(() => {
      if (clockMs !== scheduler.now() && readsClock.test(text)) {
        clockMs = scheduler.now();
        // It fails in a transaction that has failed, and so does the statement.
        const forget = () => {
          clockMs = 0;
        };
        (Reflect.apply(query, client, [`select setval('sim.clock', ${clockMs})`]) as Promise<unknown>).catch(
          forget,
        );
      }
      return Reflect.apply(query, client, [{ text, values, ...prepared(text) }]) as Promise<unknown>;
    });
  }

  async function answerTo(session: Session, name: string, real: Promise<unknown>, settle: Settle) {
    const one: Waiting = { session, name, answer: null, settle };
    const answered = real.then(
      (value) => {
        one.answer = { value };
      },
      (error) => {
        one.answer = { error };
      },
    );
    while (!one.answer) {
      await Promise.race([answered, pause(answerMs)]);
      if (!one.answer && (await blocked([session])).size > 0 && !one.answer) {
        waiting.push(one);
        return null;
      }
    }
    return one.answer;
  }

  pg.Client.prototype.connect = function scheduled(this: pg.Client, callback?: Callback) {
    const actor = currentActor();
    if (!actor) return Reflect.apply(connect, this, callback ? [callback] : []);
    if (actor.isDead) return callback ? undefined : never();
    const { promise, resolve } = Promise.withResolvers<void>();
    const perform = async () => {
      await begin(actor, this);
      scheduler.deliver(actor, resolve);
      return 'connected';
    };
    scheduler.ask({ actor, kind: 'statement', name: 'connect', perform });
    if (!callback) return promise;
    promise.then(() => callback(null, this), callback);
  } as typeof connect;

  pg.Client.prototype.end = function closing(this: pg.Client, ...given: unknown[]) {
    const session = sessions.get(this);
    if (session) close(session);
    return Reflect.apply(end, this, given);
  } as typeof end;

  pg.Client.prototype.query = function scheduled(this: pg.Client, ...given: unknown[]) {
    const actor = currentActor();
    const [config, values] = given;
    const text = typeof config === 'string' ? config : (config as { text?: string }).text;
    if (!actor || text === undefined) return Reflect.apply(query, this, given);
    const last = given.at(-1);
    const callback = typeof last === 'function' ? (last as Callback) : undefined;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const name = nameOf(text);
    const deliver: Settle = (answer) =>
      scheduler.deliver(actor, () => ('value' in answer ? resolve(answer.value) : reject(answer.error)));
    const perform = async (settle: Settle): Promise<string> => {
      const session = sessions.get(this);
      // A connection that Postgres has ended is lost already.
      const cut = session && cutOf(name);
      if (cut) scheduler.meet(`connection lost ${cut} a statement`);
      if (!session || cut === 'before') {
        if (session) await lose(session);
        settle({ error: lostError() });
        return 'connection lost before';
      }
      const endedBefore = backends.endedCount();
      const real = send(session, text, Array.isArray(values) ? values : []);
      const answer = await answerTo(session, name, real, settle);
      mayBeFree = true;
      if (!answer) return 'waits for a lock';
      if (name.includes('pg_terminate_backend') && 'value' in answer)
        await backends.waitForEnded(endedBefore + (answer.value as { rows: unknown[] }).rows.length);
      if (cut === 'after') await lose(session);
      const outcome: Answer = cut === 'after' ? { error: lostError() } : answer;
      settle(outcome);
      return outcomeOf(outcome);
    };
    scheduler.ask({
      ...{ actor, kind: 'statement', name },
      perform: () => perform(deliver),
      performUnheard: () => perform(() => {}),
    });
    if (!callback) return promise;
    promise.then((value) => callback(null, value), callback);
  } as typeof query;

  scheduler.settle(async () => {
    await closed();
    if (!mayBeFree || waiting.length === 0) return false;
    mayBeFree = false;
    for (;;) {
      const open = waiting.filter(({ answer }) => !answer);
      if (open.length === 0) break;
      const held = await blocked(open.map(({ session }) => session));
      if (open.every(({ answer, session }) => answer || held.has(session))) break;
      await pause(1);
    }
    const answered = waiting.filter(({ answer }) => answer);
    for (const one of answered) {
      waiting.splice(waiting.indexOf(one), 1);
      const answer = one.answer as Answer;
      scheduler.note(`${one.session.actor.name} has the lock for ${one.name}: ${outcomeOf(answer)}`);
      one.settle(answer);
      mayBeFree = true;
    }
    return answered.length > 0;
  });

  return async () => {
    Object.assign(pg.Client.prototype, { connect, query, end });
    for (const session of sessions.values()) close(session);
    while (waiting.length > 0 || closing.size > 0) {
      await closed();
      for (const one of waiting.filter(({ answer }) => answer)) {
        waiting.splice(waiting.indexOf(one), 1);
        one.settle(one.answer as Answer);
      }
      if (waiting.length > 0) await pause(1);
    }
  };
}

/** A backend plans a statement once. Those that Postgres cannot plan have no name. */
const prepared = (text: string) =>
  /^(\/\* prepared \*\/)?\s*(select|with|insert|update|delete)/i.test(text) ? { name: hashOf(text) } : {};

const lostError = () => new Error('Connection terminated unexpectedly');

/** The begin of a statement, and a hash of all of it. */
function nameOf(text: string): string {
  const words = text.replaceAll(/\s+/g, ' ').trim();
  return `${words.slice(0, 60)} #${hashOf(words).slice(0, 6)}`;
}

const hashOf = (text: string) => createHash('md5').update(text).digest('hex');

function outcomeOf(answer: Answer): string {
  if ('value' in answer) return `${(answer.value as { rowCount?: number | null }).rowCount ?? 0} rows`;
  const { code, message } = answer.error as { code?: string; message?: string };
  return `error ${code ?? message}`;
}
