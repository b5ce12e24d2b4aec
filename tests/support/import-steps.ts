import type { ImportRecord } from '@draftshelf/database/connection/schema';
import { findImport } from '@draftshelf/database/imports/imports';
import { expect } from 'vitest';
import { type ApiClient, csvForm } from './api-client.ts';
import { type Fixture, until } from './fixture.ts';

const reachMsMax = 60_000;

/** Steps of tests that upload files to the api of a stack, which may be started after this call. */
export function importSteps(stack: () => Pick<Fixture, 'database'> & { api: Pick<ApiClient, 'upload'> }) {
  const read = async (id: string): Promise<ImportRecord> => {
    const found = await findImport(stack().database.db, id);
    if (!found) throw new Error('The import is gone');
    return found;
  };
  const reach = async (id: string, ...statuses: string[]): Promise<ImportRecord> => {
    const isThere = async () => statuses.includes((await read(id)).status);
    await until(statuses.join(' or '), isThere, reachMsMax).catch(async (error: Error) => {
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
    /** Uploads a file and waits until it can be reviewed or pushed. */
    processed: async (csv: string | Uint8Array<ArrayBuffer>, before?: Record<string, string>) => {
      const id = await upload(csv, before);
      await reach(id, 'queued', 'processed');
      return id;
    },
  };
}
