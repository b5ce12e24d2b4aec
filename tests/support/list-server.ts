import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server of suppliers' lists with memory: what each path answers, and what it was asked. */
export type ListServer = Awaited<ReturnType<typeof startListServer>>;

export async function startListServer() {
  const answers = new Map<string, Answer>();
  const asked: { path: string; headers: IncomingMessage['headers'] }[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push({ path, headers: request.headers });
    const answer = answers.get(path) ?? answers.get(path.replace(/\?.*/, ''));
    if (answer) answer(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    asked,
    /** Sets what a path answers. */
    answer: (path: string, answer: Answer) => void answers.set(path, answer),
    /** Serves a file with validators, as web servers do. */
    serve(path: string, body: string | Buffer, headers: Record<string, string> = {}) {
      answers.set(path, (request, response) => {
        if (headers.etag !== undefined && request.headers['if-none-match'] === headers.etag)
          return response.writeHead(304, { etag: headers.etag }).end();
        const length = { 'content-length': String(Buffer.byteLength(body)) };
        return response.writeHead(200, { 'content-type': 'text/csv', ...length, ...headers }).end(body);
      });
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
