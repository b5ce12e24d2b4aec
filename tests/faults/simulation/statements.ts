import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { type Actor, currentActor, never, runAs, runOutside } from './actor.ts';
import type { Scheduler } from './scheduler.ts';

type Answer = { value: unknown } | { error: unknown };
type Waiting = { actor: Actor; client: pg.Client; name: string; answer: Answer | null; settle: Settle };
type Settle = (answer: Answer) => void;
type Callback = (error: unknown, result?: unknown) => void;

/** Whether the connection of a statement is lost, before it reaches Postgres or after its effect. */
export type Cut = 'before' | 'after' | undefined;

/** Postgres is asked whether a statement waits for a lock when it has not answered for this long. */
const answerMs = 2;
const exitMsMax = 10_000;

/**
 * Makes each statement of an actor a step of the scheduler. A statement that Postgres shows waiting for a lock lets
 * others go on; its answer is delivered after the step that frees it. `admin`: a connection of the simulation's own, to
 * the same database. Returns how to take all of that back.
 */
export function scheduleStatements(
  scheduler: Scheduler,
  admin: pg.Client,
  cutOf: (name: string) => Cut,
): () => void {
  const { connect, query } = pg.Client.prototype;
  const clients = new Map<pg.Client, Actor>();
  /** Backends of killed actors that wait for a lock. */
  const ghosts = new Set<number>();
  const waiting: Waiting[] = [];
  let clockMs = 0;
  const ask = (text: string, values: unknown[] = []) => runOutside(() => admin.query(text, values));
  const pidOf = (client: pg.Client) => (client as unknown as { processID: number }).processID;

  async function blocked(pids: readonly number[]): Promise<Set<number>> {
    const { rows } = await ask(
      `select pid from unnest($1::int[]) as pid where cardinality(pg_blocking_pids(pid)) > 0`,
      [pids],
    );
    return new Set(rows.map((row) => row.pid));
  }

  /** Waits until backends have ended, but for those that wait for a lock: these cannot notice it. */
  async function exited(pids: readonly number[]): Promise<void> {
    for (const until = performance.now() + exitMsMax; ; ) {
      const { rows } = await ask(`select pid from pg_stat_activity where pid = any($1)`, [pids]);
      const left = rows.map((row) => row.pid as number);
      const held = await blocked(left);
      if (left.every((pid) => held.has(pid))) {
        for (const pid of left) ghosts.add(pid);
        return;
      }
      if (performance.now() > until) throw new Error('A backend does not end');
      await pause(1);
    }
  }

  function follow(actor: Actor, client: pg.Client): void {
    if (![...clients.values()].includes(actor)) {
      actor.onDeath.push(async () => {
        const own = [...clients].filter(([, one]) => one === actor).map(([one]) => one);
        for (const one of own) drop(one);
        await exited(own.map(pidOf).filter((pid) => pid));
      });
    }
    clients.set(client, actor);
    // The pool listens from when it has the client; a killed or frozen actor's pool never has it, or late.
    client.on('error', () => {});
    client.once('end', () => clients.delete(client));
  }

  function drop(client: pg.Client): void {
    clients.delete(client);
    for (const one of [...waiting]) if (one.client === client) waiting.splice(waiting.indexOf(one), 1);
    (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  }

  /** Waits until so many backends that a statement has ended are gone, and their clients know it. */
  async function noticed(before: readonly number[], count: number): Promise<void> {
    for (const until = performance.now() + exitMsMax; ; ) {
      const { rows } = await ask('select pid from pg_stat_activity where pid = any($1)', [before]);
      const alive = new Set(rows.map((row) => row.pid));
      const knows = [...clients.keys()].every((client) => alive.has(pidOf(client)));
      if (knows && before.length - alive.size >= count) return;
      if (performance.now() > until) throw new Error('A client does not notice its end');
      await pause(1);
    }
  }

  /** A statement that neither reads the time nor stores one, also by a column's default, needs no clock. */
  async function setClock(text: string): Promise<void> {
    if (clockMs === scheduler.now() || !/now\(|clock_timestamp|insert/.test(text)) return;
    clockMs = scheduler.now();
    await ask(`select setval('sim.clock', $1)`, [clockMs]);
  }

  pg.Client.prototype.connect = function scheduled(this: pg.Client, callback?: Callback) {
    const actor = currentActor();
    if (!actor) return Reflect.apply(connect, this, callback ? [callback] : []);
    if (actor.isDead) return callback ? undefined : never();
    const { promise, resolve } = Promise.withResolvers<void>();
    const perform = async () => {
      await runAs(actor, () => Reflect.apply(connect, this, []) as Promise<void>);
      follow(actor, this);
      // Steps of others may take longer than a transaction may be idle.
      await Reflect.apply(query, this, ['set idle_in_transaction_session_timeout = 0']);
      scheduler.deliver(actor, resolve);
      return 'connected';
    };
    scheduler.ask({ actor, kind: 'statement', name: 'connect', perform });
    if (!callback) return promise;
    promise.then(() => callback(null, this), callback);
  } as typeof connect;

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
      // A connection that Postgres has ended is lost already.
      const cut = clients.has(this) ? cutOf(name) : undefined;
      if (cut) scheduler.meet(`connection lost ${cut} a statement`);
      if (cut === 'before') {
        await lose(this);
        settle({ error: lostError() });
        return 'connection lost before';
      }
      await setClock(text);
      const before = [...clients.keys()].map(pidOf).concat([...ghosts]);
      const one: Waiting = { actor, client: this, name, answer: null, settle };
      const real = runOutside(
        () =>
          Reflect.apply(query, this, Array.isArray(values) ? [config, values] : [config]) as Promise<unknown>,
      );
      real.then(
        (value) => {
          one.answer = { value };
        },
        (error) => {
          one.answer = { error };
        },
      );
      while (!one.answer) {
        await Promise.race([real.catch(() => {}), pause(answerMs)]);
        if (!one.answer && (await blocked([pidOf(this)])).size > 0 && !one.answer) {
          waiting.push(one);
          return 'waits for a lock';
        }
      }
      if (name.includes('pg_terminate_backend') && 'value' in one.answer) {
        await noticed(before, (one.answer.value as { rows: unknown[] }).rows.length);
      }
      if (cut === 'after') {
        await lose(this);
        one.answer = { error: lostError() };
      }
      settle(one.answer);
      return outcomeOf(one.answer);
    };
    scheduler.ask({
      ...{ actor, kind: 'statement', name },
      perform: () => perform(deliver),
      performUnheard: () => perform(() => {}),
    });
    if (!callback) return promise;
    promise.then((value) => callback(null, value), callback);
  } as typeof query;

  async function lose(client: pg.Client): Promise<void> {
    const end = new Promise((resolve) => client.once('end', resolve));
    const pid = pidOf(client);
    drop(client);
    await end;
    await exited([pid]);
  }

  scheduler.settle(async () => {
    let delivered = false;
    for (;;) {
      const open = waiting.filter(({ answer }) => !answer);
      if (open.length === 0) break;
      const held = await blocked(open.map(({ client }) => pidOf(client)));
      if (open.every(({ answer, client }) => answer || held.has(pidOf(client)))) break;
      await pause(1);
    }
    for (const one of waiting.filter(({ answer }) => answer)) {
      waiting.splice(waiting.indexOf(one), 1);
      const answer = one.answer as Answer;
      scheduler.note(`${one.actor.name} has the lock for ${one.name}: ${outcomeOf(answer)}`);
      one.settle(answer);
      delivered = true;
    }
    return delivered;
  });

  return () => {
    Object.assign(pg.Client.prototype, { connect, query });
    for (const client of clients.keys()) drop(client);
  };
}

const lostError = () => new Error('Connection terminated unexpectedly');

/** The begin of a statement, and a hash of all of it. */
function nameOf(text: string): string {
  const words = text.replaceAll(/\s+/g, ' ').trim();
  const hash = createHash('sha256').update(words).digest('hex').slice(0, 6);
  return `${words.slice(0, 60)} #${hash}`;
}

function outcomeOf(answer: Answer): string {
  if ('value' in answer) return `${(answer.value as { rowCount?: number | null }).rowCount ?? 0} rows`;
  const { code, message } = answer.error as { code?: string; message?: string };
  return `error ${code ?? message}`;
}
