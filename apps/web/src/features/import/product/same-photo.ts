import { cleanPicture } from '@draftshelf/domain/scanner/pictures/clean-picture';

/** Whether a prepared photo is one of these, which the server keeps without their metadata. */
export async function isAmongPhotos(photo: Blob, addresses: readonly string[]): Promise<boolean> {
  if (addresses.length === 0) return false;
  const checked = cleanPicture(await bytesOf(photo));
  if (!checked.ok) return false;
  for (const address of addresses) {
    // A photo that can't be read is no reason to refuse another one.
    const reply = await fetch(address).catch(() => null);
    if (reply?.ok && isMadeOf(await bytesOf(reply), checked.picture.pieces)) return true;
  }
  return false;
}

const bytesOf = async (body: Blob | Response) => new Uint8Array(await body.arrayBuffer());

/** Whether bytes are these pieces, in order. */
export function isMadeOf(bytes: Uint8Array, pieces: readonly Uint8Array[]): boolean {
  let from = 0;
  for (const piece of pieces) {
    if (!piece.every((byte, at) => byte === bytes[from + at])) return false;
    from += piece.length;
  }
  return from === bytes.length;
}
