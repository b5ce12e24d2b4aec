import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';

type Limits = { bodyMsMax: number; longBodyMsMax: number };

export type BodyTime = {
  /** Gives a request more time for its body, for uploads of clients with a session. */
  extend(request: FastifyRequest): void;
  /** Does not count the time in which a request waits for our check. */
  hold(request: FastifyRequest, check: Promise<void>): void;
};

/** Node also reads bodies of refused requests, so a client could keep a connection open forever. Polls get no timer. */
export function limitBodyTime(app: FastifyInstance, { bodyMsMax, longBodyMsMax }: Limits): BodyTime {
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
