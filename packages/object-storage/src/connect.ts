import http from 'node:http';
import https from 'node:https';
import { Client } from 'minio';
import { StorageUnavailableError } from './object-errors.ts';

/** The environment variables of the object storage. */
export type StorageEnv = Record<
  'S3_ENDPOINT' | 'S3_ACCESS_KEY' | 'S3_SECRET_KEY' | 'S3_BUCKET' | 'S3_REGION',
  string
>;

export type ObjectStorage = {
  readonly bucket: string;
  readonly client: Client;
  /** Sends a request that the client has no function for, over the client's connections and with its time limit. */
  readonly request: (options: StorageRequest, onResponse: OnResponse) => http.ClientRequest;
};

type StorageRequest = { method: string; path: string; headers: http.OutgoingHttpHeaders };
type OnResponse = (response: http.IncomingMessage) => void;

/** Bytes of an upload part. With the client's default, an upload of unknown length took 209 MB of memory. */
export const uploadPartBytes = 5 * 1024 * 1024;

/** Storage counts as unavailable after this time without a response. The minio client has no timeout. */
const responseMsMax = 30_000;

export type OnStorageCall = (call: { method: string; ok: boolean; seconds: number }) => void;

/** Creates a client without a request to storage. Throws TypeError if `S3_ENDPOINT` is not a URL. */
export function createObjectStorage(env: StorageEnv, onCall?: OnStorageCall): ObjectStorage {
  const url = new URL(env.S3_ENDPOINT);
  const useSSL = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = url.port === '' ? (useSSL ? 443 : 80) : Number(url.port);
  const transport = createTransport(useSSL, onCall);
  const agent = new (useSSL ? https : http).Agent({ keepAlive: true, keepAliveMsecs: 10_000 });
  const client = new Client({
    endPoint: host,
    port,
    useSSL,
    accessKey: env.S3_ACCESS_KEY,
    secretKey: env.S3_SECRET_KEY,
    // Without a region, the client would request it from storage.
    region: env.S3_REGION,
    pathStyle: true,
    partSize: uploadPartBytes,
    transport,
    transportAgent: agent,
    // Callers retry. The client's own retry would also write to the console.
    retryOptions: { disableRetry: true },
  });
  return {
    bucket: env.S3_BUCKET,
    client,
    request: (options, onResponse) => transport.request({ ...options, host, port, agent }, onResponse),
  };
}

/** Returns a transport that throws StorageUnavailableError for a timeout and for the statuses 5xx, 408 and 429. */
function createTransport(useSSL: boolean, onCall?: OnStorageCall): Pick<typeof http, 'request'> {
  const start = useSSL ? https.request : http.request;
  const request = (options: http.RequestOptions, onResponse: OnResponse) => {
    const began = performance.now();
    let hasEnded = false;
    const end = (ok: boolean) => {
      if (hasEnded) return;
      hasEnded = true;
      onCall?.({ method: options.method ?? 'GET', ok, seconds: (performance.now() - began) / 1000 });
    };
    const sent = start(options, (response) => {
      const unavailable = unavailableBy(response.statusCode ?? 500);
      end(!unavailable);
      if (unavailable) sent.destroy(unavailable);
      else onResponse(response);
    });
    sent.setTimeout(responseMsMax, () => {
      sent.destroy(new StorageUnavailableError(`object storage did not respond within ${responseMsMax} ms`));
    });
    sent.once('error', () => end(false));
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
