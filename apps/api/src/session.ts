import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import type { OpenDatabase } from '@draftshelf/database/connect';
import { takeLoginTurn } from '@draftshelf/database/login-turn';
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
import { type SessionCookies, sessionCookieName, sessionSeconds } from './session-cookie.ts';
import { sharedAnswers } from './shared-answer.ts';

/** Failed logins of one address within `failuresWindowMs`; the next attempt is refused, right or wrong. */
const failuresMax = 10;
const failuresWindowMs = 15 * 60 * 1000;

/**
 * So many logins at a time take a connection of the pool, and so many more wait without one: an attempt waits for its
 * address' turn in Postgres, and guesses by the thousand must leave the other requests their connections.
 */
const attemptsMax = 2;
const attemptsWaitingMax = 1_000;

/** So long a session that was ended through another api process may still be taken for valid here; polls share the look. */
const validityMsMax = 5_000;
const validitiesMax = 10_000;

type LoginResult = 'in' | 'wrong key' | 'too many failures' | 'too many at once';

/** Who may ask. Without an access key everybody on this machine may (decision C13). */
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
  const validity = sharedAnswers(
    async (cookie) => {
      const id = cookies.idIn(cookie);
      return id !== undefined && (await isSessionValid(db, id, keyFingerprint));
    },
    { msMax: validityMsMax, keysMax: validitiesMax },
  );

  const attempts = pLimit(attemptsMax);
  const attempt = (id: string, address: string, given: string) =>
    db.transaction().execute(async (trx): Promise<LoginResult> => {
      await takeLoginTurn(trx, address);
      if ((await countLoginFailures(trx, address, failuresWindowMs)) >= failuresMax) {
        return 'too many failures';
      }
      if (!timingSafeEqual(digest(given), keyDigest)) {
        await insertLoginFailure(trx, address);
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
      const result = await attempts(() => attempt(id, request.ip, given));
      if (result !== 'in') return result;
      await sweepSessions(db, failuresWindowMs);
      reply.header('set-cookie', cookies.holding(id));
      return result;
    },
    async end(request, reply) {
      const cookie = cookieOf(request);
      const id = cookie === undefined ? undefined : cookies.idIn(cookie);
      if (cookie !== undefined && id !== undefined) {
        await deleteSession(db, id);
        validity.forget(cookie);
      }
      reply.header('set-cookie', cookies.none);
    },
  };
}

const cookieForm = new RegExp(`(?:^|;) *${sessionCookieName}=([^;]+)`);

/** The session cookie of a request as it came. Read by hand: it is looked at in every poll. */
const cookieOf = (request: FastifyRequest): string | undefined =>
  cookieForm.exec(request.headers.cookie ?? '')?.[1];

/** Equal lengths, as timingSafeEqual needs them. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
