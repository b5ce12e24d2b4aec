import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { createKeyedMutex } from './keyed-mutex.ts';
import { answerBucketRequest } from './s3-bucket-routes.ts';
import { asS3Error, invalidArgument, notImplemented } from './s3-error.ts';
import { type S3Request, sendError } from './s3-exchange.ts';
import { answerObjectRequest } from './s3-object-routes.ts';
import { decode, parseQuery, type S3Credentials, verifySignature } from './s3-signature.ts';
import { removeLeftovers, type S3Store } from './s3-store.ts';
import { blobsOfUploads } from './s3-uploads.ts';

/** A listening server, and what a client needs to reach it. */
export type RunningS3 = S3Credentials & { endpoint: string; port: number; stop: () => Promise<void> };

/** Browsers reach it through the api, so it listens on loopback only. */
const loopback = '127.0.0.1';

/** Time limit of one request, long enough for slow senders. */
const requestMsMax = 3_600_000;
/** Longer than clients keep idle connections, so none is closed during a request. */
const keepAliveMs = 75_000;

/**
 * A small S3 server on a directory: the part of the protocol that our client needs, signature version 4 only. Browsers
 * reach it through the api's origin, so there is no CORS. It is the object storage of `npm start` and of the tests.
 * Content is on disk before the answer is sent.
 *
 * @throws the system's error if the port is taken or the directory cannot be written
 */
export async function startS3(options: {
  dir: string;
  /** 0 picks a free port. */
  port: number;
  /** Generated if absent; only the caller gets the secret. */
  credentials?: S3Credentials;
}): Promise<RunningS3> {
  const credentials = options.credentials ?? {
    accessKey: 'draftshelf',
    secretKey: randomBytes(24).toString('base64url'),
    region: 'us-east-1',
  };
  const store: S3Store = { root: options.dir, withKey: createKeyedMutex() };
  await mkdir(options.dir, { recursive: true });
  const server = http.createServer(
    { requestTimeout: requestMsMax, keepAliveTimeout: keepAliveMs },
    (req, res) => {
      answer(store, credentials, req, res).catch((error) => {
        // A client that disconnected in the middle is not an error of this server.
        if (res.destroyed || !res.socket || res.socket.destroyed) return;
        const known = asS3Error(error);
        if (known.code === 'InternalError') console.error(error);
        sendError(req, res, known);
      });
    },
  );
  const { promise: listening, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(options.port, loopback, resolve);
  await listening;
  // Not awaited: it reads every record, and removes only blobs that no record names.
  removeLeftovers(store, blobsOfUploads).catch((error) => console.error(error));
  const { port } = server.address() as AddressInfo;
  return {
    ...credentials,
    endpoint: `http://${loopback}:${port}`,
    port,
    stop: async () => {
      const { promise: closed, resolve: close } = Promise.withResolvers<void>();
      server.close(() => close());
      server.closeIdleConnections();
      await closed;
    },
  };
}

async function answer(
  store: S3Store,
  credentials: S3Credentials,
  req: http.IncomingMessage,
  res: http.ServerResponse,
): Promise<void> {
  const request = readRequest(credentials, req);
  if (request.bucket === '') throw notImplemented(`${request.method} of the service`);
  if (request.key === '') return answerBucketRequest(store, request, res);
  return answerObjectRequest(store, request, res);
}

/** Authenticates the request and finds its target; throws before the body is read. */
function readRequest(credentials: S3Credentials, req: http.IncomingMessage): S3Request {
  const [path = '/', query = ''] = (req.url ?? '/').split('?', 2);
  const method = req.method ?? 'GET';
  const declared = verifySignature({ method, path, query, headers: req.headers }, credentials, new Date());
  const signed = /^[0-9a-f]{64}$/.test(declared);
  if (!signed && declared !== 'UNSIGNED-PAYLOAD') throw notImplemented(`a payload of the kind ${declared}`);
  if (!path.startsWith('/')) throw invalidArgument('The address has no path.');
  const [bucket = '', ...key] = path.slice(1).split('/');
  return {
    method,
    bucket: decode(bucket),
    key: key.map(decode).join('/'),
    query: parseQuery(query),
    headers: req.headers,
    body: req,
    bodySha256: signed ? declared : undefined,
  };
}
