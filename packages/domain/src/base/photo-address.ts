/** The key of a photo in object storage. Only the server writes there, after it has checked the picture. */
export const photoKey = (id: string) => `photos/${id}`;

/** The key that a client may write a photo to. */
export const uploadKey = (id: string) => `uploads/${id}`;

/** The address of a photo, as products name it and pages with a session load it. */
export const photoAddress = (id: string) => `/api/photos/${id}`;

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The id of the photo at an address; null for the address of anything else. */
export function photoIdAt(address: string): string | null {
  return idBehind(photoAddress(''), address);
}

/** The id of the photo with a key in object storage; null for the key of anything else. */
export function photoIdOfKey(key: string): string | null {
  return idBehind(photoKey(''), key);
}

function idBehind(beginning: string, path: string): string | null {
  const id = path.slice(beginning.length);
  return path.startsWith(beginning) && uuid.test(id) ? id : null;
}

/** A photo as a client names it: one of ours, an upload of it, a picture on the web, or an address of neither. */
export type NamedPhoto =
  | { kind: 'photo' | 'upload'; id: string }
  | { kind: 'web'; address: string }
  | { kind: 'unknown' };

/**
 * Reads the address of a photo as clients send it. Our photos and uploads are known by their path, whatever the host:
 * the server has several names, like localhost and that of a proxy. Their query, like a signature, is ignored.
 */
export function namedPhoto(address: string, bucket: string): NamedPhoto {
  const isPath = address.startsWith('/') && !address.startsWith('//');
  const url = URL.parse(address, isPath ? 'http://own' : undefined);
  if (!url || !/^https?:$/.test(url.protocol)) return { kind: 'unknown' };
  const photo = photoIdAt(url.pathname) ?? idBehind(`/${bucket}/${photoKey('')}`, url.pathname);
  if (photo !== null) return { kind: 'photo', id: photo };
  const upload = idBehind(`/${bucket}/${uploadKey('')}`, url.pathname);
  if (upload !== null) return { kind: 'upload', id: upload };
  return isPath ? { kind: 'unknown' } : { kind: 'web', address };
}
