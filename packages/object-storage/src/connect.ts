import http from 'node:http';
import https from 'node:https';
import { Client } from 'minio';
import { StorageUnavailableError } from './errors.ts';

/** Where the objects are, and with which key. */
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
  /** Buffers of `partBytes` that no upload uses now. */
  readonly freeParts: Buffer[];
};

/** The client's own default made one part of an upload of unknown length: 209 MB in memory. */
export const partBytes = 5 * 1024 * 1024;

/** A storage that says nothing for so long is taken for gone; minio itself waits for ever. */
const silenceMsMax = 30_000;

/**
 * The connection to the bucket of this installation; nothing is asked of the network yet.
 *
 * @throws TypeError if `endpoint` is no address
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
    // Without a region, the client asks the network for it.
    region: config.region,
    pathStyle: true,
    partSize: partBytes,
    transport: createTransport(useSSL),
    transportAgent: new (useSSL ? https : http).Agent({ keepAlive: true, keepAliveMsecs: 10_000 }),
    // Whoever asked decides when to ask again; the client's own retry writes to the console.
    retryOptions: { disableRetry: true },
  });
}

/** Turns silence and answers of the 5xx class into errors that say so, before the client reads them as its own. */
function createTransport(useSSL: boolean): Pick<typeof http, 'request'> {
  const start = useSSL ? https.request : http.request;
  const request = (options: http.RequestOptions, answered: (response: http.IncomingMessage) => void) => {
    const asked = start(options, (response) => {
      const unavailable = unavailableBy(response.statusCode ?? 500);
      if (unavailable) asked.destroy(unavailable);
      else answered(response);
    });
    asked.setTimeout(silenceMsMax, () => {
      asked.destroy(new StorageUnavailableError(`object storage was silent for ${silenceMsMax} ms`));
    });
    return asked;
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
