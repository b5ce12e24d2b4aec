import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { addPhoto, createUpload } from '@draftshelf/contract/scanner/scanner';
import { insertAddedPhoto } from '@draftshelf/core/enrich/file-pictures';
import { lockImport } from '@draftshelf/core/imports/imports';
import { recordUpload } from '@draftshelf/core/imports/uploads';
import { markPhotosUsed } from '@draftshelf/core/scanner/photos';
import { photoIdAt, photoKey, uploadKey } from '@draftshelf/domain/base/photo-address';
import { detectPictureFormat, pictureHeadBytes } from '@draftshelf/domain/scanner/pictures/clean-picture';
import { photoBytesMax, photoTooLargeSentence } from '@draftshelf/domain/scanner/pictures/photo-limits';
import type { ObjectStorage } from '@draftshelf/object-storage/connect';
import { type OpenObject, openObject } from '@draftshelf/object-storage/objects';
import { presignPut, sendPresignedPut, verifySignedPut } from '@draftshelf/object-storage/presigned';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { BodyTimeLimit } from '../http/body-time.ts';
import type { Guard } from '../http/guard.ts';
import { importNotFound, invalid, notFound, Refusal } from '../http/refusal.ts';
import { type Api, isEtagMatch, serve } from '../http/serve.ts';
import { findImportOr404 } from '../imports/read-jobs.ts';
import type { PhotoIntake } from './photo-intake.ts';

type Deps = {
  storage: ObjectStorage;
  guard: Guard;
  bodyTime: BodyTimeLimit;
  photos: PhotoIntake;
};

const uploadSeconds = 15 * 60;
/** Browsers revalidate each photo, so that none is shown after a sign-out. The ETag makes this check cheap. */
const photoCache = 'private, no-cache';

const PhotoParams = z.object({ id: z.uuid() });

/** Passes photos between browser, storage and pages (docs/why/store.md). A signed upload URL needs no session. */
export async function servePhotos(api: Api, deps: Deps): Promise<void> {
  const { app, changes } = api;
  const { storage, guard, photos } = deps;
  serve(api, createUpload, async ({ request }) => {
    const id = randomUUID();
    await recordUpload(changes.db, uploadKey(id));
    const path = await presignPut(storage, uploadKey(id), uploadSeconds);
    return { uploadURL: guard.originOf(request) + path };
  });
  await app.register(async (scope) => servePut(scope, deps));
  serve(api, addPhoto, async ({ params: { id }, body: { upload, name } }) => {
    await findImportOr404(changes.db, id);
    const [address = ''] = await photos.store([upload]);
    const photoId = photoIdAt(address);
    if (photoId === null) throw invalid('Upload the photo first.', 'upload');
    return changes.db.transaction().execute(async (trx) => {
      if (!(await lockImport(trx, id))) throw importNotFound();
      if ((await markPhotosUsed(trx, [address])).length > 0)
        throw invalid('This photo is gone. Choose it again.', 'upload');
      await insertAddedPhoto(trx, id, { photoId, name });
      return { address };
    });
  });

  app.get('/api/photos/:id', { config: { cache: photoCache } }, (request, reply) =>
    sendPhoto(storage, request, reply),
  );
  // Addresses in the bucket, for clients that do not use our scripts.
  const onRequest = async (request: FastifyRequest) => {
    guard.requireSameOrigin(request);
    await guard.requireSession(request);
  };
  const ofPhoto = { onRequest, config: { isData: true, cache: photoCache } };
  app.get(`/${storage.bucket}/photos/:id`, ofPhoto, (request, reply) => sendPhoto(storage, request, reply));
  const ofUpload = { onRequest, config: { isData: true } };
  app.get(`/${storage.bucket}/uploads/:id`, ofUpload, async (request, reply) => {
    const id = idOf(request);
    const photo = await openObject(storage, photoKey(id));
    return photo ? sendObject(reply, photo) : sendUpload(storage, id, reply);
  });
}

