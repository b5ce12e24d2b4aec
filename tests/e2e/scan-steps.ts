import { type CodePicture, printCode, takePicture } from '../bench/code-pictures.ts';

/** A sharp picture of a product code. */
export async function pictureOfCode(upc: string): Promise<CodePicture> {
  const shot = { scale: 3, degrees: 3, blur: 0.2, paper: 220, ink: 20, shadow: 0.1, noise: 4 };
  return takePicture(await printCode(upc, 'UPCA'), shot, 1);
}

/** A picture as a bitmap file, which browsers read and nobody has to encode. */
export function bitmapFile({ data, width, height }: CodePicture): Buffer {
  const bytesPerRow = Math.ceil((width * 3) / 4) * 4;
  const headerBytes = 54;
  const file = Buffer.alloc(headerBytes + bytesPerRow * height);
  file.write('BM');
  file.writeUInt32LE(file.length, 2);
  file.writeUInt32LE(headerBytes, 10);
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(width, 18);
  // A negative height: the first row is the top one.
  file.writeInt32LE(-height, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(24, 28);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      file.fill(
        data[(y * width + x) * 4] ?? 0,
        headerBytes + y * bytesPerRow + x * 3,
        headerBytes + y * bytesPerRow + x * 3 + 3,
      );
    }
  }
  return file;
}

const videoWidth = 640;
const videoHeight = 480;
const gray = 128;
const frames = 3;

/**
 * A picture in the middle of a video that Chromium's fake camera repeats. It is uncompressed (Y4M), so that no encoder
 * is needed.
 */
export function videoFile(picture: CodePicture): Buffer {
  const luma = Buffer.alloc(videoWidth * videoHeight, gray);
  const [left, top] = [(videoWidth - picture.width) >> 1, (videoHeight - picture.height) >> 1];
  for (let y = 0; y < picture.height; y += 1) {
    for (let x = 0; x < picture.width; x += 1) {
      luma[(y + top) * videoWidth + x + left] = picture.data[(y * picture.width + x) * 4] ?? gray;
    }
  }
  const chroma = Buffer.alloc((videoWidth * videoHeight) / 2, gray);
  const header = Buffer.from(`YUV4MPEG2 W${videoWidth} H${videoHeight} F20:1 Ip A1:1 C420mpeg2\n`);
  const frame = [Buffer.from('FRAME\n'), luma, chroma];
  return Buffer.concat([header, ...Array.from({ length: frames }, () => frame).flat()]);
}
