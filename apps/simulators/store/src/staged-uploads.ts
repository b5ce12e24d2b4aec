import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { GraphQLError } from 'graphql';
import { imageSize } from 'image-size';
import type { Catalogue, StagedFile, StagedPicture } from './catalogue.ts';
import type { Clock } from './clock.ts';
import type { Fault, Faults } from './faults.ts';
import { sendText } from './http-body.ts';
import type { Stats } from './stats.ts';

/** The name of an upload in faults and statistics. */
const operation = 'stagedUpload';
const validMs = 60 * 60 * 1000;
/** Shopify's limit for images. */
const bytesMax = 20 * 1024 * 1024;
const pixelsMax = 25_000_000;
const pictureTypes: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
};

/** An argument of stagedUploadsCreate after coercion by GraphQL. */
export type StagedUploadInput = {
  filename: string;
  mimeType: string;
  resource: string;
  httpMethod?: string | null;
};

type Deps = { catalogue: Catalogue; clock: Clock; faults: Faults; stats: Stats; dataDir: string };

/** Files that the app uploads before it names them in a productSet. */
export type StagedUploads = {
  isAt(path: string): boolean;
  /** PUT of the bytes to an address of stagedUploadsCreate, with the faults set for it, or GET of a stored picture. */
  answer(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void>;
};

/** Answers stagedUploadsCreate: one address per input, valid for an hour. `origin`: the one that the app asked. */
export function stagedUploadsCreate(
  input: readonly StagedUploadInput[],
  { catalogue, clock, origin }: { catalogue: Catalogue; clock: Clock; origin: string },
): object {
  const userErrors = input.flatMap(refusalsOf);
  if (userErrors.length > 0) return { stagedTargets: null, userErrors };
  const stagedTargets = input.map(({ filename, mimeType }) => {
    const token = randomBytes(16).toString('hex');
    const untilMs = clock() + validMs;
    catalogue.putStagedFile({ token, filename, mimeType, untilMs, stored: null });
    const resourceUrl = `${origin}/staged-uploads/${token}/${encodeURIComponent(filename)}`;
    const parameters = Object.entries(parametersOf(mimeType)).map(([name, value]) => ({ name, value }));
    return { url: `${resourceUrl}?expires=${untilMs}`, resourceUrl, parameters };
  });
  return { stagedTargets, userErrors };
}

function refusalsOf({ filename, mimeType, resource, httpMethod }: StagedUploadInput, index: number) {
  if (!['IMAGE', 'PRODUCT_IMAGE'].includes(resource) || httpMethod === 'POST') {
    throw new GraphQLError('The store simulator supports only images that are uploaded by PUT.', {
      extensions: { code: 'NOT_SIMULATED' },
    });
  }
  const refuse = (field: string, message: string) => ({ field: ['input', String(index), field], message });
  return [
    ...(filename.trim() === '' ? [refuse('filename', "Filename can't be blank")] : []),
    ...(Object.values(pictureTypes).includes(mimeType)
      ? []
      : [refuse('mimeType', `${mimeType} is not a recognized format`)]),
  ];
}

/** The headers that an upload must have. */
const parametersOf = (mimeType: string): Record<string, string> => ({
  content_type: mimeType,
  acl: 'private',
});

const uploadAddress = /^\/staged-uploads\/([0-9a-f]{32})\//;
const fileAddress = /^\/files\/([0-9a-f]{32})$/;

/** The path under which the store shows an uploaded picture. */
export const filePath = (token: string): string => `/files/${token}`;

/** The token in an address of an uploaded file; undefined for other addresses. */
export function stagedTokenOf(source: string): string | undefined {
  return URL.canParse(source) ? uploadAddress.exec(new URL(source).pathname)?.[1] : undefined;
}

/** Why the store makes no image of an uploaded file; null if it makes one. */
export function stagedFailure(file: StagedFile | undefined): string | null {
  if (!file?.stored) return 'IMAGE_DOWNLOAD_FAILURE';
  const { picture } = file.stored;
  if (!picture) return 'UNSUPPORTED_IMAGE_FILE_TYPE';
  return picture.width * picture.height > pixelsMax ? 'INVALID_IMAGE_RESOLUTION' : null;
}

export function createStagedUploads(deps: Deps): StagedUploads {
  return {
    isAt: (path) => uploadAddress.test(path) || fileAddress.test(path),
    async answer(request, response, url) {
      const [, shown] = fileAddress.exec(url.pathname) ?? [];
      const [, token] = uploadAddress.exec(url.pathname) ?? [];
      if (request.method === 'GET' && shown) return showFile(response, shown, deps);
      if (request.method === 'PUT' && token) return takeFile(request, response, { token, url }, deps);
      sendText(response, 404, 'text/plain', 'Not Found');
    },
  };
}

async function showFile(response: ServerResponse, token: string, { catalogue, dataDir }: Deps) {
  const stored = catalogue.stagedFiles.get(token)?.stored;
  if (!stored?.picture) return sendText(response, 404, 'text/plain', 'Not Found');
  response.writeHead(200, { 'content-type': stored.picture.type, 'content-length': stored.bytes });
  await pipeline(createReadStream(pathOf(dataDir, token)), response);
}

async function takeFile(
  request: IncomingMessage,
  response: ServerResponse,
  { token, url }: { token: string; url: URL },
  deps: Deps,
): Promise<void> {
  const { catalogue, faults, stats } = deps;
  stats.requests[operation] = (stats.requests[operation] ?? 0) + 1;
  const struck = faults.strike(operation);
  const fault = <Kind extends Fault['kind']>(kind: Kind) =>
    struck.find((one): one is Extract<Fault, { kind: Kind }> => one.kind === kind);
  const drop = () => {
    stats.dropped += 1;
    response.destroy();
  };
  const delay = fault('delay');
  if (delay) await pause(delay.delayMs, undefined, { ref: false });
  if (fault('drop-before')) return drop();
  // The connection is closed, because the body was not read.
  const refuse = (status: number, text: string) =>
    sendText(response, status, 'text/plain', text, { connection: 'close' });
  const status = fault('status');
  if (status) return refuse(status.status, 'Service Unavailable');
  const file = catalogue.stagedFiles.get(token);
  const refused = refusalOf(request, file, url, deps.clock());
  if (refused || !file) return refuse(refused?.status ?? 403, refused?.text ?? 'AccessDenied');
  const stored = await storeBytes(request, token, deps.dataDir);
  if (!stored) return refuse(413, 'EntityTooLarge');
  catalogue.putStagedFile({ ...file, stored });
  await catalogue.flushed();
  if (fault('drop-after')) return drop();
  sendText(response, 200, 'text/plain', '');
}

/** Every address takes one upload, with the parameters that came with it as headers. */
function refusalOf({ headers }: IncomingMessage, file: StagedFile | undefined, url: URL, nowMs: number) {
  const denied = (text: string) => ({ status: 403, text });
  if (!file || Number(url.searchParams.get('expires')) !== file.untilMs)
    return denied('SignatureDoesNotMatch');
  if (nowMs > file.untilMs) return denied('ExpiredToken');
  if (file.stored) return denied('AccessDenied');
  const missing = Object.entries(parametersOf(file.mimeType)).find(
    ([name, value]) => headers[name] !== value,
  );
  if (missing) return denied(`MissingHeader: ${missing[0]}`);
  if (headers['content-length'] === undefined) return { status: 411, text: 'MissingContentLength' };
  return Number(headers['content-length']) > bytesMax ? { status: 413, text: 'EntityTooLarge' } : undefined;
}

const pathOf = (dataDir: string, token: string) => join(dataDir, 'staged', token);

/** Stores the body on disk; null if it is too large. An incomplete body leaves nothing. */
async function storeBytes(request: IncomingMessage, token: string, dataDir: string) {
  const path = pathOf(dataDir, token);
  const part = `${path}.part`;
  await mkdir(join(dataDir, 'staged'), { recursive: true });
  const file = await open(part, 'w');
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const piece of request as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > bytesMax) return null;
      hash.update(piece);
      await file.write(piece);
    }
    await file.sync();
    await rename(part, path);
  } finally {
    await file.close();
    await rm(part, { force: true });
  }
  return { bytes, sha256: hash.digest('hex'), picture: pictureOf(await readFile(path)) };
}

function pictureOf(bytes: Buffer): StagedPicture | null {
  try {
    const { type = '', width, height } = imageSize(bytes);
    const mimeType = pictureTypes[type];
    return mimeType === undefined ? null : { type: mimeType, width, height };
  } catch {
    return null;
  }
}
