import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from './clock.ts';
import type { Shop } from './demo-shop.ts';

export type ClientCredentials = { id: string; secret: string };

/** Access tokens: the static one, and those issued to the app, which are valid for a day. */
export type Access = {
  allows(token: string | undefined): boolean;
  /** Answers POST /admin/oauth/access_token. */
  grant(form: Readonly<Record<string, unknown>>): { status: number; body: object | string };
  /** Revokes all issued tokens, as a restart does. */
  expireAll(): void;
};

const tokenSeconds = 86_399;

export function createAccess(
  accessToken: string,
  client: ClientCredentials | null,
  deps: { clock: Clock; shop: Shop },
): Access {
  const { clock, shop } = deps;
  const endsAtMs = new Map<string, number>();
  return {
    allows(token) {
      if (token === undefined) return false;
      return sameSecret(token, accessToken) || (endsAtMs.get(token) ?? 0) > clock();
    },
    grant(form) {
      if (form.grant_type !== 'client_credentials') {
        return { status: 400, body: { error: 'unsupported_grant_type' } };
      }
      const known =
        client !== null &&
        sameSecret(String(form.client_id), client.id) &&
        sameSecret(String(form.client_secret), client.secret);
      if (!known) {
        const text = 'Oauth error app_not_installed: The application is not installed on this shop.';
        return { status: 400, body: `<html><body><p>${text}</p></body></html>` };
      }
      const token = `shpat_${randomBytes(16).toString('hex')}`;
      endsAtMs.set(token, clock() + tokenSeconds * 1000);
      return {
        status: 200,
        body: { access_token: token, scope: shop.scopes.join(','), expires_in: tokenSeconds },
      };
    },
    expireAll() {
      endsAtMs.clear();
    },
  };
}

function sameSecret(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
