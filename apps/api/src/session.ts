import { createHash, createHmac, hkdfSync, randomUUID, timingSafeEqual } from 'node:crypto';
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
import secureSession from '@fastify/secure-session';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sharedAnswers } from './shared-answer.ts';

declare module '@fastify/secure-session' {
  interface SessionData {
    id: string;
  }
}

/** Failed logins of one address within `failuresWindowMs`; the next attempt is refused, right or wrong. */
const failuresMax = 10;
const failuresWindowMs = 15 * 60 * 1000;
const sessionSeconds = 7 * 24 * 60 * 60;

/** So long a session that was ended through another api process may still be taken for valid here; polls share the look. */
const validityMsMax = 5_000;
const validitiesMax = 10_000;

type LoginResult = 'in' | 'wrong key' | 'too many failures';

/** Who may ask. Without an access key everybody on this machine may (decision C13). */
export type Sessions = {
  requiresAuth: boolean;
  isAuthenticated(request: FastifyRequest): Promise<boolean>;
  begin(request: FastifyRequest, accessKey: string): Promise<LoginResult>;
  end(request: FastifyRequest): Promise<void>;
};

type Deps = { database: OpenDatabase; accessKey: string; sessionSecret: string; publicUrl: string };

/**
 * Registers the session cookie, which holds a session's id, and answers what tells and changes who is logged in.
 * `sessions` in Postgres holds expiry and the key's fingerprint: logout and a changed key end a session everywhere.
 */
export async function registerSessions(app: FastifyInstance, deps: Deps): Promise<Sessions> {
  await app.register(secureSession, {
    key: Buffer.from(hkdfSync('sha256', deps.sessionSecret, '', 'draftshelf session cookie', 32)),
    cookieName: 'draftshelf_session',
    expiry: sessionSeconds,
    cookie: {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: new URL(deps.publicUrl).protocol === 'https:',
      maxAge: sessionSeconds,
    },
  });
  return deps.accessKey === '' ? everybody : keyHolders(deps);
}

const everybody: Sessions = {
  requiresAuth: false,
  isAuthenticated: async () => true,
  begin: async () => 'in',
  end: async () => {},
};

function keyHolders({ database: { db }, accessKey, sessionSecret }: Deps): Sessions {
  const keyFingerprint = createHmac('sha256', sessionSecret).update(accessKey).digest('hex');
  const keyDigest = digest(accessKey);
  const validity = sharedAnswers((id) => isSessionValid(db, id, keyFingerprint), {
    msMax: validityMsMax,
    keysMax: validitiesMax,
  });

  return {
    requiresAuth: true,
    async isAuthenticated(request) {
      const id = request.session.get('id');
      return id !== undefined && (await validity.get(id));
    },
    async begin(request, given) {
      const id = randomUUID();
      const result = await db.transaction().execute(async (trx): Promise<LoginResult> => {
        await takeLoginTurn(trx, request.ip);
        if ((await countLoginFailures(trx, request.ip, failuresWindowMs)) >= failuresMax) {
          return 'too many failures';
        }
        if (!timingSafeEqual(digest(given), keyDigest)) {
          await insertLoginFailure(trx, request.ip);
          return 'wrong key';
        }
        const expiresAt = new Date(Date.now() + sessionSeconds * 1000);
        await insertSession(trx, { id, keyFingerprint, expiresAt });
        return 'in';
      });
      if (result !== 'in') return result;
      await sweepSessions(db, failuresWindowMs);
      request.session.regenerate();
      request.session.set('id', id);
      return result;
    },
    async end(request) {
      const id = request.session.get('id');
      if (id !== undefined) {
        await deleteSession(db, id);
        validity.forget(id);
      }
      request.session.delete();
    },
  };
}

/** Equal lengths, as timingSafeEqual needs them. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
