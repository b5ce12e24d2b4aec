import path from 'node:path';
import { keptSecret } from './data-directory.ts';

// Where a data directory keeps what npm start, backups and restores share.

/** The embedded Postgres: its cluster and its password. */
export const postgresDir = (dataDir: string) => path.join(dataDir, 'postgres');

/** Copies before migrations, and nightly backups unless BACKUP_DIR names another folder. */
export const backupsDir = (dataDir: string) => path.join(dataDir, 'backups');

/** The objects of the embedded S3 server. */
export const objectsDir = (dataDir: string) => path.join(dataDir, 'objects');

/** The port of the embedded S3 server, which stays the same: a backup finds the running one by it. */
export const objectsPortFile = (dataDir: string) => path.join(dataDir, 'objects-port');

/** The generated key that seals credentials. */
export const credentialsKeyFile = (dataDir: string) => path.join(dataDir, 'secrets/credentials-key');

/** The keys of the embedded S3 server. */
export async function objectsKeys(dataDir: string): Promise<{ accessKey: string; secretKey: string }> {
  return {
    accessKey: 'draftshelf',
    secretKey: await keptSecret(path.join(dataDir, 'secrets/s3-secret-key')),
  };
}
