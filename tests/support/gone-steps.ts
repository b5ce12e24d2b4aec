import type { GoneProductsPlan } from '@draftshelf/contract/push/gone';
import type { GoneLineRecord } from '@draftshelf/core/connection/schema';
import { findPreview } from '@draftshelf/core/push/previews/previews';
import type { GoneAction } from '@draftshelf/domain/suppliers/gone';
import { expect } from 'vitest';
import { csvForm } from './api-client.ts';
import { csvOf, until } from './fixture.ts';
import { pushSteps } from './push-steps.ts';
import type { WorkerStack } from './test.ts';

type Row = Record<string, string | number>;

/** Steps of tests of what is done with products that are no longer listed. */
export function goneSteps(stack: () => WorkerStack) {
  const { read, reach, push } = pushSteps(stack);
  const query = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
    (await stack().database.pool.query(text, values)).rows as T[];
  const rested = async (id: string) => {
    await until('its tasks have ended', async () => {
      const open = `select from chunks where import_id = $1 and state in ('pending','published')`;
      return (await query(open, [id])).length === 0;
    });
    return id;
  };
  const call = async <T>(method: 'GET' | 'POST' | 'PUT', path: string, body?: object, status = 200) => {
    const answer = await stack().api.call(method, path, body && { body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
    return answer.body as T;
  };
  /** Reads a file as a list. */
  const listed = async (filename: string, rows: readonly Row[]) => {
    const headers = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    const csv = csvOf([headers, ...rows.map((row) => headers.map((name) => `${row[name] ?? ''}`))]);
    const answer = await stack().api.upload(csvForm(csv, { filename }));
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const { id } = answer.body as { id: string };
    await reach(id, 'queued', 'processed');
    return rested(id);
  };
  const pushed = async (id: string) => {
    await push(id);
    await reach(id, 'completed');
    return rested(id);
  };
  const counted = async (id: string) => {
    await call('PUT', `/api/queue/${id}/list`, { counts: true });
    return rested(id);
  };
  const sayComplete = async (id: string) =>
    call('PUT', `/api/suppliers/${(await read(id)).supplier}/answers`, {
      set: { sendsComplete: true },
      from: {},
    });
  const readGone = (id: string) => call<GoneProductsPlan>('GET', `/api/queue/${id}/gone`);
  const linesOf = async (id: string) => {
    const plan = await findPreview(stack().database.db, id, 'gone');
    return query<GoneLineRecord>('select * from preview_lines where preview = $1 order by line', [plan?.id]);
  };
  return {
    ...{ query, rested, listed, pushed, counted, sayComplete, readGone, linesOf, call },
    /** Pushes a first list, and lets two count that lack some products; the last one. */
    goneBy: async (label: string, rows: readonly Row[], lacks: (row: Row) => boolean) => {
      const left = rows.filter((row) => !lacks(row));
      await pushed(await listed(`${label} 1.csv`, rows));
      await counted(await listed(`${label} 2.csv`, left));
      const id = await counted(await listed(`${label} 3.csv`, left.toReversed()));
      await sayComplete(id);
      return id;
    },
    /** Plans an action; the lines by key, with what is planned and why. */
    plan: async (id: string, action: GoneAction, keys?: string[]) => {
      await call('POST', `/api/queue/${id}/gone/plan`, { action, ...(keys && { keys }) }, 202);
      await until('it is planned', async () => {
        const { state, message } = await readGone(id);
        if (state === 'failed') throw new Error(message ?? '');
        return state === 'ready';
      }).catch((error: Error) => {
        throw new Error(`${error.message}\n${stack().process('push-worker').output().slice(-1500)}`);
      });
      return Object.fromEntries(
        (await linesOf(id)).map(({ facts, action: end, code }) => [facts.keys.join(), code ?? end]),
      );
    },
    begin: async (id: string) =>
      call('POST', `/api/queue/${id}/gone/push`, { plan: (await readGone(id)).plan }, 202),
    /** Waits for the end of the run; the lines by key, with what was done and why. */
    ended: async (id: string) => {
      await until('the run has ended', async () => {
        const { status, undoes_run, error_message } = await read(id);
        if (status === 'failed') throw new Error(error_message ?? 'failed');
        return undoes_run === null;
      }).catch((error: Error) => {
        throw new Error(`${error.message}\n${stack().process('push-worker').output().slice(-3000)}`);
      });
      await rested(id);
      return Object.fromEntries(
        (await linesOf(id)).map(({ facts, result, result_code: code }) => [
          facts.keys.join(),
          code ?? result,
        ]),
      );
    },
  };
}
