import { hasText, uint16, uint16le, uint32, uint32le } from './picture-reader.ts';

/** The orientation of a picture that is shown as it is stored (EXIF 3.0, tag 274). */
export const upright = 1;

const orientationTag = 0x0112;
const entryBytes = 12;
const exifHeader = 'Exif\0\0';

/** The orientation in EXIF data, with or without its header: 1 to 8; 1 if none can be read. */
export function orientationIn(exif: Uint8Array): number {
  const tiff = hasText(exif, exifHeader) ? exif.subarray(exifHeader.length) : exif;
  const isLittle = hasText(tiff, 'II');
  if (!isLittle && !hasText(tiff, 'MM')) return upright;
  const short = isLittle ? uint16le : uint16;
  const long = isLittle ? uint32le : uint32;
  const directory = long(tiff, 4);
  const entries = short(tiff, directory);
  for (let entry = 0; entry < entries; entry += 1) {
    const at = directory + 2 + entry * entryBytes;
    if (at + entryBytes > tiff.length) break;
    if (short(tiff, at) !== orientationTag) continue;
    const orientation = short(tiff, at + 8);
    return orientation >= 1 && orientation <= 8 ? orientation : upright;
  }
  return upright;
}

/** 26 bytes of EXIF data with only an orientation: the header, one directory, one entry. */
export function exifOf(orientation: number): Uint8Array {
  const header = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8];
  const entry = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0];
  return Uint8Array.from([...header, 0, 1, ...entry, 0, 0, 0, 0]);
}
