import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url';
import type { ReaderReply, ReaderRequest } from './code-reader.ts';
import { readerOptions, readResultCode } from './reader-options.ts';

const post = (reply: ReaderReply) => self.postMessage(reply);

// The URL is set, because the library would load its wasm from another host by default.
const loaded = prepareZXingModule({ overrides: { locateFile: () => wasmUrl }, fireImmediately: true });
loaded.then(
  () => post({ kind: 'ready' }),
  (error: unknown) => post({ kind: 'broken', message: String(error) }),
);

let canvas: OffscreenCanvas | undefined;

function pixelsOf(picture: ImageBitmap): ImageData {
  const { width, height } = picture;
  canvas ??= new OffscreenCanvas(width, height);
  Object.assign(canvas, { width, height });
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('The browser draws no pictures in a worker.');
  context.drawImage(picture, 0, 0);
  picture.close();
  return context.getImageData(0, 0, width, height);
}

self.addEventListener('message', async ({ data: { id, picture } }: MessageEvent<ReaderRequest>) => {
  try {
    const code = readResultCode(await readBarcodes(pixelsOf(picture), readerOptions));
    post({ kind: 'read', id, code });
  } catch (error) {
    post({ kind: 'failed', id, message: String(error) });
  }
});
