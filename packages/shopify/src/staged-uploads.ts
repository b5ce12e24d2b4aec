import { Readable } from 'node:stream';
import { createGuardedPut, FetchRefused } from '@draftshelf/runtime/guarded-fetch';
import { parseStoreOrigin, type RequestOptions, type ShopifyClient } from './client.ts';
import type { StagedTarget } from './replies.ts';
import { StoreRefused, StoreUnavailable, throwUserErrors, unexpectedReplyError } from './store-errors.ts';

/** A stored photo: its media type and size in bytes. `read` opens its bytes, once for each try. */
export type StoredPhoto = { contentType: string; bytes: number; read(): Readable };

/** Each try uses a new address, because a failed upload may have used up the previous one. */
const triesMax = 3;
const putMsMax = 60_000;
/** Maximum length of an upload address. Signed addresses are long. */
const urlCharsMax = 8_192;

/**
 * Uploads photos one by one. Returns addresses by photo id, for `originalSource` of a productSet; unused addresses
 * cost nothing and expire. Throws StoreUnavailable after three tries, StoreRefused, and any error of reading a photo
 * or of `request`.
 */
export async function stagePhotos(
  client: ShopifyClient,
  photos: ReadonlyMap<string, StoredPhoto>,
  options: Pick<RequestOptions, 'signal'> = {},
): Promise<Map<string, string>> {
  const addresses = new Map<string, string>();
  for (let tryNumber = 1; ; tryNumber += 1) {
    const missing = [...photos].filter(([id]) => !addresses.has(id));
    if (missing.length === 0) return addresses;
    const targets = await createTargets(client, missing, options);
    let failure: StoreUnavailable | null = null;
    for (const [index, [id, photo]] of missing.entries()) {
      const target = targets[index];
      if (!target) throw unexpected('fewer addresses than photos');
      const failed = await putStaged(target, photo, { storeUrl: client.store.url, ...options });
      if (failed) failure = failed;
      else addresses.set(id, target.resourceUrl);
    }
    if (failure && tryNumber === triesMax) throw failure;
  }
}

async function createTargets(
  client: ShopifyClient,
  photos: readonly (readonly [string, StoredPhoto])[],
  options: Pick<RequestOptions, 'signal'>,
): Promise<StagedTarget[]> {
  const input = photos.map(([id, { contentType }]) => ({
    filename: `${id}.${contentType.slice(contentType.indexOf('/') + 1).replace('jpeg', 'jpg')}`,
    mimeType: contentType,
    resource: 'IMAGE' as const,
    httpMethod: 'PUT' as const,
  }));
  const reply = await client.request('stagedUploadsCreate', { input }, options);
  const { stagedTargets, userErrors } = reply.stagedUploadsCreate;
  throwUserErrors(client, userErrors, { hadNoEffect: true });
  return stagedTargets ?? [];
}

/**
 * Streams a photo. All parameters are sent as headers, because their names are not documented. Returns null on
 * success, or a failure that a new address may solve. Throws StoreRefused and any error of reading the photo.
 */
async function putStaged(
  { url, parameters }: StagedTarget,
  photo: StoredPhoto,
  { storeUrl, signal }: { storeUrl: string; signal?: AbortSignal },
): Promise<StoreUnavailable | null> {
  const ownOrigin = parseStoreOrigin(storeUrl);
  if (!url.startsWith('https://') && URL.parse(url)?.origin !== ownOrigin) {
    throw unexpected(`an upload address that is not https: ${url.slice(0, 200)}`);
  }
  const put = createGuardedPut({ allowedOrigins: [ownOrigin], hosts: [], urlCharsMax });
  const headers = {
    'content-type': photo.contentType,
    ...Object.fromEntries(parameters.map(({ name, value }) => [name.toLowerCase(), value])),
    'content-length': String(photo.bytes),
  };
  const timeout = AbortSignal.timeout(putMsMax);
  const source = photo.read();
  try {
    // The body is a separate stream, so that a failure of the request does not become an error of the photo.
    const body = Readable.from(source, { objectMode: false });
    return failureOf(
      await put(url, { headers, body }, signal ? AbortSignal.any([signal, timeout]) : timeout),
    );
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof StoreRefused) throw cause;
    if (cause instanceof FetchRefused)
      throw unexpected(`an upload address that is refused: ${cause.message}`);
    if (source.errored) throw source.errored;
    return new StoreUnavailable('Couldn’t upload a photo to the store.', { reason: 'network', cause });
  } finally {
    source.destroy();
  }
}

function failureOf(status: number): StoreUnavailable | null {
  if (status >= 200 && status < 300) return null;
  // 403: the address has expired or was already used.
  if (status === 403 || status === 408 || status === 429 || status >= 500) {
    const message = `The store didn’t take a photo (${status}).`;
    return new StoreUnavailable(message, { reason: 'server', cause: `HTTP ${status}` });
  }
  const [code, detail] = [`HTTP_${status}`, `staged upload: HTTP ${status}`];
  const message = `The store refused a photo (${status}).`;
  throw new StoreRefused(message, { scope: 'request', code, detail, hadNoEffect: true });
}

const unexpected = (detail: string) =>
  unexpectedReplyError(`stagedUploadsCreate: ${detail}`, 'UNKNOWN_SHAPE', true);
