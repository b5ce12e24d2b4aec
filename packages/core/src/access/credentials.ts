import { type KeyedSource, sourcesWithKey } from '@draftshelf/domain/enrich/sources';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { changeRows, findRow, hasRows, queryRows, queryValues } from '../connection/query-rows.ts';
import type { CredentialRecord } from '../connection/schema.ts';
import {
  type CredentialPurpose,
  findServicePurpose,
  type SealingKey,
  type SealingKeys,
  seal,
  unseal,
} from './sealing.ts';

type SavedCredential = { version: number; savedAt: Date; value: unknown };

/** Maximum number of replaced credentials that are kept for running pushes. */
const replacedMax = 10;

/** Re-seals credentials that an old key or the root key sealed. Returns a sentence for each unreadable service. */
export async function resealCredentials(db: Db, keys: SealingKeys | null): Promise<string[]> {
  return db.transaction().execute(async (trx) => {
    const saved = await trx.selectFrom('credentials').selectAll().orderBy('version').forUpdate().execute();
    const unreadable = new Set<string>();
    for (const record of saved) {
      const opened = open(record, keys);
      if (opened.text === null) unreadable.add(opened.reason);
      if (opened.text === null || keys === null) continue;
      const key = keyFor(keys, record.service);
      if (record.key_id === key.id) continue;
      await sql`
        update credentials set sealed = ${seal(key, record.service, opened.text)}, key_id = ${key.id}
        where version = ${record.version}`.execute(trx);
    }
    return [...unreadable];
  });
}

/** Returns a sentence for each service of a purpose whose credentials are unreadable. Does not re-seal any. */
export async function listCredentialProblems(
  db: Db,
  keys: SealingKeys | null,
  purpose: CredentialPurpose,
): Promise<string[]> {
  const saved = await queryRows<CredentialRecord>(db)`select * from credentials where replaced_at is null`;
  return saved
    .filter(({ service }) => findServicePurpose(service) === purpose)
    .map((record) => open(record, keys))
    .flatMap((opened) => (opened.text === null ? [opened.reason] : []));
}

/** The text of credentials. If the keys of this process cannot open them, `reason` is a sentence with the remedy. */
type Opened = { text: string } | { text: null; reason: string };

function open({ service, key_id, sealed }: CredentialRecord, keys: SealingKeys | null): Opened {
  const ring = keys?.[findServicePurpose(service)] ?? [];
  const key = ring.find(({ id }) => id === key_id);
  if (key === undefined) return { text: null, reason: problemOf(service, key_id, ring) };
  try {
    return { text: unseal(key, service, sealed) };
  } catch {
    const reason = `The saved credentials of ${service} are damaged. Enter them again in Settings.`;
    return { text: null, reason };
  }
}

function problemOf(service: string, id: string, [current, root]: readonly SealingKey[]): string {
  if (current === undefined)
    return `CREDENTIALS_KEY is not set, or SEALING_KEY of this worker, but credentials of ${service} are saved: set CREDENTIALS_KEY to the key they were sealed with and SEALING_KEY to the one that is made from it, or set new ones and enter the credentials again in Settings. ${howToMake}`;
  if (root === undefined)
    return `The saved credentials of ${service} are sealed with the key ${id}, but SEALING_KEY of this worker is the key ${current.id}. Set the key that is derived from CREDENTIALS_KEY. If that key is set already, restart the api, which seals credentials of earlier versions again. ${howToMake}`;
  return `The saved credentials of ${service} were sealed with the key ${id}, but CREDENTIALS_KEY is the key ${root.id}. Set CREDENTIALS_KEY to the old key, or set CREDENTIALS_KEY_OLD to it, so that they are sealed again with the new key. If the old key is lost, enter the credentials again in Settings.`;
}

const howToMake = 'docs/OPERATIONS.md, “Sealing keys”, describes how to make them.';

function keyFor(keys: SealingKeys, service: string): SealingKey {
  const [key] = keys[findServicePurpose(service)] ?? [];
  if (key === undefined) throw new Error(`This process has no key to seal credentials of ${service}`);
  return key;
}

/** Finds the current credentials of a service, still sealed. */
export const findCredential = (db: Db, service: string) =>
  findRow<CredentialRecord>(db)`
    select * from credentials where service = ${service} and replaced_at is null`;

