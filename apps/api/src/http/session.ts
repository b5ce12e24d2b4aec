import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import * as stored from '@draftshelf/core/access/sessions';
import { lockLogin } from '@draftshelf/core/connection/advisory-lock';
import type { OpenDatabase } from '@draftshelf/core/connection/database';
import { callWithTimeout } from '@draftshelf/runtime/answer-within';
import DataLoader from 'dataloader';
import type { FastifyReply, FastifyRequest } from 'fastify';
import pLimit from 'p-limit';
import { type Memo, memoizeByKey } from './memoize-for.ts';
import type { SecurityLog } from './security-log.ts';
import { type SessionCookies, sessionSeconds } from './session-cookie.ts';

/** After this many failed logins of a client within `failuresWindowMs`, even the correct key is refused. */
const failuresMax = 10;
const failuresWindowMs = 15 * 60 * 1000;

/** After this many failed logins of all clients, each wrong key costs `wrongKeyPauseMs`, but no key is refused. */
const overallFailuresMax = 1_000;
const overallWindowMs = 60 * 60 * 1000;
const wrongKeyPauseMs = 2_000;

/** Maximum time of a session's check. A read may wait up to 10 s for a connection. */
const checkMsMax = 15_000;
/** Minimum time between queries. A thousand browsers need 400 checks per second, so several checks share a query. */
const checkEveryMs = 50;

/** Cookies with more characters are not decrypted. Ours have about 200. */
const cookieCharsMax = 1_024;

/** Sessions of browsers. If no access key is set, everyone on this machine is authenticated. */
export type Sessions = {
  requiresAuth: boolean;
  isAuthenticated(request: FastifyRequest): Promise<boolean>;
  begin(request: FastifyRequest, reply: FastifyReply, accessKey: string): Promise<LoginResult>;
  end(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  endAll(request: FastifyRequest, reply: FastifyReply): Promise<void>;
};

type Deps = {
  database: OpenDatabase;
  accessKey: string;
  sessionSecret: string;
  cookies: SessionCookies;
  securityLog: SecurityLog;
};

/** Opens the sessions. Expiry and key fingerprints are stored, so that a logout or a new key applies everywhere. */
export function openSessions(deps: Deps): Sessions {
  return deps.accessKey === '' ? sessionsWithoutKey : sessionsWithKey(deps);
}

const sessionsWithoutKey: Sessions = {
  requiresAuth: false,
  isAuthenticated: async () => true,
  begin: async () => 'in',
  end: async () => {},
  endAll: async () => {},
};

function sessionsWithKey({ database, accessKey, sessionSecret, cookies, securityLog }: Deps): Sessions {
  const { db } = database;
  const keyFingerprint = createHmac('sha256', sessionSecret).update(accessKey).digest('hex');
  const keyDigest = digest(accessKey);
  const cookieOf = cookieReader(cookies);
  let isNoting = false;
  const isValid = createBatchedLookup(
    async (ids) => {
      const { valid, toNote } = await stored.listValidSessions(db, ids, keyFingerprint);
      // This write is not awaited. It is skipped while another one runs: the next check finds the same sessions again.
      if (toNote.length > 0 && !isNoting) {
        isNoting = true;
        stored
          .noteSessionUse(db, toNote)
          .catch(() => {})
          .finally(() => {
            isNoting = false;
          });
      }
      return valid;
    },
    { asked: 'The sessions', msMax: checkMsMax, everyMs: checkEveryMs },
  );
  const validity = createSessionCheckCache(async (cookie) => {
    const id = cookies.idIn(cookie);
    return id !== undefined && (await isValid(id));
  });

  const line = openLoginQueue({
    hasManyFailures: async () =>
      (await stored.countLoginFailures(db, null, overallWindowMs)) >= overallFailuresMax,
    pause: () => after(wrongKeyPauseMs),
  });
  const attempt = (id: string, client: string, key: string) =>
    db.transaction().execute(async (trx): Promise<{ result: LoginResult; failures: number }> => {
      await lockLogin(trx, client);
      const failures = await stored.countLoginFailures(trx, client, failuresWindowMs);
      if (failures >= failuresMax) return { result: 'too many failures', failures };
      if (!timingSafeEqual(digest(key), keyDigest)) {
        await stored.insertLoginFailure(trx, client);
        return { result: 'wrong key', failures: failures + 1 };
      }
      await stored.insertSession(trx, { id, keyFingerprint, seconds: sessionSeconds });
      return { result: 'in', failures };
    });
  const testKey = async (id: string, request: FastifyRequest, key: string): Promise<LoginResult> => {
    const { result, failures } = await attempt(id, clientNetworkOf(request.ip), key);
    if (result === 'wrong key') {
      securityLog.record(request, 'sign-in-failed');
      if (failures === failuresMax) securityLog.record(request, 'locked-out');
    }
    return result;
  };

  const endPresented = async (request: FastifyRequest): Promise<boolean> => {
    const cookie = cookieOf(request);
    const id = cookie === undefined ? undefined : cookies.idIn(cookie);
    if (id === undefined || !(await stored.deleteSession(db, id))) return false;
    validity.forget();
    return true;
  };

  return {
    requiresAuth: true,
    async isAuthenticated(request) {
      const cookie = cookieOf(request);
      return cookie !== undefined && validity.get(cookie);
    },
    async begin(request, reply, key) {
      const id = randomUUID();
      const result = await line.run({
        attempt: () => testKey(id, request, key),
        onSlow: () => securityLog.record(request, 'sign-ins-slowed'),
      });
      if (result !== 'in') return result;
      await endPresented(request);
      securityLog.record(request, 'signed-in');
      reply.header('set-cookie', cookies.set(id));
      return result;
    },
    async end(request, reply) {
      if (await endPresented(request)) securityLog.record(request, 'signed-out');
      reply.header('set-cookie', cookies.clear);
    },
    async endAll(request, reply) {
      const ended = await stored.deleteAllSessions(db);
      validity.forget();
      securityLog.record(request, 'sessions-ended', { detail: `${ended} sessions` });
      reply.header('set-cookie', cookies.clear);
    },
  };
}

/** Returns a function that reads the session cookie with a regular expression, which is fast enough for every poll. */
function cookieReader({ name }: SessionCookies): (request: FastifyRequest) => string | undefined {
  const form = new RegExp(`(?:^|;) *${name}=([^;]+)`);
  return (request) => {
    const cookie = form.exec(request.headers.cookie ?? '')?.[1];
    return cookie === undefined || cookie.length > cookieCharsMax ? undefined : cookie;
  };
}

/** Hashes a key, because timingSafeEqual needs inputs of equal length. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** A session that ended in another api process may stay valid here for this long, because polls share a check. */
const staleMsMax = 5_000;
/** From this age on, a poll starts a new check without waiting for it. */
const msMax = 2_500;
/** Maximum number of cached sessions. Polls of a cached session need no query. A full cache takes about 2 MB. */
const sessionsMax = 5_000;

/** Caches valid cookies, whose decryption takes a third of a poll's time. Unauthenticated requests use no memory. */
export function createSessionCheckCache(check: (cookie: string) => Promise<boolean>): Memo<boolean> {
  return memoizeByKey(check, { msMax, staleMsMax, keysMax: sessionsMax, isKept: (isValid) => isValid });
}

/** Returns an IPv4 address, or an IPv6 address's /64 network, because a client can use all addresses of its network. */
export function clientNetworkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1]) return mapped[1];
  const [head = '', tail = ''] = address.split('::');
  const groupsOf = (part: string) => part.split(':').filter((group) => group !== '');
  const [before, after] = [groupsOf(head), groupsOf(tail)];
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  const groups = [...before, ...zeros, ...after].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}

