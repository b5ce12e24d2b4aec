import { pagePolicy } from '@draftshelf/contract/access/page';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Guard } from '../http/guard.ts';
import { Refusal } from '../http/refusal.ts';
import type { LazyQueues } from './late-queues.ts';

const boardPath = '/admin/queues';

/** Links to a web font at Google in Bull Board's page. Without the links, the page uses a system font. */
const outsideLinks = /<link\b[^>]*\bhref="https?:[^>]*>/g;

type Deps = { queues: LazyQueues; guard: Guard };

/** Serves Bull Board read-only (docs/why/work.md). The board's server is created by the first request. */
export async function serveBullBoard(app: FastifyInstance, { queues, guard }: Deps): Promise<void> {
  let making: Promise<FastifyInstance> | undefined;
  const show = async (request: FastifyRequest, reply: FastifyReply) => {
    making ??= makeBoard(queues).catch((error) => {
      making = undefined;
      throw error;
    });
    const { method, url, headers } = request;
    const shown = await (await making).inject({ method: method as 'GET' | 'HEAD', url, headers });
    const { 'content-length': _, connection: __, ...own } = shown.headers;
    return reply.code(shown.statusCode).headers(own).send(shown.rawPayload);
  };
  app.addHook('onClose', async () => (await making)?.close());
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
          const isPage = !request.url.startsWith(`${boardPath}/api`);
          if (error.status === 401 && isPage) return reply.redirect('/login');
          // Sent here, because the board's error handler would reply in another shape than the api.
          return reply.code(error.status).send(error.body);
        }
      });
      scope.addHook('onSend', async (_request, reply, body) => {
        reply.header('cache-control', 'no-store');
        reply.header('content-security-policy', pagePolicy({ baseUri: "'self'" }));
        const isPage = String(reply.getHeader('content-type')).startsWith('text/html');
        return isPage ? String(body).replaceAll(outsideLinks, '') : body;
      });
      for (const url of ['/', '/*']) scope.all(url, show);
    },
    { prefix: boardPath },
  );
}

async function makeBoard(queues: LazyQueues): Promise<FastifyInstance> {
  const [{ createBullBoard }, { BullMQAdapter }, { FastifyAdapter }] = await Promise.all([
    import('@bull-board/api'),
    import('@bull-board/api/bullMQAdapter'),
    import('@bull-board/fastify'),
  ]);
  const board = new FastifyAdapter().setBasePath(boardPath);
  createBullBoard({
    queues: (await queues()).map((queue) => new BullMQAdapter(queue, { readOnlyMode: true })),
    serverAdapter: board,
    options: { uiConfig: { boardTitle: 'Draftshelf queues' } },
  });
  const app = Fastify();
  await app.register(board.registerPlugin(), { prefix: boardPath });
  return app;
}
