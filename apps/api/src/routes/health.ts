import { health, ready } from '@draftshelf/contract/health';
import { type CheckDeps, checkServices } from '../check-services.ts';
import { type Api, serve } from '../serve.ts';

/** Liveness, and readiness: whether database, queue and storage respond in time. */
export function serveHealth(api: Api, deps: CheckDeps): void {
  serve(api, health, async () => ({ status: 'ok' as const }), { open: true });
  serve(
    api,
    ready,
    async ({ reply, request }) => {
      const checks = await checkServices(deps, request);
      const isReady = Object.values(checks).every(({ ok }) => ok);
      if (!isReady) reply.code(503);
      return { ready: isReady, ...checks };
    },
    { open: true },
  );
}
