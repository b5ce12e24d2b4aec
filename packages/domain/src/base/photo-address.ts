/** Returns the key of a photo in object storage. Only the server writes to such a key, after it checked the picture. */
export const photoKey = (id: string) => `photos/${id}`;

/** Returns the key that a client may upload a photo to. */
export const uploadKey = (id: string) => `uploads/${id}`;

/** Returns the address of a photo, as products store it and pages with a session load it. */
export const photoAddress = (id: string) => `/api/photos/${id}`;

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the id of the photo at an address, or null for other addresses. */
export function photoIdAt(address: string): string | null {
  return idBehind(photoAddress(''), address);
}

/** Returns the id of the photo that is stored under a key of object storage, or null for other keys. */
export function photoIdOfKey(key: string): string | null {
  return idBehind(photoKey(''), key);
}

function idBehind(beginning: string, path: string): string | null {
  const id = path.slice(beginning.length);
  return path.startsWith(beginning) && uuid.test(id) ? id : null;
}

/** The meaning of an address that a client sends: a stored photo, an upload, a picture on the web, or unknown. */
export type ParsedPhotoAddress =
  | { kind: 'photo' | 'upload'; id: string }
  | { kind: 'web'; address: string }
  | { kind: 'unknown' };

/**
 * Reads the address of a photo that a client sends. Our photos and uploads are recognized by path on any host, because
 * the server has several names, such as localhost and a proxy's name. A query, such as a signature, is ignored.
 */
export function parsePhotoAddress(address: string, bucket: string): ParsedPhotoAddress {
  const isPath = address.startsWith('/') && !address.startsWith('//');
  const url = URL.parse(address, isPath ? 'http://own' : undefined);
  if (!url || !/^https?:$/.test(url.protocol)) return { kind: 'unknown' };
  const photo = photoIdAt(url.pathname) ?? idBehind(`/${bucket}/${photoKey('')}`, url.pathname);
  if (photo !== null) return { kind: 'photo', id: photo };
  const upload = idBehind(`/${bucket}/${uploadKey('')}`, url.pathname);
  if (upload !== null) return { kind: 'upload', id: upload };
  return isPath ? { kind: 'unknown' } : { kind: 'web', address };
}
