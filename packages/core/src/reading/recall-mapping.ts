import { createHash } from 'node:crypto';
import type { MappingOverrides } from '@draftshelf/domain/reading/mapping/header-mapping';
import {
  headerKeys,
  isEmpty,
  memorable,
  overlapMin,
  recallFrom,
} from '@draftshelf/domain/reading/mapping/mapping-memory';
import type { Db } from '../connection/database.ts';
import { deleteMapping, findMapping, listMappingsBySize, saveMapping } from './mappings.ts';

/** `overrides` has the file's own column names. `suppliers`: those for whose lists its answers were given. */
export type RecalledMapping = {
  fingerprint: string;
  filename: string;
  overrides: MappingOverrides;
  suppliers: readonly number[];
};

/** Remembered overrides for files with these headers, or else with the most similar headers. */
export async function recallMapping(
  db: Db,
  headers: readonly string[],
): Promise<RecalledMapping | undefined> {
  const keys = headerKeys(headers);
  if (keys.length === 0) return undefined;
  const same = await findMapping(db, fingerprintOf(keys));
  const recalled =
    (same && recallFrom(headers, [same])) ??
    recallFrom(
      headers,
      await listMappingsBySize(db, Math.ceil(keys.length * overlapMin), Math.floor(keys.length / overlapMin)),
    );
  if (!recalled) return undefined;
  const { fingerprint, filename, suppliers } = recalled.memory;
  return { fingerprint, filename, overrides: recalled.overrides, suppliers };
}

/** Remembers the operator's overrides for a file, in place of remembered ones for the same headers. */
export async function rememberMapping(
  db: Db,
  file: { headers: readonly string[]; overrides: MappingOverrides; filename: string },
): Promise<void> {
  const headers = headerKeys(file.headers);
  if (headers.length === 0) return;
  const fingerprint = fingerprintOf(headers);
  const choices = memorable(file.headers, file.overrides);
  if (isEmpty(choices)) await deleteMapping(db, fingerprint);
  else await saveMapping(db, { fingerprint, headers, ...choices, filename: file.filename });
}

/** Identifies files with these headers; null: they have too few names. */
export function layoutOf(headers: readonly string[]): string | null {
  const keys = headerKeys(headers);
  return keys.length === 0 ? null : fingerprintOf(keys);
}

const fingerprintOf = (keys: readonly string[]): string =>
  createHash('sha256').update(keys.join('\n')).digest('hex');
