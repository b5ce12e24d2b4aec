import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import type { OpenDatabase } from '@draftshelf/database/connection/database';
import { lockLogin } from '@draftshelf/database/connection/login-turn';
import {
  countLoginFailures,
  deleteSession,
  insertLoginFailure,
  insertSession,
  isSessionValid,
  sweepSessions,
} from '@draftshelf/database/sessions';
import type { FastifyReply, FastifyRequest } from 'fastify';
import pLimit from 'p-limit';
import { clientOf } from './client-of.ts';
import { memoizeFor } from './memoize-for.ts';
import { type SessionCookies, sessionCookieName, sessionSeconds } from './session-cookie.ts';

/** Failed logins of one client within `failuresWindowMs`; the next attempt is refused, right or wrong. */
const failuresMax = 10;
const failuresWindowMs = 15 * 60 * 1000;

/**
 * So many logins at a time take a connection of the pool, and so many more wait without one: an attempt waits for its
 * client's turn in Postgres, and guesses by the thousand must leave the other requests their connections.
 */
const attemptsMax = 2;
const attemptsWaitingMax = 1_000;

/**
 * How long a session that was ended through another api process may still be taken for valid here: polls share one look.
 * Only valid sessions are kept, so that requests of strangers leave nothing behind. They are known by their cookies:
 * opening one takes a third of a poll's time.
 */
const validityMsMax = 5_000;
const validitiesMax = 500;

/** A cookie of ours has some 200 characters. Longer ones are not opened. */
const cookieCharsMax = 1_024;

type LoginResult = 'in' | 'wrong key' | 'too many failures' | 'too many at once';

/** Who may ask. Without an access key everybody on this machine may. */
export type Sessions = {
  requiresAuth: boolean;
  /** No promise where it is known already, as in nearly every poll. */
  isAuthenticated(request: FastifyRequest): boolean | Promise<boolean>;
  begin(request: FastifyRequest, reply: FastifyReply, accessKey: string): Promise<LoginResult>;
  end(request: FastifyRequest, reply: FastifyReply): Promise<void>;
};

type Deps = { database: OpenDatabase; accessKey: string; sessionSecret: string; cookies: SessionCookies };

/**
 * Answers what tells and changes who is logged in. The session cookie holds a session's id, sealed; `sessions` in
 * Postgres holds expiry and the key's fingerprint: logout and a changed key end a session everywhere.
 */
export function openSessions(deps: Deps): Sessions {
  return deps.accessKey === '' ? everybody : keyHolders(deps);
}

const everybody: Sessions = {
  requiresAuth: false,
  isAuthenticated: () => true,
  begin: async () => 'in',
  end: async () => {},
};

function keyHolders({ database: { db }, accessKey, sessionSecret, cookies }: Deps): Sessions {
  const keyFingerprint = createHmac('sha256', sessionSecret).update(accessKey).digest('hex');
  const keyDigest = digest(accessKey);
  const validity = memoizeFor(
    async (cookie) => {
      const id = cookies.idIn(cookie);
      return id !== undefined && (await isSessionValid(db, id, keyFingerprint));
    },
    { msMax: validityMsMax, keysMax: validitiesMax, isKept: (isValid) => isValid },
  );

  const attempts = pLimit(attemptsMax);
  const attempt = (id: string, client: string, given: string) =>
    db.transaction().execute(async (trx): Promise<LoginResult> => {
      await lockLogin(trx, client);
      if ((await countLoginFailures(trx, client, failuresWindowMs)) >= failuresMax) {
        return 'too many failures';
      }
      if (!timingSafeEqual(digest(given), keyDigest)) {
        await insertLoginFailure(trx, client);
        return 'wrong key';
      }
      const expiresAt = new Date(Date.now() + sessionSeconds * 1000);
      await insertSession(trx, { id, keyFingerprint, expiresAt });
      return 'in';
    });

  return {
    requiresAuth: true,
    isAuthenticated(request) {
      const cookie = cookieOf(request);
      return cookie !== undefined && validity.get(cookie);
    },
    async begin(request, reply, given) {
      if (attempts.pendingCount >= attemptsWaitingMax) return 'too many at once';
      const id = randomUUID();
      const result = await attempts(() => attempt(id, clientOf(request.ip), given));
      if (result !== 'in') return result;
      await sweepSessions(db, failuresWindowMs);
      reply.header('set-cookie', cookies.holding(id));
      return result;
    },
    async end(request, reply) {
      const cookie = cookieOf(request);
      const id = cookie === undefined ? undefined : cookies.idIn(cookie);
      if (id !== undefined) {
        await deleteSession(db, id);
        validity.forget();
      }
      reply.header('set-cookie', cookies.none);
    },
  };
}

const cookieForm = new RegExp(`(?:^|;) *${sessionCookieName}=([^;]+)`);

/** The session cookie of a request as it came. Read by hand: it is looked at in every poll. */
function cookieOf(request: FastifyRequest): string | undefined {
  const cookie = cookieForm.exec(request.headers.cookie ?? '')?.[1];
  return cookie === undefined || cookie.length > cookieCharsMax ? undefined : cookie;
}

/** Equal lengths, as timingSafeEqual needs them. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
