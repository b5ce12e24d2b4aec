import { authStatus, login, logout, logoutEverywhere } from '@draftshelf/contract/access/auth';
import { listSecurityEvents, SecurityEvent } from '@draftshelf/contract/access/security';
import * as stored from '@draftshelf/core/access/security-events';
import type { Guard } from '../http/guard.ts';
import { Refusal } from '../http/refusal.ts';
import { type Api, serve } from '../http/serve.ts';
import type { LoginResult, Sessions } from '../http/session.ts';
import { createWireMapper } from '../http/wire-fields.ts';

export function serveAuth(api: Api, { sessions, guard }: { sessions: Sessions; guard: Guard }): void {
  serve(
    api,
    login,
    async ({ body, request, reply }) => {
      guard.requireKnownHost(request);
      const result = await sessions.begin(request, reply, body.accessKey);
      if (result !== 'in') throw refusals[result]();
      return { success: true as const, message: 'Signed in.' };
    },
    { open: true },
  );
  serve(
    api,
    logout,
    async ({ request, reply }) => {
      await sessions.end(request, reply);
      return { success: true as const, message: 'Signed out.' };
    },
    { open: true },
  );
  serve(api, logoutEverywhere, async ({ request, reply }) => {
    await sessions.endAll(request, reply);
    return { success: true as const, message: 'Signed out everywhere.' };
  });
  serve(
    api,
    authStatus,
    async ({ request }) => ({
      authenticated: await sessions.isAuthenticated(request),
      requiresAuth: sessions.requiresAuth,
    }),
    { open: true },
  );
}

const tooManyAttempts = (message: string) => new Refusal(429, { code: 'too_many_attempts', message });

const refusals: Record<Exclude<LoginResult, 'in'>, () => Refusal> = {
  'too many failures': () => tooManyAttempts('Too many failed attempts. Try again in 15 minutes.'),
  'too many at once': () => tooManyAttempts('Too many sign-ins at once. Try again in a moment.'),
  'wrong key': () =>
    new Refusal(401, { code: 'wrong_key', message: 'That access key is incorrect.', field: 'accessKey' }),
};

const eventFields = createWireMapper(SecurityEvent);

export function serveSecurity(api: Api): void {
  serve(api, listSecurityEvents, async () => ({
    events: (await stored.listSecurityEvents(api.db)).map(eventFields),
  }));
}