export type LoginResult = 'in' | 'wrong key' | 'too many failures' | 'too many at once';

// Maximum number of a client's attempts at a time. Each waits for a lock, so many guesses would use up connections.
const attemptsMax = 2;
const waitingMax = 1_000;
/** Maximum number of waiting logins while wrong keys are slowed, so that a correct key does not wait too long. */
const waitingMaxSlow = 30;

type LineDeps = {
  /** Returns whether logins of all clients together have failed too often. Called after each wrong key. */
  hasManyFailures: () => Promise<boolean>;
  pause: () => Promise<void>;
};

type Login = { attempt: () => Promise<LoginResult>; onSlow: () => void };

/** Limits concurrent logins. After many failures, logins are slower, but a correct key succeeds once it is tested. */
export function openLoginQueue({ hasManyFailures, pause }: LineDeps) {
  const attempts = pLimit(attemptsMax);
  let isSlow = false;
  return {
    async run({ attempt, onSlow }: Login): Promise<LoginResult> {
      if (attempts.pendingCount >= (isSlow ? waitingMaxSlow : waitingMax)) return 'too many at once';
      return attempts(async () => {
        const result = await attempt();
        if (result !== 'wrong key') return result;
        const areMany = await hasManyFailures();
        if (areMany && !isSlow) onSlow();
        isSlow = areMany;
        if (areMany) await pause();
        return result;
      });
    },
  };
}

const idsMax = 500;

/** Batches look-ups of ids: one query at a time, `everyMs` after the previous one. Calls in between share a query. */
export function createBatchedLookup(
  list: (ids: readonly string[]) => Promise<ReadonlySet<string>>,
  { asked, msMax, everyMs }: { asked: string; msMax: number; everyMs: number },
): (id: string) => Promise<boolean> {
  let asking: Promise<unknown> = Promise.resolve();
  let turn: Promise<unknown> = Promise.resolve();
  const loader = new DataLoader(
    async (ids: readonly string[]) => {
      const listed = callWithTimeout(msMax, asked, () => list(ids));
      asking = Promise.all([listed.catch(() => {}), after(everyMs, undefined, { ref: false })]);
      const found = await listed;
      return ids.map((id) => found.has(id));
    },
    {
      cache: false,
      maxBatchSize: idsMax,
      batchScheduleFn: (dispatch) => {
        turn = turn.then(() => {
          dispatch();
          return asking;
        });
      },
    },
  );
  return (id) => loader.load(id);
}
