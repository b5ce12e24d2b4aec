import type { IncomingMessage } from 'node:http';
import type { OpenDatabase } from '@draftshelf/core/connection/database';
import { storePhoto, toPhotoId } from '@draftshelf/core/enrich/pictures/store-photo';
import { endUpload } from '@draftshelf/core/imports/uploads';
import {
  type ParsedPhotoAddress,
  parsePhotoAddress,
  photoAddress,
  uploadKey,
} from '@draftshelf/domain/base/photo-address';
import { photoBytesMax, photoTooLargeSentence } from '@draftshelf/domain/scanner/pictures/photo-limits';
import type { ObjectStorage } from '@draftshelf/object-storage/connect';
import { openObject, remove } from '@draftshelf/object-storage/objects';
import type { Logger } from '@draftshelf/runtime/logger';
import type { FastifyInstance } from 'fastify';
import { type BodyPace, watchBodyPace } from '../http/body-pace.ts';
import type { BodyTimeLimit } from '../http/body-time.ts';
import { invalid, Refusal } from '../http/refusal.ts';
import { createPhotoSlot } from '../push/photo-slot.ts';
import { readProductBody } from '../push/product-body.ts';

type Deps = {
  storage: ObjectStorage;
  changes: OpenDatabase;
  bodyTime: BodyTimeLimit;
  bodyPace: BodyPace;
  logger: Logger;
};

export type PhotoIntake = ReturnType<typeof createPhotoIntake>;

/** Creates the intake, which has at most one photo of a body and one uploaded photo in memory. */
export function createPhotoIntake(deps: Deps) {
  const bodies = createPhotoSlot();
  const uploads = createPhotoSlot();
  let removing: Promise<void> = Promise.resolve();
  const storeData = (bytes: Buffer, field: string) =>
    storeAsPhoto(deps, { id: toPhotoId(bytes), field, read: async () => bytes });
  const storeUpload = async (id: string, field: string) => {
    const slot = await uploads.hold();
    try {
      return await storeAsPhoto(deps, {
        id,
        field,
        read: () => readUpload(deps, { id, field, into: slot.buffer }),
      });
    } finally {
      slot.release();
    }
  };
  const storeNamed = async (named: ParsedPhotoAddress, field: string): Promise<string> => {
    switch (named.kind) {
      case 'upload':
        return storeUpload(named.id, field);
      case 'photo':
        return photoAddress(named.id);
      case 'web':
        return named.address;
      case 'unknown':
        throw invalid('Upload the photo, or enter its web address.', field);
    }
  };
  return {
    /** Accepts JSON bodies of up to 96 MiB in a scope. Stores photos that are data URLs and inserts their addresses. */
    acceptBodies(scope: FastifyInstance): void {
      // Runs after the guard, so that only clients with a session get more time.
      scope.addHook('onRequest', async (request) => deps.bodyTime.extend(request));
      scope.removeContentTypeParser('application/json');
      scope.addContentTypeParser('application/json', async (_request: unknown, body: IncomingMessage) => {
        const { signal, stop } = watchBodyPace(body, deps.bodyPace, bodies.isAwaited);
        try {
          return await readProductBody(body, { slot: bodies, store: storeData, signal });
        } finally {
          stop();
          // The rest of the body must be read, or else the client does not see the reply.
          body.resume();
        }
      });
    },
    /** Stores uploads as photos. Returns all addresses; other pictures keep theirs. A Refusal names `photos.N`. */
    async store(photos: readonly string[]): Promise<string[]> {
      const addresses: string[] = [];
      for (const [n, photo] of photos.entries()) {
        const field = `photos.${n}`;
        addresses.push(await storeNamed(parsePhotoAddress(photo, deps.storage.bucket), field));
      }
      return addresses;
    },
    /** Removes photos that `releasePhotos` has marked, in the background. A sweep removes those that remain. */
    remove(keys: readonly string[]): void {
      removing = removing.then(() => removePhotos(deps, keys));
    },
    close: (): Promise<void> => removing,
  };
}

type Source = { id: string; field: string; read: () => Promise<Buffer> };

async function storeAsPhoto({ storage, changes }: Deps, { id, field, read }: Source): Promise<string> {
  const stored = await storePhoto({ db: changes.db, storage }, id, read);
  if (stored.ok) return photoAddress(id);
  if (stored.why === 'refused') throw invalid(stored.reason, field);
  throw new Refusal(409, {
    code: 'busy',
    message: 'This photo is being removed right now. Try again in a moment.',
    field,
  });
}

type Upload = { id: string; field: string; into: Buffer };

async function readUpload({ storage }: Deps, { id, field, into }: Upload): Promise<Buffer> {
  const object = await openObject(storage, uploadKey(id));
  if (!object) throw invalid('This upload has expired. Choose the photo again.', field);
  if (object.bytes > photoBytesMax) {
    object.stream.destroy();
    throw invalid(photoTooLargeSentence, field);
  }
  let filled = 0;
  for await (const piece of object.stream) filled += (piece as Buffer).copy(into, filled);
  return into.subarray(0, filled);
}

async function removePhotos({ storage, changes, logger }: Deps, keys: readonly string[]): Promise<void> {
  try {
    for (const key of keys) {
      await remove(storage, key);
      await endUpload(changes.db, key);
    }
  } catch (err) {
    logger.warn({ err }, 'Photos of deleted products stay until the next sweep');
  }
}
