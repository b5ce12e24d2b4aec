import { insertSecurityEvents, type NewSecurityEvent } from '@draftshelf/core/access/security-events';
import type { OpenDatabase } from '@draftshelf/core/connection/database';
import type { SecurityEventKind } from '@draftshelf/domain/access/security-events';
import type { Logger } from '@draftshelf/runtime/logger';
import type { FastifyRequest } from 'fastify';

/** Maximum number of events that wait to be stored. Further events are only logged. */
const waitingMax = 100;
const textCharsMax = 200;
/** Requests refused within this time are recorded as one event. */
const refusedMs = 60_000;

const refusalWords = { session: 'without a session', origin: 'from other sites' } as const;
export type RefusalCause = keyof typeof refusalWords;

export type SecurityLog = {
  /** Records an event without delaying or failing the request. `detail`: names only, no secrets. */
  record(request: Requester, kind: SecurityEventKind, about?: EventDetails): void;
  /** Counts a refused request. A minute's refusals become one event, because clients can send any number. */
  countRefused(request: Requester, cause: RefusalCause): void;
  close(): Promise<void>;
};

type Requester = Pick<FastifyRequest, 'ip' | 'id'>;
export type EventDetails = { detail?: string; importId?: string };

type Deps = { database: OpenDatabase; logger: Logger };

export function openSecurityLog({ database, logger }: Deps): SecurityLog {
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
  const record: SecurityLog['record'] = (request, kind, { detail, importId } = {}) => {
    const event: NewSecurityEvent = {
      kind,
      client: request.ip.slice(0, textCharsMax),
      request_id: request.id,
      detail: detail?.slice(0, textCharsMax) ?? null,
      import_id: importId ?? null,
    };
    const { client, request_id: reqId } = event;
    logger.info({ event: kind, client, reqId, detail, importId }, 'security event');
    if (waiting.length >= waitingMax) return;
    waiting.push(event);
    storing ??= store();
  };
  const refused = new Map<RefusalCause, number>();
  let last: Requester | undefined;
  let timer: NodeJS.Timeout | undefined;
  const recordRefused = () => {
    clearTimeout(timer);
    timer = undefined;
    if (refused.size === 0 || !last) return;
    const counts = [...refused].map(([cause, requests]) => `${requests} ${refusalWords[cause]}`);
    refused.clear();
    record(last, 'requests-refused', { detail: counts.join(', ') });
  };
  return {
    record,
    countRefused({ ip, id }, cause) {
      refused.set(cause, (refused.get(cause) ?? 0) + 1);
      last = { ip, id };
      timer ??= setTimeout(recordRefused, refusedMs).unref();
    },
    close: async () => {
      recordRefused();
      await storing;
    },
  };
}
