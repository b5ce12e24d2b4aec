import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';

type Limits = { bodyMsMax: number; longBodyMsMax: number };

export type BodyTimeLimit = {
  /** Gives a request more time for its body. Only for uploads of clients with a session. */
  extend(request: FastifyRequest): void;
  /** Pauses the body's time limit until `check` ends, and then restarts the limit. */
  hold(request: FastifyRequest, check: Promise<void>): void;
};

/** Limits the time of bodies. Node reads bodies of refused requests too, so a client could stay connected forever. */
export function limitBodyTime(app: FastifyInstance, { bodyMsMax, longBodyMsMax }: Limits): BodyTimeLimit {
  const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>();
  const start = (message: IncomingMessage, ms: number) => {
    clearTimeout(timers.get(message));
    timers.set(
      message,
      setTimeout(() => message.destroy(), ms),
    );
  };
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    if (hasBody(raw)) {
      start(raw, bodyMsMax);
      raw.once('close', () => {
        clearTimeout(timers.get(raw));
        timers.delete(raw);
      });
    }
    done();
  });
  return {
    extend({ raw }) {
      if (timers.has(raw)) start(raw, longBodyMsMax);
    },
    hold({ raw }, check) {
      clearTimeout(timers.get(raw));
      const goOn = () => {
        if (timers.has(raw)) start(raw, bodyMsMax);
      };
      check.then(goOn, goOn);
    },
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}
