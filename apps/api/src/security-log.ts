import type { OpenDatabase } from '@draftshelf/database/connection/database';
import { insertSecurityEvents, type NewSecurityEvent } from '@draftshelf/database/security-events';
import type { SecurityEventKind } from '@draftshelf/domain/security-events';
import type { Logger } from '@draftshelf/runtime/logger';
import type { FastifyRequest } from 'fastify';

/** Events that wait for the database. More are only logged. */
const waitingMax = 100;
const textCharsMax = 200;

export type SecurityLog = {
  /**
   * Logs an event with the request's client and id, and stores it in the background. It never fails or delays the
   * request. `detail` has names only, no secrets and no contents.
   */
  record(request: FastifyRequest, kind: SecurityEventKind, about?: EventSubject): void;
  /** Waits for the events that are being stored. */
  close(): Promise<void>;
};

type EventSubject = { detail?: string; importId?: string };

/** Opens the record of who signed in and changed what. */
export function openSecurityLog({
  database,
  logger,
}: {
  database: OpenDatabase;
  logger: Logger;
}): SecurityLog {
  let waiting: NewSecurityEvent[] = [];
  let storing: Promise<void> | undefined;
  const store = async () => {
    while (waiting.length > 0) {
      const events = waiting;
      waiting = [];
      await insertSecurityEvents(database.db, events).catch((err) =>
        logger.warn({ err, events: events.length }, 'security events could not be stored'),
      );
    }
    storing = undefined;
  };
  return {
    record(request, kind, { detail, importId } = {}) {
      const event: NewSecurityEvent = {
        kind,
        client: request.ip.slice(0, textCharsMax),
        requestId: request.id,
        detail: detail?.slice(0, textCharsMax) ?? null,
        importId: importId ?? null,
      };
      const { client, requestId: reqId } = event;
      logger.info({ event: kind, client, reqId, detail, importId }, 'security event');
      if (waiting.length >= waitingMax) return;
      waiting.push(event);
      storing ??= store();
    },
    close: async () => storing,
  };
}
