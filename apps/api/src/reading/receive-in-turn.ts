import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type BodyPace, watchBodyPace } from '../http/body-pace.ts';
import { Refusal } from '../http/refusal.ts';
import { createTurnQueue } from '../http/turns.ts';

/** Maximum number of files received at a time. More would slow down all other requests and take more memory. */
const receivingMax = 4;
/** Maximum wait for a turn. By then, another file has been received, or a slow upload has been ended. */
const waitMsMax = 20_000;
const retryAfterSeconds = 2;
/** Maximum time to process a file that has arrived: an idle connection is closed after two minutes. */
const readMsMax = 105_000;

function busy(): Refusal {
  const message = 'The server is receiving other files right now. Try again in a moment.';
  return new Refusal(429, { code: 'busy', message }, retryAfterSeconds);
}

const restarting = () =>
  new Refusal(503, { code: 'stopping', message: 'The server is being restarted. Upload the file again.' });
const tookTooLong = () =>
  new Refusal(503, {
    code: 'busy',
    message: 'The server is reading other files right now. Try again in a minute.',
  });
export const uploadCancelledRefusal = () =>
  new Refusal(400, { code: 'malformed', message: 'The upload was cancelled.' });

function whenGone({ raw }: FastifyReply, stopping: AbortSignal): AbortSignal {
  const closed = new AbortController();
  raw.once('close', () => closed.abort(uploadCancelledRefusal()));
  return AbortSignal.any([closed.signal, stopping]);
}

/** `signal` aborts if the file arrives too slowly; `gone` aborts if the client disconnects or this process stops. */
export type ReceivingSignals = { signal: AbortSignal; gone: AbortSignal };

export type ReceiveQueue = <T>(
  call: { request: FastifyRequest; reply: FastifyReply },
  receive: (ends: ReceivingSignals) => Promise<T>,
) => Promise<T>;

export function createReceiveQueue(scope: FastifyInstance, bodyPace: BodyPace): ReceiveQueue {
  const stopping = new AbortController();
  scope.addHook('preClose', async () => stopping.abort(restarting()));
  const inTurn = createTurnQueue({ max: receivingMax, waitMsMax, refuse: busy });
  return async ({ request: { raw }, reply }, receive) => {
    const late = new AbortController();
    let lateTimer: NodeJS.Timeout | undefined;
    const hasArrived = new Promise<void>((resolve) => {
      raw.once('end', () => {
        lateTimer = setTimeout(() => late.abort(tookTooLong()), readMsMax);
        resolve();
      });
    });
    try {
      // The turn ends when the body has arrived. Slow work, such as converting a workbook, is done after the turn.
      const { received } = await inTurn(async () => {
        const { signal, stop } = watchBodyPace(raw, bodyPace, inTurn.isAwaited);
        const gone = AbortSignal.any([whenGone(reply, stopping.signal), late.signal]);
        const received = receive({ signal, gone }).finally(stop);
        await Promise.race([received.catch(() => {}), hasArrived]);
        return { received };
      });
      return await received;
    } finally {
      clearTimeout(lateTimer);
      // The rest of the body must be read, or else the client does not see the reply.
      raw.resume();
    }
  };
}
