import type { Route } from '@draftshelf/contract/route';
import type { FastifyRequest } from 'fastify';

/** Logs what an operator did to an import, with the request's id. The replies of all actions have the import's job. */
export function logAction(
  request: FastifyRequest,
  { method, path, action: named }: Route,
  reply: unknown,
): void {
  if (method === 'GET' || typeof reply !== 'object' || reply === null || !('job' in reply)) return;
  const { job } = reply;
  if (typeof job !== 'object' || job === null || !('id' in job) || !('status' in job)) return;
  const word = path.slice(path.lastIndexOf('/') + 1);
  const action = named ?? (method === 'DELETE' ? `stop ${word}` : word);
  request.log.info({ importId: job.id, action, status: job.status, reqId: request.id }, 'action');
}
