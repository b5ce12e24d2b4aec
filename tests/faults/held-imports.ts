import type { Db } from '@draftshelf/core/connection/database';
import { csvOf, storedImport, until } from '../support/fixture.ts';
import { pushSteps } from '../support/push-steps.ts';
import { gtinOf } from '../support/sources.ts';
import type { Stack } from '../support/stack.ts';

/** What the worker of an import's task does. */
export type TaskWork = {
  /** The statement after which it is held: a part of its work is written and not committed. */
  heldAfter: string;
  /** Makes what the work begins with. Returns the function that begins it. */
  prepare(): Promise<() => Promise<BegunTask>>;
};

export type BegunTask = {
  /** The import of the task. */
  id: string;
  /** Whether the effect is there, exactly once. */
  isDone(): Promise<boolean>;
};

/** Steps towards the work of tasks, on the imports of a stack. */
export function taskSteps(stack: Stack) {
  const { db, pool } = stack.database;
  const { push, reach, read } = pushSteps(() => stack);
  const inTransaction = <T>(step: (trx: Db) => Promise<T>) => db.transaction().execute(step);
  const query = (text: string, values: unknown[] = []) => pool.query(text, values);
  const countOf = async (from: string, ...values: unknown[]): Promise<number> =>
    (await query(`select count(*)::int as count from ${from}`, values)).rows[0].count;
  const accepted = async <T extends { ok: boolean }>(step: (trx: Db) => Promise<T>) => {
    const result = await inTransaction(step);
    if (!result.ok) throw new Error(JSON.stringify(result));
    return result as Extract<T, { ok: true }>;
  };
  const rested = async (id: string) => {
    await reach(id, 'processed', 'queued', 'completed');
    await until('its tasks have ended', async () => (await countOpenChunks(stack, id)) === 0);
    return id;
  };
  const stored = async (csv: string, set: Parameters<typeof storedImport>[1]['set'] = {}) =>
    (await storedImport(stack, { csv, set })).id;
  const imported: typeof stored = async (csv, set) => rested(await stored(csv, set));
  const pushed = async (csv: string) => {
    const id = await imported(csv);
    await push(id);
    await reach(id, 'completed');
    return rested(id);
  };
  return { accepted, countOf, imported, inTransaction, pushed, query, read, rested, stored };
}

let labels = 0;
/** A word that no other file has. */
export function nextLabel(): string {
  labels += 1;
  return `H${labels}x`;
}

/** Products with SKUs of their own. */
export function productsCsv(rows: number): string {
  const label = nextLabel();
  const lines = Array.from({ length: rows }, (_, at) => [`Vase ${label} ${at}`, '9.90', `${label}-${at}`]);
  return csvOf([['Title', 'Price', 'SKU'], ...lines]);
}

let lastCode = 700_000_000_000;
/** Codes that no other import has. */
export function codes(count: number): string[] {
  const first = lastCode;
  lastCode += count;
  return Array.from({ length: count }, (_, at) => gtinOf(first + at));
}

/** Chunks of an import, also its tasks, that are under way or dead. */
export async function countOpenChunks({ database: { pool } }: Stack, id: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from chunks
     where import_id = $1 and state in ('pending', 'published', 'dead')`,
    [id],
  );
  return rows[0]?.count ?? 0;
}
