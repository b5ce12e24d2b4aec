import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// The minimum for a node:http server, for comparison: one short answer to every request.
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/plain', 'content-length': 5 });
  response.end('hello');
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