function servePut(scope: FastifyInstance, deps: Deps): void {
  const { storage, guard } = deps;
  const paths = new WeakMap<FastifyRequest, string>();
  scope.removeAllContentTypeParsers();
  // The handler passes the body on as it arrives.
  scope.addContentTypeParser('*', (_request, _body, done) => done(null));
  const onRequest = async (request: FastifyRequest) => {
    guard.requireSameOrigin(request);
    const search = new URL(request.url, 'http://own').searchParams;
    const path = await verifySignedPut(storage, uploadKey(idOf(request)), search);
    if (path === null || request.headers.authorization !== undefined) throw expired();
    paths.set(request, path);
    deps.bodyTime.extend(request);
  };
  scope.put(
    `/${storage.bucket}/uploads/:id`,
    { onRequest, config: { isData: true } },
    async (request, reply) => {
      const path = paths.get(request) ?? '';
      const { etag } = await receivePhoto(storage, path, request);
      if (etag !== undefined) reply.header('etag', etag);
      return { success: true };
    },
  );
}

const expired = () =>
  new Refusal(403, {
    code: 'upload_expired',
    message: 'This upload link has expired. Choose the photo again.',
  });

/** Passes a photo on to the storage. Node ends the body after as many bytes as content-length states. */
async function receivePhoto(storage: ObjectStorage, path: string, { raw }: FastifyRequest) {
  try {
    const { 'content-length': length, 'content-type': type, 'content-md5': md5 } = raw.headers;
    if (length === undefined) {
      throw new Refusal(411, { code: 'length_required', message: 'The size of the photo is missing.' });
    }
    if (Number(length) > photoBytesMax) {
      throw new Refusal(413, { code: 'too_large', message: photoTooLargeSentence });
    }
    const headers = {
      'content-length': length,
      ...(type === undefined ? {} : { 'content-type': type }),
      ...(typeof md5 === 'string' ? { 'content-md5': md5 } : {}),
    };
    const sent = await sendPresignedPut(storage, path, { headers, body: raw });
    if (sent.status === 403) throw expired();
    if (sent.status === 400) throw invalid('The photo was damaged in the upload. Choose it again.');
    if (sent.status !== 200) {
      const message = `Object storage refused the photo (status ${sent.status}). Try again in a moment.`;
      throw new Refusal(502, { code: 'storage_error', message });
    }
    return sent;
  } catch (error) {
    if (!raw.complete && raw.destroyed) {
      throw new Refusal(400, { code: 'malformed', message: 'The upload was interrupted. Try again.' });
    }
    throw error;
  } finally {
    // The rest of the body must be read, or else the client does not see the reply.
    raw.resume();
  }
}

function idOf(request: FastifyRequest): string {
  const params = PhotoParams.safeParse(request.params);
  if (!params.success) throw notFound('Photo not found.');
  return params.data.id;
}

async function sendPhoto(storage: ObjectStorage, request: FastifyRequest, reply: FastifyReply) {
  const id = idOf(request);
  const etag = `"${id}"`;
  if (isEtagMatch(request.headers['if-none-match'], etag)) return reply.code(304).header('etag', etag).send();
  const photo = await openObject(storage, photoKey(id));
  if (!photo) throw notFound('Photo not found.');
  return sendObject(reply.header('etag', etag), photo);
}

function sendObject(reply: FastifyReply, { stream, bytes, contentType }: OpenObject) {
  return reply
    .type(contentType)
    .header('content-length', bytes)
    .header('content-disposition', 'inline')
    .send(stream);
}

/** Sends an unsaved upload. Its content is not checked yet, so only uploads that begin like a picture are sent. */
async function sendUpload(storage: ObjectStorage, id: string, reply: FastifyReply) {
  const upload = await openObject(storage, uploadKey(id));
  if (!upload) throw notFound('Photo not found.');
  const { stream } = upload;
  const bytes = Math.min(pictureHeadBytes, upload.bytes);
  let beginning: Buffer | null = stream.read(bytes);
  while (beginning === null && bytes > 0) {
    await once(stream, 'readable');
    beginning = stream.read(bytes);
  }
  const format = beginning && detectPictureFormat(beginning);
  if (format === null) {
    stream.destroy();
    throw notFound('Photo not found.');
  }
  stream.unshift(beginning);
  return sendObject(reply, { ...upload, contentType: `image/${format}` });
}
