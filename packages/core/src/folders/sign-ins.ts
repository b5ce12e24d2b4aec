import { sql } from 'kysely';
import { removeCredentials, saveCredential } from '../access/credentials.ts';
import type { SealingKeys } from '../access/sealing.ts';
import { timeFromNow } from '../connection/clock.ts';
import type { Db } from '../connection/database.ts';
import { findRow, hasRows, queryValue } from '../connection/query-rows.ts';
import type { SignInRecord } from '../connection/schema.ts';
import { type ClaimedTask, isHeld, requestTask, revokeTask } from '../work/background-tasks.ts';
import { troubleReset, wakeFolderWorkers } from './sources.ts';

/** Service name of the credentials of OneDrive. */
export const oneDriveService = 'onedrive';
/** Service name of the credentials of an app registration that is not tested yet. */
export const untestedAppService = 'onedrive-entered';

export const interruptedSentence = 'The sign-in was interrupted. Start again.';
const unanswered = 'No folder worker answered. Start again when one is running.';

/** Requests a sign-in and cancels an open one. Saves an app registration that is not tested yet. Use a transaction. */
export async function requestSignIn(
  db: Db,
  request: { way: 'code' } | { way: 'app'; app: object; keys: SealingKeys },
): Promise<string> {
  await lockSignIns(db);
  await cancelOpenSignIns(db, 'Another sign-in was started.');
  await removeCredentials(db, untestedAppService);
  if (request.way === 'app') {
    const { app: value, keys } = request;
    await saveCredential(db, keys, { service: untestedAppService, value, shop: null, origin: 'operator' });
  }
  const id = await queryValue<string>(db)`insert into sign_ins (way) values (${request.way}) returning id`;
  await requestTask(db, 'sign-in', 'onedrive');
  await wakeFolderWorkers(db);
  return id;
}

const lockSignIns = (db: Db) =>
  sql`select pg_advisory_xact_lock(hashtext('credentials'), hashtext(${oneDriveService}))`.execute(db);

const withoutCode = sql`
  user_code = null, verification_url = null, expires_at = null, changed_at = clock_timestamp()`;

async function cancelOpenSignIns(db: Db, message: string, isMeant = sql`true`): Promise<boolean> {
  const wereOpen = await hasRows(db)`
    update sign_ins set state = 'cancelled', message = ${message}, ${withoutCode}
    where ${isMeant} and state in ('asked', 'code') returning id`;
  if (wereOpen) await revokeTask(db, 'sign-in', 'onedrive');
  return wereOpen;
}

/** A sign-in that no worker has claimed within this time fails. */
const unansweredMs = 60_000;

/** Fails sign-ins without a worker, then reads a sign-in: the latest one if `id` is undefined. */
export async function readSignIn(db: Db, id?: string): Promise<SignInRecord | undefined> {
  await failLostSignIns(db);
  const isMeant = id === undefined ? sql`true` : sql`id = ${id}`;
  return findRow<SignInRecord>(db)`
    select * from sign_ins where ${isMeant} order by created_at desc, id limit 1`;
}

/** Fails sign-ins whose worker is gone. The same statement removes the untested app registration, never a newer one. */
export async function failLostSignIns(db: Db): Promise<void> {
  await sql`
    with failed as (
      update sign_ins set state = 'failed',
        message = case when claim = 0 then ${unanswered} else ${interruptedSentence} end,
        ${withoutCode}
      where state in ('asked', 'code') and case when claim = 0
        then created_at < clock_timestamp() - ${sql.lit(unansweredMs)} * interval '1 millisecond'
        else not exists (
          select from chunks where task = 'sign-in' and subject is not null and claims = claim and ${isHeld}) end
      returning 1)
    delete from credentials where service = ${untestedAppService} and exists (select from failed)`.execute(
    db,
  );
}

export async function cancelSignIn(db: Db, id: string): Promise<boolean> {
  const wasOpen = await cancelOpenSignIns(db, 'The sign-in was cancelled.', sql`id = ${id}`);
  if (wasOpen) await removeCredentials(db, untestedAppService);
  return wasOpen;
}

