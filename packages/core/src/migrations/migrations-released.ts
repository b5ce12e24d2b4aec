import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The hashes of released migrations, by name. `release-main.ts` writes them. */
export const releasedFile = new URL('./released.json', import.meta.url);

/** The migrations that a release contains, with the hashes of their files. None of them may be edited any more. */
export function readReleased(): Record<string, string> {
  return JSON.parse(readFileSync(releasedFile, 'utf8')) as Record<string, string>;
}

/** The hash of a migration's file. Throws if there is none. */
export function hashMigration(name: string): string {
  const bytes = readFileSync(new URL(`./${name}.ts`, import.meta.url));
  return createHash('sha256').update(bytes).digest('hex');
}
