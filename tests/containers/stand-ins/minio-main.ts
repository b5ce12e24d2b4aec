import { connect, createServer, type Socket } from 'node:net';
import { startS3 } from '@draftshelf/infra/s3/s3-server';

// Our S3 server listens on loopback only, so that it is never open by mistake; in its own container this forwards
// everything to it.
const publicPort = 9000;
const [dir = '/data'] = process.argv.slice(2);
const { MINIO_ROOT_USER: accessKey = 'minioadmin', MINIO_ROOT_PASSWORD: secretKey = 'minioadmin' } =
  process.env;

const s3 = await startS3({ dir, port: 0, credentials: { accessKey, secretKey, region: 'us-east-1' } });
const open = new Set<Socket>();
const server = createServer((client) => {
  const upstream = connect(s3.port, '127.0.0.1');
  for (const [from, to] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    open.add(from);
    from.on('error', () => to.destroy());
    from.on('close', () => open.delete(from));
    from.pipe(to);
  }
});
server.listen(publicPort);
process.on('SIGTERM', () => {
  server.close();
  void s3.stop().then(() => process.exit(0));
  for (const socket of open) socket.end();
});
