import type { BackupContext } from '@draftshelf/backup/back-up';
import { checkBackup } from '@draftshelf/backup/check-backup';
import { hasProvenBackup, recordBackupCheck } from '@draftshelf/core/operate/backup/kept-backups';
import { openObject } from '@draftshelf/object-storage/objects';
import type { TaskHandlers } from '@draftshelf/queues/run-task';
import type { EnvOf } from '@draftshelf/runtime/env-catalog';
import type { Logger } from '@draftshelf/runtime/logger';
import { backUpIfDue, listPresentBackups } from './back-up.ts';

type Parts = Pick<BackupContext, 'database' | 'storage'> & {
  env: EnvOf<'DATABASE_URL' | 'BACKUP_DIR' | 'BACKUP_AT' | 'BACKUP_KEEP'>;
  logger: Logger;
};

/** A restore is due if no restore has proven a backup for this long: a week, minus a night. */
const provenMs = 6 * 24 * 60 * 60 * 1000;

/** Returns the handlers that make backups and check them. */
export function createKeeperTasks({ database, storage, env, logger }: Parts): TaskHandlers<'keeper'> {
  const { BACKUP_DIR: directory, BACKUP_AT: at, BACKUP_KEEP: keep, DATABASE_URL: databaseUrl } = env;
  return {
    'back-up': {
      run: ({ signal, lock }) =>
        backUpIfDue({
          ...{ directory, at, keep, lock, database, storage, signal },
          report: (sentence) => logger.info({ sentence }, 'backup'),
        }),
    },
    'check-backup': {
      async run({ signal, lock }) {
        const { db } = database;
        const [newest] = await listPresentBackups(db, directory);
        if (!newest || newest.check || (await hasProvenBackup(db, provenMs))) return 'done';
        const result = await checkBackup(newest.directory, {
          ...{ database, databaseUrl, signal },
          openObject: (key) => openObject(storage, key),
        });
        await db.transaction().execute(async (trx) => {
          await lock(trx);
          await recordBackupCheck(trx, newest.directory, result);
        });
        logger.info({ ...result, directory: newest.directory }, 'backup restored and compared');
        return 'done';
      },
    },
  };
}
