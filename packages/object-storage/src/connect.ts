import http from 'node:http';
import https from 'node:https';
import { Client } from 'minio';
import { StorageUnavailableError } from './object-errors.ts';

/** The bucket and its credentials. */
export type ObjectStorageConfig = {
  endpoint: string;
  accessKey: string;
  secretKey: string;
  bucket: string;
  region: string;
};

/** One bucket. */
export type ObjectStorage = {
  readonly bucket: string;
  readonly client: Client;
  /** Buffers of `partBytes` for reuse by uploads. */
  readonly freeParts: Buffer[];
};

/** The size of an upload part. With the client's default, an upload of unknown length took 209 MB of memory. */
export const partBytes = 5 * 1024 * 1024;

/** After this long without a response, storage counts as unavailable. The minio client has no timeout. */
const responseMsMax = 30_000;

/**
 * Creates the connection to the bucket. It makes no request yet.
 *
 * @throws TypeError if `endpoint` is not a URL
 */
export function createObjectStorage(config: ObjectStorageConfig): ObjectStorage {
  return {
    bucket: config.bucket,
    client: createClient(config),
    freeParts: [],
  };
}

function createClient(config: ObjectStorageConfig): Client {
  const url = new URL(config.endpoint);
  const useSSL = url.protocol === 'https:';
  return new Client({
    endPoint: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (useSSL ? 443 : 80) : Number(url.port),
    useSSL,
    accessKey: config.accessKey,
    secretKey: config.secretKey,
    // Without a region, the client sends a request to find it.
    region: config.region,
    pathStyle: true,
    partSize: partBytes,
    transport: createTransport(useSSL),
    transportAgent: new (useSSL ? https : http).Agent({ keepAlive: true, keepAliveMsecs: 10_000 }),
    // The caller decides about retries. The client's own retry also writes to the console.
    retryOptions: { disableRetry: true },
  });
}

/** Turns timeouts, 5xx, 408 and 429 responses into StorageUnavailableError before the client interprets them. */
function createTransport(useSSL: boolean): Pick<typeof http, 'request'> {
  const start = useSSL ? https.request : http.request;
  const request = (options: http.RequestOptions, onResponse: (response: http.IncomingMessage) => void) => {
    const sent = start(options, (response) => {
      const unavailable = unavailableBy(response.statusCode ?? 500);
      if (unavailable) sent.destroy(unavailable);
      else onResponse(response);
    });
    sent.setTimeout(responseMsMax, () => {
      sent.destroy(new StorageUnavailableError(`object storage did not respond within ${responseMsMax} ms`));
    });
    return sent;
  };
  return { request: request as typeof http.request };
}

function unavailableBy(status: number): StorageUnavailableError | undefined {
  if (status === 507) return new StorageUnavailableError('object storage has no space left');
  if (status === 408 || status === 429 || status >= 500) {
    return new StorageUnavailableError(`object storage answered ${status}`);
  }
  return undefined;
}
