import { randomUUID } from 'node:crypto';
import type { Behavior } from './behavior.ts';

type Pending = {
  deviceCode: string;
  clientId: string;
  scope: string;
  expiresAt: number;
  state: 'pending' | 'allowed' | 'declined' | 'used';
};

/** An access token: its scope and its end. */
type Access = { scope: string; until: number };

export type LoginReply = { status: number; body: Record<string, unknown> };
export type Login = ReturnType<typeof createLogin>;

const tenantId = '11111111-2222-3333-4444-555555555555';
const userId = '66666666-7777-8888-9999-000000000000';
const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** OAuth errors look like Microsoft's: a word, and a description with a number, a sentence and ids. */
const refused = (error: string, description: string, status = 400): LoginReply => ({
  status,
  body: {
    error,
    error_description: `${description} Trace ID: ${randomUUID()} Correlation ID: ${randomUUID()}`,
  },
});

/** The login server: codes, tokens and their renewal, for one account. */
export function createLogin(behavior: () => Behavior) {
  const pending = new Map<string, Pending>();
  const access = new Map<string, Access>();
  const refresh = new Map<string, { clientId: string; scope: string }>();
  let account = 'ada@example.com';

  const grant = (clientId: string, scope: string, withRefresh: boolean): LoginReply => {
    const { accessSeconds } = behavior();
    const accessToken = `sim-access-${randomUUID()}`;
    access.set(accessToken, { scope, until: Date.now() + accessSeconds * 1_000 });
    const body: Record<string, unknown> = {
      token_type: 'Bearer',
      scope,
      expires_in: accessSeconds,
      ext_expires_in: accessSeconds,
      access_token: accessToken,
    };
    if (withRefresh) {
      const refreshToken = `sim-refresh-${randomUUID()}`;
      refresh.set(refreshToken, { clientId, scope });
      const times = {
        iat: Math.floor(Date.now() / 1_000),
        exp: Math.floor(Date.now() / 1_000) + accessSeconds,
      };
      const claims = {
        ...{ aud: clientId, iss: `https://login.microsoftonline.com/${tenantId}/v2.0`, ver: '2.0', ...times },
        ...{ oid: userId, sub: userId, tid: tenantId, name: 'Ada', preferred_username: account },
      };
      body.refresh_token = refreshToken;
      body.id_token = `${base64({ alg: 'none', typ: 'JWT' })}.${base64(claims)}.simulated`;
      body.client_info = base64({ uid: userId, utid: tenantId });
    }
    return { status: 200, body };
  };

  return {
    begin(form: URLSearchParams, url: string): LoginReply {
      const { codeSeconds, pollSeconds } = behavior();
      const userCode = randomUUID().slice(0, 8).toUpperCase();
      const deviceCode = `sim-device-${randomUUID()}`;
      pending.set(userCode, {
        deviceCode,
        clientId: form.get('client_id') ?? '',
        scope: form.get('scope') ?? '',
        expiresAt: Date.now() + codeSeconds * 1_000,
        state: 'pending',
      });
      const verification = `${url}/device`;
      return {
        status: 200,
        body: {
          ...{ user_code: userCode, device_code: deviceCode, verification_uri: verification },
          ...{ expires_in: codeSeconds, interval: pollSeconds },
          message: `To sign in, open ${verification} and enter the code ${userCode}.`,
        },
      };
    },
    answer(userCode: string, allowed: boolean): boolean {
      const found = pending.get(userCode.trim().toUpperCase());
      if (found?.state !== 'pending' || found.expiresAt < Date.now() || behavior().blocksCodes) return false;
      found.state = allowed ? 'allowed' : 'declined';
      return true;
    },
    token(form: URLSearchParams): LoginReply {
      const clientId = form.get('client_id') ?? '';
      switch (form.get('grant_type')) {
        case 'client_credentials': {
          const secrets = behavior().clientSecrets;
          const isKnown = secrets?.includes(form.get('client_secret') ?? '') ?? true;
          if (!isKnown) {
            return refused('invalid_client', 'AADSTS7000215: Invalid client secret provided.', 401);
          }
          return grant(clientId, form.get('scope') ?? '', false);
        }
        case 'refresh_token': {
          const token = form.get('refresh_token') ?? '';
          const known = refresh.get(token);
          if (!known) return refused('invalid_grant', 'AADSTS70008: The refresh token has expired.');
          return grant(clientId, known.scope, true);
        }
        default:
          return this.ofCode(form.get('device_code') ?? '');
      }
    },
    ofCode(deviceCode: string): LoginReply {
      const found = [...pending.values()].find((one) => one.deviceCode === deviceCode);
      if (!found || found.state === 'used')
        return refused('bad_verification_code', 'AADSTS7000: Unknown code.');
      if (found.state === 'declined') return refused('authorization_declined', 'AADSTS70000: Declined.');
      if (found.expiresAt < Date.now()) return refused('expired_token', 'AADSTS70020: The code has expired.');
      if (found.state === 'pending') return refused('authorization_pending', 'AADSTS70016: Pending.');
      found.state = 'used';
      return grant(found.clientId, found.scope, true);
    },
    /** The scope of a token; null: it is unknown or has expired. */
    scopeOf(token: string): string | null {
      const found = access.get(token);
      return found && found.until > Date.now() ? found.scope : null;
    },
    /** As if somebody signs in with another account the next time. */
    rename(name: string): void {
      account = name;
    },
    /** Ends access tokens, or refresh tokens too. */
    revoke(what: 'access' | 'all'): void {
      access.clear();
      if (what === 'all') refresh.clear();
    },
  };
}

/** The page on which a code is entered. */
export function codePage(message: string | null): string {
  const told = message === null ? '' : `<p role="status">${message}</p>`;
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Simulated sign-in</title>
<body style="font-family:system-ui;max-width:30rem;margin:3rem auto">
<h1>Simulated sign-in to OneDrive</h1>${told}
<form method="post"><label>Code <input name="code" autocomplete="off" required></label>
<button name="answer" value="allow">Allow</button> <button name="answer" value="decline">Decline</button></form>
</body></html>`;
}