/**
 * Removes the saved sign-in, even without its key, and cancels an open sign-in. Imports and known files stay, so that
 * nothing is imported twice after the next sign-in. Returns whether there was a sign-in. Call it in a transaction.
 */
export async function disconnectOneDrive(db: Db): Promise<boolean> {
  await lockSignIns(db);
  const wasOpen = await cancelOpenSignIns(db, 'OneDrive was disconnected.');
  await removeCredentials(db, untestedAppService);
  const wasSignedIn = await removeCredentials(db, oneDriveService);
  await sql`
    update watch_sources set ${withoutTrouble}, state = 'setup', place = null, account = null, simulated = false
    where kind = 'onedrive'`.execute(db);
  await wakeFolderWorkers(db);
  return wasOpen || wasSignedIn;
}

/** Increments `look`, which ends the claim of a running look, so that the look stores nothing. */
const withoutTrouble = sql`
  ${troubleReset}, look_until = null, look = watch_sources.look + 1, changed_at = clock_timestamp()`;

export type ClaimedSignIn = Pick<SignInRecord, 'id' | 'way' | 'claim'>;

/** Begins the requested sign-in. The number of the task's claim becomes the sign-in's claim. */
export const beginSignIn = (db: Db, { claims }: Pick<ClaimedTask, 'claims'>) =>
  findRow<ClaimedSignIn>(db)`
    update sign_ins set claim = ${claims}, changed_at = clock_timestamp()
    where state = 'asked' and claim = 0 returning id, way, claim`;

/** SQL condition: a sign-in is open, and its claim is valid. */
const isClaimed = ({ id, claim }: ClaimedSignIn) =>
  sql`id = ${id} and claim = ${claim} and state in ('asked', 'code')`;

/** Stores the code that the operator has to enter. Returns false if the claim is lost. */
export const storeSignInCode = (
  db: Db,
  signIn: ClaimedSignIn,
  code: { userCode: string; verificationUrl: string; expiresInS: number },
) =>
  hasRows(db)`
    update sign_ins set state = 'code', user_code = ${code.userCode}, verification_url = ${code.verificationUrl},
      expires_at = ${timeFromNow(code.expiresInS * 1000)}, changed_at = clock_timestamp()
    where ${isClaimed(signIn)} returning id`;

/** Ends a sign-in. Returns false if the claim is lost. */
const endSignIn = (db: Db, signIn: ClaimedSignIn, state: 'done' | 'failed', message: string) =>
  hasRows(db)`
    update sign_ins set state = ${state}, message = ${message}, ${withoutCode}
    where ${isClaimed(signIn)} returning id`;

/** Fails a sign-in with a sentence, unless the claim is lost. Call it in a transaction. */
export async function failSignIn(db: Db, signIn: ClaimedSignIn, message: string): Promise<void> {
  if (await endSignIn(db, signIn, 'failed', message)) await removeCredentials(db, untestedAppService);
}

/** Saves a sign-in's credentials and requests a look. Returns false if the claim is lost. Call it in a transaction. */
export async function completeSignIn(
  db: Db,
  keys: SealingKeys,
  signIn: ClaimedSignIn,
  result: { value: object; account: string; message: string; simulated: boolean },
): Promise<boolean> {
  const { value, account, message, simulated } = result;
  await lockSignIns(db);
  if (!(await endSignIn(db, signIn, 'done', message))) return false;
  await removeCredentials(db, untestedAppService);
  await removeCredentials(db, oneDriveService);
  await saveCredential(db, keys, { service: oneDriveService, value, shop: null, origin: 'operator' });
  await sql`
    insert into watch_sources (kind, account, simulated, next_look_at)
    values ('onedrive', ${account}, ${simulated}, clock_timestamp())
    on conflict (kind) do update set ${withoutTrouble}, place = null, account = excluded.account,
      simulated = excluded.simulated, next_look_at = excluded.next_look_at`.execute(db);
  await wakeFolderWorkers(db);
  return true;
}
