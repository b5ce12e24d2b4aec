import { listSecurityEvents } from '@draftshelf/contract/access/security';
import * as stored from '@draftshelf/core/access/security-events';
import type { OpenDatabase } from '@draftshelf/core/connection/database';
import { type Api, serve } from '../http/serve.ts';

/** The record of sign-ins and of changes of credentials and settings. */
export function serveSecurity(api: Api, { database }: { database: OpenDatabase }): void {
  serve(api, listSecurityEvents, async () => ({
    events: (await stored.listSecurityEvents(database.db)).map(({ at, request_id, import_id, ...event }) => ({
      ...event,
      at: at.toISOString(),
      requestId: request_id,
      importId: import_id,
    })),
  }));
}
