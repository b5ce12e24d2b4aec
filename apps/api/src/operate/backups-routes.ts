import { getBackups } from '@draftshelf/contract/operate/backups';
import { readKeptBackups } from '@draftshelf/core/operate/backup/kept-backups';
import { readTaskError } from '@draftshelf/core/work/leased-tasks';
import { countLive } from '@draftshelf/core/work/processes';
import type { ApiDatabases } from '../http/databases.ts';
import { type Api, serve } from '../http/serve.ts';

export function serveBackups(api: Api, { database: { db } }: ApiDatabases): void {
  serve(api, getBackups, async () => {
    const { last, check } = await readKeptBackups(db);
    return {
      isKept: (await countLive(db, 'keeper')) > 0,
      last: last && { ...last, takenAt: last.takenAt.toISOString() },
      check: check && { ...check.result, at: check.at.toISOString() },
      problem: await readTaskError(db, 'back-up'),
    };
  });
}
