import { stripGif } from './gif.ts';
import { stripJpeg } from './jpeg.ts';
import { photoBytesMax, photoTooLargeSentence } from './photo-limits.ts';
import {
  hasText,
  mergeViews,
  notPictureError,
  PictureRefused,
  type PictureSize,
  type StrippedPicture,
  unsupportedError,
} from './picture-reader.ts';
import { stripPng } from './png.ts';
import { stripWebp } from './webp.ts';

export type PictureFormat = 'jpeg' | 'png' | 'webp' | 'gif';

/** A checked picture. `pieces` are mostly views of the input. Width and height ignore the orientation. */
export type CleanedPicture = PictureSize & { format: PictureFormat; pieces: readonly Uint8Array[] };

type Checked = { ok: true; picture: CleanedPicture } | { ok: false; reason: string };

const walks: Record<PictureFormat, (bytes: Uint8Array) => StrippedPicture> = {
  jpeg: stripJpeg,
  png: stripPng,
  webp: stripWebp,
  gif: stripGif,
};

export const pictureHeadBytes = 12;

/** Returns the format indicated by the first bytes of a file, or null for any other file. */
export function detectPictureFormat(head: Uint8Array): PictureFormat | null {
  if (hasText(head, '\xff\xd8\xff')) return 'jpeg';
  if (hasText(head, '\x89PNG\r\n\x1a\n')) return 'png';
  if (hasText(head, 'RIFF') && hasText(head, 'WEBP', 8)) return 'webp';
  if (hasText(head, 'GIF87a') || hasText(head, 'GIF89a')) return 'gif';
  return null;
}

/**
 * Checks a JPEG, PNG, WebP or GIF from its first byte to its last, and removes EXIF, XMP, IPTC, comments and all bytes
 * after its end. The orientation stays. The picture is not decoded, so the coded pixels stay unchanged.
 */
export function cleanPicture(bytes: Uint8Array): Checked {
  try {
    if (bytes.length > photoBytesMax) throw new PictureRefused(photoTooLargeSentence);
    const format = detectPictureFormat(bytes);
    if (format === null) throw isOtherPicture(bytes) ? unsupportedError() : notPictureError();
    const { pieces, ...size } = walks[format](bytes);
    return { ok: true, picture: { format, ...size, pieces: mergeViews(pieces) } };
  } catch (error) {
    if (error instanceof PictureRefused) return { ok: false, reason: error.message };
    throw error;
  }
}

/** HEIC, HEIF and AVIF begin with a box of type 'ftyp' that contains one of these brands. */
const boxedBrands = /^(?:hei[cxms]|hev[cxms]|mif[12]|msf1|avi[fs])/;
/** TIFF in both byte orders, BMP, and JPEG XL without and with a container. */
const otherStarts = ['II*\0', 'MM\0*', 'BM', '\xff\x0a', '\0\0\0\x0cJXL '];
/** An SVG may begin with a byte order mark, an XML declaration and a comment. */
const svg = /^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^>]*>\s*)?<svg[\s>]/;
const headBytes = 1_024;

function isOtherPicture(bytes: Uint8Array): boolean {
  const head = String.fromCharCode(...bytes.subarray(0, headBytes));
  if (head.slice(4, 8) === 'ftyp') return boxedBrands.test(head.slice(8));
  return otherStarts.some((start) => head.startsWith(start)) || svg.test(head);
}
