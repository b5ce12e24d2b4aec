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

export type SessionCookies = {
  /** Over HTTPS, the name's prefix keeps other hosts, and pages loaded over HTTP, from setting the cookie. */
  readonly name: string;
  set(id: string): string;
  readonly clear: string;
  /** Returns the session id in a cookie. Undefined if we did not seal the cookie. */
  idIn(cookie: string): string | undefined;
};

/**
 * Creates and reads session cookies. @fastify/secure-session decrypts the cookie of each request in its context, so it
 * is registered in a context without routes: polls are spared that (docs/why/web.md).
 */
export async function createSessionCookies(
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
        // A sealed session contains a ';', which would end the cookie, so it is encoded.
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
