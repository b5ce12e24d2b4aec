import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import type { createQueue } from '@draftshelf/queues/connection';
import type { FastifyInstance } from 'fastify';
import type { Guard } from './guard.ts';
import { Refusal } from './refusal.ts';

const boardPath = '/admin/queues';

/** Its page asks Google for a web font; ours ask nobody outside. The system's font stands in. */
const outsideLinks = /<link\b[^>]*\bhref="https?:[^>]*>/g;

type Deps = {
  queues: readonly ReturnType<typeof createQueue>[];
  guard: Guard;
};

/**
 * Serves Bull Board for all queues behind the session, for looking only: what it would change, the sweep takes back
 * within seconds, and a queue that is paused there would stand still without a word on any import. Pause, retry and
 * cancel are the product's own.
 */
export async function serveBullBoard(app: FastifyInstance, { queues, guard }: Deps): Promise<void> {
  const board = new FastifyAdapter().setBasePath(boardPath);
  createBullBoard({
    queues: queues.map((queue) => new BullMQAdapter(queue, { readOnlyMode: true })),
    serverAdapter: board,
    options: { uiConfig: { boardTitle: 'Draftshelf queues' } },
  });
  await app.register(
    async (scope) => {
      scope.addHook('onRequest', async (request, reply) => {
        try {
          guard.requireSameOrigin(request);
          if (request.method !== 'GET' && request.method !== 'HEAD') {
            throw new Refusal(405, { code: 'read_only', message: 'This board is read-only.' });
          }
          await guard.requireSession(request);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          const isPage = !request.routeOptions.url?.startsWith(`${boardPath}/api`);
          if (error.status === 401 && isPage) return reply.redirect('/login');
          // Said here, because the board answers errors in a shape of its own.
          return reply.code(error.status).send(error.body);
        }
      });
      scope.addHook('onSend', async (_request, reply, body) => {
        reply.header('cache-control', 'private, no-cache');
        const isPage = String(reply.getHeader('content-type')).startsWith('text/html');
        return isPage && typeof body === 'string' ? body.replaceAll(outsideLinks, '') : body;
      });
      await scope.register(board.registerPlugin());
    },
    { prefix: boardPath },
  );
}