/** Returns why a service's current credentials cannot be read. Null if they can be read, or if none are saved. */
export async function readCredentialProblem(
  db: Db,
  keys: SealingKeys | null,
  service: string,
): Promise<string | null> {
  const record = await findCredential(db, service);
  const opened = record && open(record, keys);
  return opened?.text === null ? opened.reason : null;
}

/** Reads the current credentials of a service. Undefined if none are saved, or if they cannot be read. */
export async function readCredential(
  db: Db,
  keys: SealingKeys | null,
  service: string,
): Promise<SavedCredential | undefined> {
  const record = await findCredential(db, service);
  return record && toSaved(record, keys);
}

function toSaved(record: CredentialRecord, keys: SealingKeys | null): SavedCredential | undefined {
  const { version, saved_at: savedAt } = record;
  const { text } = open(record, keys);
  return text === null ? undefined : { version, savedAt, value: JSON.parse(text) };
}

type NewCredential = Pick<CredentialRecord, 'service' | 'shop' | 'origin'> & { value: object };

/** Saves credentials as the current ones of a service. Call it in a transaction. */
export async function saveCredential(db: Db, keys: SealingKeys, credential: NewCredential): Promise<void> {
  const { service, value, shop, origin } = credential;
  const key = keyFor(keys, service);
  await sql`select pg_advisory_xact_lock(hashtext('credentials'), hashtext(${service}))`.execute(db);
  await changeRows(db)`
    update credentials set replaced_at = now() where service = ${service} and replaced_at is null`;
  const sealed = seal(key, service, JSON.stringify(value));
  await sql`
    insert into credentials (service, key_id, sealed, shop, origin)
    values (${service}, ${key.id}, ${sealed}, ${shop}, ${origin})`.execute(db);
  await removeUnusedCredentials(db, service);
}

/** Replaces current credentials by a new value. Returns the new version, or null if `version` is not current. */
export async function updateCredential(
  db: Db,
  keys: SealingKeys,
  { service, value, version }: { service: string; value: object; version: number },
): Promise<number | null> {
  const key = keyFor(keys, service);
  const updated = await findRow<{ version: number }>(db)`
    update credentials set version = default, key_id = ${key.id}, saved_at = now(),
      sealed = ${seal(key, service, JSON.stringify(value))}
    where service = ${service} and version = ${version} and replaced_at is null
    returning version`;
  return updated?.version ?? null;
}

/** Removes all credentials of a service, including those that running pushes use. Returns whether there were any. */
export const removeCredentials = (db: Db, service: string) =>
  hasRows(db)`delete from credentials where service = ${service} returning version`;

/** Removes replaced credentials, except the latest of each shop to which a push is running. */
async function removeUnusedCredentials(db: Db, service: string): Promise<void> {
  await sql`
    delete from credentials where service = ${service} and replaced_at is not null and version not in (
      select max(saved.version) from credentials saved
      where saved.service = ${service} and saved.shop in (
        select runs.shop from import_records as imports join runs on runs.import_id = imports.id
          and runs.stage = 'push' and runs.run = imports.push_run
        where imports.stage = 'push' and imports.status in ('uploading','paused')
      )
      group by saved.shop
      order by max(saved.version) desc limit ${replacedMax}
    )`.execute(db);
}

export const listSourcesWithKey = (db: Db) =>
  queryValues<KeyedSource>(db)`
    select service from credentials where service = any(${sourcesWithKey}::text[]) and replaced_at is null`;

export const shopifyService = 'shopify';

/** Returns functions that read saved credentials, for the shopify package. */
export const createCredentialReaders = (db: Db, keys: SealingKeys | null) => ({
  version: async () => (await findCredential(db, shopifyService))?.version,
  problem: () => readCredentialProblem(db, keys, shopifyService),
  read: () => readCredential(db, keys, shopifyService),
  /** Reads the latest credentials of a shop, current or replaced. */
  async readOfShop(shop: string) {
    const record = await findRow<CredentialRecord>(db)`
      select * from credentials where service = ${shopifyService} and shop = ${shop} order by version desc limit 1`;
    return record && toSaved(record, keys);
  },
});
