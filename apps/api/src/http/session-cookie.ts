import { hkdfSync } from 'node:crypto';
import querystring from 'node:querystring';
import secureSession from '@fastify/secure-session';
import type { FastifyInstance } from 'fastify';

const cookieName = 'draftshelf_session';
export const sessionSeconds = 7 * 24 * 60 * 60;

declare module '@fastify/secure-session' {
  interface SessionData {
    id: string;
  }
}

/** Creates and reads session cookies. */
export type SessionCookies = {
  /** Over HTTPS it has the prefix with which no other host and no page over HTTP can set it. */
  readonly name: string;
  set(id: string): string;
  /** The Set-Cookie header that removes the session. */
  readonly clear: string;
  /** The session's id in a cookie's value; undefined if we did not seal it. */
  idIn(cookie: string): string | undefined;
};

/**
 * Session cookies sealed by @fastify/secure-session. The plugin is registered in a context without routes, because its
 * hook would decrypt the cookie in every poll. One decryption serves many polls (docs/decisions/0014).
 */
export async function sessionCookies(
  app: FastifyInstance,
  options: { sessionSecret: string; publicUrl: string },
): Promise<SessionCookies> {
  const key = Buffer.from(hkdfSync('sha256', options.sessionSecret, '', 'draftshelf session cookie', 32));
  const secure = new URL(options.publicUrl).protocol === 'https:';
  const name = secure ? `__Host-${cookieName}` : cookieName;
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  let cookies: SessionCookies | undefined;
  await app.register(async (sealing) => {
    await sealing.register(secureSession, { key, expiry: sessionSeconds });
    cookies = {
      name,
      set(id) {
        // A sealed session contains a ';', which would end the cookie.
        const sealed = encodeURIComponent(sealing.encodeSecureSession(sealing.createSecureSession({ id })));
        return `${name}=${sealed}; Max-Age=${sessionSeconds}; ${attributes}`;
      },
      clear: `${name}=; Max-Age=0; ${attributes}`,
      idIn(cookie) {
        return sealing.decodeSecureSession(querystring.unescape(cookie))?.get('id');
      },
    };
  });
  if (!cookies) throw new Error('The session cookies were not set up');
  return cookies;
}
