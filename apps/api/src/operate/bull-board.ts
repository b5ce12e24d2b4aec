import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import { pagePolicy } from '@draftshelf/contract/access/page';
import type { createQueue } from '@draftshelf/queues/connection';
import type { FastifyInstance } from 'fastify';
import type { Guard } from '../http/guard.ts';
import { Refusal } from '../http/refusal.ts';

const boardPath = '/admin/queues';

/** Links to other hosts. Bull Board's page loads a web font from Google; without it, the system font is used. */
const outsideLinks = /<link\b[^>]*\bhref="https?:[^>]*>/g;

type Deps = {
  queues: readonly ReturnType<typeof createQueue>[];
  guard: Guard;
};

/**
 * Serves a read-only Bull Board for all queues behind the session (docs/decisions/0013). The sweep would revert its
 * changes within seconds, and a queue paused there would stop without a message on any import. Operators pause, retry
 * and cancel imports on the screens.
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
          // Reply here, because the board's error handler has another shape.
          return reply.code(error.status).send(error.body);
        }
      });
      scope.addHook('onSend', async (_request, reply, body) => {
        reply.header('cache-control', 'no-store');
        reply.header('content-security-policy', pagePolicy({ baseUri: "'self'" }));
        const isPage = String(reply.getHeader('content-type')).startsWith('text/html');
        return isPage && typeof body === 'string' ? body.replaceAll(outsideLinks, '') : body;
      });
      await scope.register(board.registerPlugin());
    },
    { prefix: boardPath },
  );
}
