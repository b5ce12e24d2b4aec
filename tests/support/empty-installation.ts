import { randomBytes } from 'node:crypto';
import type { BackupContext } from '@draftshelf/backup/back-up';
import { createObjectStorage } from '@draftshelf/object-storage/connect';
import { inject } from 'vitest';
import { type Fixture, openFixture } from './fixture.ts';

/** A database without tables and a storage without the bucket, as for a restore. Close it after the tests. */
export async function openEmptyInstallation(): Promise<Fixture> {
  const fixture = await openFixture({ ...inject('services'), templateDatabase: 'template0' });
  const storageEnv = { ...fixture.storageEnv, S3_BUCKET: `restored-${randomBytes(6).toString('hex')}` };
  return { ...fixture, storageEnv, storage: createObjectStorage(storageEnv) };
}

/** What a backup or restore of a fixture works on. `said`: gets its progress. */
export const workOn = ({ database, storage }: Fixture, said: string[] = []): BackupContext => ({
  database,
  storage,
  signal: new AbortController().signal,
  report: (sentence) => void said.push(sentence),
});
