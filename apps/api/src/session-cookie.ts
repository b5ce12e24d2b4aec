import { hkdfSync } from 'node:crypto';
import querystring from 'node:querystring';
import secureSession from '@fastify/secure-session';
import type { FastifyInstance } from 'fastify';

export const sessionCookieName = 'draftshelf_session';
export const sessionSeconds = 7 * 24 * 60 * 60;

declare module '@fastify/secure-session' {
  interface SessionData {
    id: string;
  }
}

/** What goes into Set-Cookie, and what comes back. */
export type SessionCookies = {
  /** The header that gives a browser its session. */
  holding(id: string): string;
  /** The header that takes it away. */
  readonly none: string;
  /** The session's id in a cookie's value, or undefined where we did not seal it. */
  idIn(cookie: string): string | undefined;
};

/**
 * Session cookies sealed by @fastify/secure-session. The plugin is registered for a context without routes: its hook
 * would open the cookie anew in each of a thousand polls, and one opening serves them all (decision 0014).
 */
export async function sessionCookies(
  app: FastifyInstance,
  options: { sessionSecret: string; publicUrl: string },
): Promise<SessionCookies> {
  const key = Buffer.from(hkdfSync('sha256', options.sessionSecret, '', 'draftshelf session cookie', 32));
  const secure = new URL(options.publicUrl).protocol === 'https:';
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  let cookies: SessionCookies | undefined;
  await app.register(async (sealing) => {
    await sealing.register(secureSession, { key, expiry: sessionSeconds });
    cookies = {
      holding(id) {
        // A sealed session has a ';' in it, which would end the cookie.
        const sealed = encodeURIComponent(sealing.encodeSecureSession(sealing.createSecureSession({ id })));
        return `${sessionCookieName}=${sealed}; Max-Age=${sessionSeconds}; ${attributes}`;
      },
      none: `${sessionCookieName}=; Max-Age=0; ${attributes}`,
      idIn(cookie) {
        return sealing.decodeSecureSession(querystring.unescape(cookie))?.get('id');
      },
    };
  });
  if (!cookies) throw new Error('The session cookies were not set up');
  return cookies;
}
