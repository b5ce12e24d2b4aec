import {
  asciiBytes,
  checkSize,
  createOrientationExif,
  hasText,
  joinBytes,
  notPictureError,
  PictureReader,
  type PictureSize,
  readOrientation,
  type StrippedPicture,
  uint16,
  unsupportedError,
} from './picture-reader.ts';

// Markers of ITU-T T.81, table B.1, without their first byte 0xff.
const startOfImage = 0xd8;
const endOfImage = 0xd9;
const startOfScan = 0xda;
const app0 = 0xe0;
const exifOrXmp = 0xe1;
const app2 = 0xe2;
const app14 = 0xee;
/** Huffman tables, arithmetic conditioning, quantization tables, restart interval. */
const tables = [0xc4, 0xcc, 0xdb, 0xdd];
/** Baseline, extended and progressive frames, the latter two also with arithmetic coding. */
const frames = [0xc0, 0xc1, 0xc2, 0xc9, 0xca];
/** Lossless and hierarchical frames, which no browser shows. */
const otherFrames = [0xc3, 0xc5, 0xc6, 0xc7, 0xcb, 0xcd, 0xce, 0xcf];

const isRestart = (marker: number) => marker >= 0xd0 && marker <= 0xd7;
const isWithoutContent = (marker: number) => isRestart(marker) || marker === 0x01;

type Walk = {
  reader: PictureReader;
  kept: Uint8Array[];
  size: PictureSize | undefined;
  jfif: Uint8Array | undefined;
  orientation: number | undefined;
  scans: number;
};

/** Drops EXIF, XMP, IPTC, comments, previews, further pictures and everything after the end marker. */
export function stripJpeg(bytes: Uint8Array): StrippedPicture {
  const reader = new PictureReader(bytes);
  const start = reader.take(2);
  const walk: Walk = { reader, kept: [], size: undefined, jfif: undefined, orientation: undefined, scans: 0 };
  for (;;) {
    const marker = takeMarker(reader);
    if (marker === endOfImage) break;
    if (isWithoutContent(marker)) continue;
    if (marker === startOfImage) throw notPictureError();
    takeSegment(walk, marker);
  }
  const { size, jfif, kept, scans } = walk;
  if (!size || scans === 0) throw notPictureError();
  const exif = createOrientationExif(walk.orientation);
  const pieces = [
    start,
    ...(jfif ? [jfif] : []),
    // An EXIF segment of 36 bytes with only an orientation.
    ...(exif ? [joinBytes([Uint8Array.of(0xff, exifOrXmp, 0, 34), asciiBytes('Exif\0\0'), exif])] : []),
    ...kept,
    Uint8Array.of(0xff, endOfImage),
  ];
  return { ...size, pieces };
}

/** Reads the next marker. Skips bytes between segments: some cameras write such bytes, and decoders skip them, too. */
function takeMarker(reader: PictureReader): number {
  for (;;) {
    reader.skipTo(0xff);
    let marker = reader.byte();
    while (marker === 0xff) marker = reader.byte();
    if (marker !== 0) return marker;
  }
}

function takeSegment(walk: Walk, marker: number): void {
  const { reader, kept } = walk;
  reader.countPart();
  const start = reader.at - 2;
  const length = uint16(reader.take(2), 0);
  if (length < 2) throw notPictureError();
  const content = reader.take(length - 2);
  const segment = reader.since(start);
  if (otherFrames.includes(marker)) throw unsupportedError();
  if (frames.includes(marker)) {
    if (walk.size || content.length < 6) throw notPictureError();
    walk.size = checkSize(uint16(content, 3), uint16(content, 1));
    kept.push(segment);
  } else if (marker === startOfScan) {
    if (!walk.size) throw notPictureError();
    const scanStart = reader.at;
    skipScan(reader);
    if (reader.at === scanStart) throw notPictureError();
    walk.scans += 1;
    kept.push(segment, reader.since(scanStart));
  } else if (tables.includes(marker)) {
    kept.push(segment);
  } else {
    takeApplicationSegment(walk, marker, { content, segment });
  }
}

type Segment = { content: Uint8Array; segment: Uint8Array };

function takeApplicationSegment(walk: Walk, marker: number, { content, segment }: Segment): void {
  if (marker === app0 && hasText(content, 'JFIF\0') && content.length >= 14) {
    walk.jfif ??= jfifSegment(content);
  } else if (marker === exifOrXmp && hasText(content, 'Exif\0\0')) {
    walk.orientation ??= readOrientation(content);
  } else if (marker === app2 && hasText(content, 'ICC_PROFILE\0')) {
    walk.kept.push(segment);
  } else if (marker === app14 && hasText(content, 'Adobe') && content.length >= 12) {
    // This segment defines the color space, so it is kept without extra data.
    walk.kept.push(Uint8Array.of(0xff, app14, 0, 14), content.subarray(0, 12));
  }
}

/** Returns the JFIF header without its preview. */
const jfifSegment = (content: Uint8Array): Uint8Array =>
  joinBytes([Uint8Array.of(0xff, app0, 0, 16), content.subarray(0, 12), Uint8Array.of(0, 0)]);

/** Skips the coded data of a scan, which ends at the next marker that is not a restart. */
function skipScan(reader: PictureReader): void {
  for (;;) {
    reader.skipTo(0xff);
    const next = reader.bytes[reader.at + 1];
    // The reader is at the last byte, so the end marker is missing and `take` throws.
    if (next === undefined) reader.take(2);
    else if (next === 0xff) reader.skip(1);
    else if (next === 0 || isRestart(next)) reader.skip(2);
    else return;
  }
}
