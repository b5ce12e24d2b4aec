import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// The least that a node:http server can do, for comparison: one short answer to everything.
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/plain', 'content-length': 5 });
  response.end('hello');
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
