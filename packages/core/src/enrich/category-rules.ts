import { createHash } from 'node:crypto';
import { CategoryRule } from '@draftshelf/domain/enrich/rules/category-rule';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { queryRows } from '../connection/query-rows.ts';
import { storableJson } from '../connection/storable-json.ts';

/** `version` identifies the content of the rules. */
type VersionedRules = { version: string; rules: CategoryRule[] };

/** Reads the saved rules. Leaves out rules that only a newer release can parse; `saveRules` does not delete these. */
export async function readRules(db: Db): Promise<VersionedRules> {
  const stored = await queryRows<CategoryRule & { rule: object }>(db)`
    select id, name, rule, enabled from category_rules order by position, id`;
  const rules = stored.flatMap(
    ({ rule, ...named }) => CategoryRule.safeParse({ ...named, ...rule }).data ?? [],
  );
  return { version: versionOf(rules), rules };
}

/** Hashes rules to 16 hexadecimal digits. Parsed rules have their keys in schema order, so equal rules hash equally. */
const versionOf = (rules: readonly CategoryRule[]): string =>
  createHash('sha256').update(storableJson(rules)).digest('hex').slice(0, 16);

/** Replaces all rules that `readRules` returns. If their version is not `expected`, saves nothing and returns null. */
export async function saveRules(
  db: Db,
  rules: readonly CategoryRule[],
  expected: string,
): Promise<VersionedRules | null> {
  await lockRules(db);
  const before = await readRules(db);
  if (before.version !== expected) return null;
  const given = rules.map(({ id, name, enabled, ...rule }, position) => ({
    id,
    position,
    name,
    rule,
    enabled,
  }));
  const replaced = [...before.rules, ...rules].map(({ id }) => id);
  await db.deleteFrom('category_rules').where('id', '=', sql<string>`any(${replaced}::uuid[])`).execute();
  await sql`
    insert into category_rules (id, position, name, rule, enabled)
    select * from json_to_recordset(${storableJson(given)}::json)
      as given (id uuid, position int, name text, rule json, enabled boolean)`.execute(db);
  return readRules(db);
}

/** Takes a shared lock on the saved rules until the end of the caller's transaction. */
export async function lockRulesShared(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtext('draftshelf rules'))`.execute(db);
}

/** Takes the exclusive lock on the saved rules until the end of the caller's transaction. */
export async function lockRules(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('draftshelf rules'))`.execute(db);
}
