import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';

type Limits = {
  /** The time that a body has to arrive. */
  bodyMsMax: number;
  /** The same for a request that `extend` was called for. */
  longBodyMsMax: number;
};

export type BodyTime = {
  /** Gives a request more time for its body: an upload by a client with a session. */
  extend(request: FastifyRequest): void;
  /** Does not count the time in which a request waits for a check of ours. */
  hold(request: FastifyRequest, check: Promise<void>): void;
};

/**
 * Ends the connections of bodies that arrive too slowly, also of requests that were refused: node reads their bodies to
 * the end, and a client could otherwise keep a connection for as long as it likes. Requests without a body, like polls,
 * get no timer.
 */
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
