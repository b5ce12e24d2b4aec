import { createHash } from 'node:crypto';
import type { MappingOverrides } from '@draftshelf/domain/reading/mapping/header-mapping';
import {
  findRememberedMapping,
  hasNoChoices,
  headerKeys,
  headerOverlapMin,
  selectMemorableChoices,
} from '@draftshelf/domain/reading/mapping/mapping-memory';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { hasRows } from '../connection/query-rows.ts';
import type { MappingRecord } from '../connection/schema.ts';
import { storableJson } from '../connection/storable-json.ts';
import { changeParseRun, findImport } from '../imports/imports.ts';
import { type RunOfRows, readParseRun, readRunOverrides } from '../work/runs.ts';

/** The maximum number of stored mappings. Above it, the mappings unused for the longest time are deleted. */
const mappingsMax = 500;

export async function recordMappingUse(db: Db, fingerprint: string): Promise<void> {
  await sql`
    update mappings set uses = uses + 1, used_at = now() where fingerprint = ${fingerprint}`.execute(db);
}

const newestMappings = (db: Db) =>
  db.selectFrom('mappings').selectAll().orderBy('created_at', 'desc').orderBy('fingerprint');

export const listMappings = (db: Db): Promise<MappingRecord[]> =>
  newestMappings(db).limit(mappingsMax).execute();

export const deleteMapping = (db: Db, fingerprint: string) =>
  hasRows(db)`delete from mappings where fingerprint = ${fingerprint} returning fingerprint`;

/** `overrides`: by the file's column names. `suppliers`: those for whose lists the column questions are answered. */
export type RecalledMapping = {
  fingerprint: string;
  filename: string;
  overrides: MappingOverrides;
  suppliers: readonly number[];
};

/** Returns the remembered overrides for files with these headers, or else for the most similar headers. */
export async function recallMapping(
  db: Db,
  headers: readonly string[],
): Promise<RecalledMapping | undefined> {
  const keys = headerKeys(headers);
  if (keys.length === 0) return undefined;
  const same = await newestMappings(db).where('fingerprint', '=', fingerprintOf(keys)).execute();
  const [min, max] = [Math.ceil(keys.length * headerOverlapMin), Math.floor(keys.length / headerOverlapMin)];
  const ofSize = sql<boolean>`cardinality(headers) between ${min}::int and ${max}::int`;
  const recalled =
    findRememberedMapping(headers, same) ??
    findRememberedMapping(headers, await newestMappings(db).where(ofSize).execute());
  if (!recalled) return undefined;
  const { fingerprint, filename, suppliers } = recalled.memory;
  return { fingerprint, filename, overrides: recalled.overrides, suppliers };
}

/** Stores the operator's overrides for a file, in place of the overrides stored for the same headers. */
export async function rememberMapping(
  db: Db,
  file: { headers: readonly string[]; overrides: MappingOverrides; filename: string },
): Promise<void> {
  const headers = headerKeys(file.headers);
  if (headers.length === 0) return;
  const fingerprint = fingerprintOf(headers);
  const choices = selectMemorableChoices(file.headers, file.overrides);
  if (hasNoChoices(choices)) {
    await deleteMapping(db, fingerprint);
    return;
  }
  const [columns, readings] = [storableJson(choices.columns), storableJson(choices.readings)];
  await sql`
    insert into mappings (fingerprint, headers, columns, readings, filename)
    values (${fingerprint}, ${headers}::text[], ${columns}, ${readings}, ${file.filename})
    on conflict (fingerprint) do update set headers = excluded.headers, columns = excluded.columns,
      readings = excluded.readings, filename = excluded.filename, created_at = now(), used_at = null, uses = 0,
      suppliers = case when mappings.readings = excluded.readings then mappings.suppliers
        else '{}' end`.execute(db);
  await sql`
    delete from mappings where fingerprint in (
      select fingerprint from mappings
      order by greatest(created_at, used_at) desc, fingerprint offset ${mappingsMax}
    )`.execute(db);
}

/** Returns a key for files with these headers, or null if no header has a name. */
export function fingerprintHeaders(headers: readonly string[]): string | null {
  const keys = headerKeys(headers);
  return keys.length === 0 ? null : fingerprintOf(keys);
}

const fingerprintOf = (keys: readonly string[]): string =>
  createHash('sha256').update(keys.join('\n')).digest('hex');

/** Reopens questions about columns if the remembered answers are for another supplier with the same headers. */
export async function reopenColumnQuestions(db: Db, of: RunOfRows): Promise<void> {
  const { mappingOverrides } = await readRunOverrides(db, of);
  const answers = Object.values(mappingOverrides).filter(({ reading }) => reading !== undefined);
  if (answers.length === 0) return;
  const { supplier = null } = (await findImport(db, of.import_id)) ?? {};
  if (supplier === null) return;
  const { headers, mapping } = await readParseRun(db, of);
  const recalled = await recallMapping(db, headers);
  if (!recalled || recalled.suppliers.includes(supplier)) return;
  const isAnswered = answers.some(({ by }) => by === 'operator');
  if (isAnswered || recalled.suppliers.length === 0) {
    await sql`
      update mappings set suppliers = array_append(suppliers, ${supplier}::int)
      where fingerprint = ${recalled.fingerprint}`.execute(db);
  } else if (mapping.remembered) {
    // Reopens the questions that these answers had settled.
    const { remembered, questions = [], ...others } = mapping;
    const reopened = { ...others, questions: [...questions, ...remembered] };
    await changeParseRun(db, of, { mapping: storableJson(reopened) });
  }
}
