import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * Notes when the requests of a scope arrive, before their bodies are read. Returns a function that says how long ago a
 * request of the scope arrived, in milliseconds.
 */
export function requestAges(scope: FastifyInstance): (request: FastifyRequest) => number {
  const arrivedAt = new WeakMap<FastifyRequest, number>();
  scope.addHook('onRequest', async (request) => void arrivedAt.set(request, performance.now()));
  return (request) => performance.now() - (arrivedAt.get(request) ?? performance.now());
}
