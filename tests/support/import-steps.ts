import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { findImport } from '@draftshelf/core/imports/imports';
import { expect } from 'vitest';
import { type ApiClient, csvForm } from './api-client.ts';
import { type Fixture, until } from './fixture.ts';
import { statusOf } from './import-status.ts';
import { isLong } from './queue-backend.ts';

/** Longest wait for an import or its tasks. Others use the machine while long forms run. */
export const waitMsMax = isLong ? 180_000 : 100_000;

/** Steps of tests that upload files to the api of a stack, which may be started after this call. */
export function importSteps(stack: () => Pick<Fixture, 'database'> & { api: Pick<ApiClient, 'upload'> }) {
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
  ): Promise<string> => {
    const answer = await stack().api.upload(csvForm(csv, { before }));
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return (answer.body as { id: string }).id;
  };
  return {
    read,
    reach,
    upload,
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
    /** Uploads a file and waits until it can be reviewed or pushed. */
    processed: async (csv: string | Uint8Array<ArrayBuffer>, before?: Record<string, string>) => {
      const id = await upload(csv, before);
      await reach(id, 'queued', 'processed');
      return id;
    },
  };
}
