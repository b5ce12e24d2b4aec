import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { findImport } from '@draftshelf/core/imports/imports';
import { deriveOurId } from '@draftshelf/core/imports/our-id';
import { type EffectiveRow, readFirstRows, readRowPage } from '@draftshelf/core/review/effective-rows';
import { currentRows } from '@draftshelf/core/work/runs';
import { expect } from 'vitest';
import { type ApiClient, csvForm } from './api-client.ts';
import { type Fixture, until } from './fixture.ts';
import { statusOf } from './import-status.ts';
import { isLong } from './queue-backend.ts';

/** Longest wait for an import or its tasks. Others use the machine while long forms run. */
export const waitMsMax = isLong ? 180_000 : 100_000;

/** Steps of tests that upload files to the api of a stack, which may be started after this call. */
export function importSteps(
  stack: () => Pick<Fixture, 'database'> & { api: Pick<ApiClient, 'upload' | 'call'> },
) {
  const read = async (id: string): Promise<ImportRecord> => {
    const found = await findImport(stack().database.db, id);
    if (!found) throw new Error('The import is gone');
    return found;
  };
  const reach = async (id: string, ...statuses: string[]): Promise<ImportRecord> => {
    const isThere = async () => statuses.includes(await statusOf(stack().database, id));
    await until(statuses.join(' or '), isThere, waitMsMax).catch(async (error: Error) => {
      throw new Error(`${error.message}: ${JSON.stringify(await read(id))}`);
    });
    return read(id);
  };
  /** `before`: the fields of the form before the file. Without them it is nobody's list, so nothing is carried over. */
  const upload = async (
    csv: string | Uint8Array<ArrayBuffer>,
    before: Record<string, string> = { supplier: '' },
    filename = 'products.csv',
  ): Promise<string> => {
    const answer = await stack().api.upload(csvForm(csv, { before, filename }));
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return (answer.body as { id: string }).id;
  };
  /** Uploads a file and waits until it can be reviewed or pushed. */
  const processed = async (...file: Parameters<typeof upload>) => {
    const id = await upload(...file);
    await reach(id, 'queued', 'processed');
    return id;
  };
  /** Calls the api, which must not refuse. */
  const call = async <Reply>(method: string, path: string, body?: object, status = 200): Promise<Reply> => {
    const answer = await stack().api.call(method, path, body && { body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
    return answer.body as Reply;
  };
  const query = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
    (await stack().database.pool.query(text, values)).rows as T[];
  type Done = { command: string };
  return {
    read,
    reach,
    upload,
    call,
    /** The rows of a statement. */
    query,
    /** The first 10,000 rows of an import, with the values after edits. */
    rowsOf: async (id: string): Promise<EffectiveRow[]> =>
      readRowPage(stack().database.db, currentRows(await read(id)), { after: 0, limit: 10_000 }),
    /** Our ids of an import's products, by the SKU of their first row. */
    ourIds: async (id: string): Promise<Record<string, string>> => {
      const record = await read(id);
      const products = Array.from({ length: record.product_numbers }, (_, at) => at + 1);
      const rows = await readFirstRows(stack().database.db, currentRows(record), products);
      return Object.fromEntries([...rows.values()].map((row) => [row.sku ?? '', deriveOurId(record, row)]));
    },
    /** Edits a row; the command, which can be undone. */
    edit: async (id: string, row: number, values: Record<string, string | null>) =>
      (await call<Done>('PATCH', `/api/queue/${id}/rows/${row}`, { values })).command,
    /** Undoes a command; the command of the undo. */
    undo: async (id: string, command: string) =>
      (await call<Done>('POST', `/api/queue/${id}/edits/${command}/undo`)).command,
    /** A supplier without lists. */
    newSupplier: async (name: string): Promise<number> => {
      const insert = 'insert into suppliers (name) values ($1) returning id';
      const [made] = await query<{ id: number }>(insert, [name]);
      return made?.id ?? 0;
    },
    /** Waits for the tasks of an import. Throws the error of one that is dead. */
    rested: (id: string) =>
      until(
        'no task is left',
        async () => {
          const { rows } = await stack().database.pool.query(
            `select state, error from chunks where import_id = $1 and state in ('pending', 'published', 'dead')`,
            [id],
          );
          for (const { state, error } of rows) if (state === 'dead') throw new Error(error);
          return rows.length === 0;
        },
        waitMsMax,
      ),
    /** Runs a use case in a transaction; it must not be refused. */
    accepted: async <T extends { ok: boolean }>(
      run: (trx: Fixture['database']['db']) => Promise<T>,
    ): Promise<Extract<T, { ok: true }>> => {
      const result = await stack().database.db.transaction().execute(run);
      if (!result.ok) throw new Error(JSON.stringify(result));
      return result as Extract<T, { ok: true }>;
    },
    processed,
    /** Uploads a list of a supplier and waits until it can be reviewed or pushed. */
    nextList: (supplier: number, csv: string) => processed(csv, { supplier: String(supplier) }),
  };
}
