import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { prepareZXingModule, writeBarcode } from 'zxing-wasm/writer';

/** The content of a wasm file of the library. It would load it from the network itself. */
export async function wasmOf(path: string): Promise<ArrayBuffer> {
  const file = await readFile(fileURLToPath(import.meta.resolve(path)));
  return new Uint8Array(file).buffer;
}

let writer: Promise<unknown> | undefined;

async function loadWriter(): Promise<unknown> {
  const wasmBinary = await wasmOf('zxing-wasm/writer/zxing_writer.wasm');
  return prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
}

/** A code as it is printed: dark and light modules, at least 10 light ones around them. */
type Print = { modules: Uint8Array; width: number; height: number };

/** Conditions under which a picture of a code is taken. */
export type Shot = {
  /** Pixels of a module. */
  scale: number;
  degrees: number;
  /** Radius of the blur in pixels. */
  blur: number;
  /** Brightness of paper and of ink, 0 to 255. */
  paper: number;
  ink: number;
  /** Brightness lost from one side of the picture to the other. */
  shadow: number;
  noise: number;
};

export type CodePicture = { data: Uint8ClampedArray<ArrayBuffer>; width: number; height: number };

type PrintedFormat = 'EAN13' | 'EAN8' | 'UPCA' | 'UPCE' | 'ITF' | 'Code128' | 'QRCode' | 'DataMatrix';

const quietModules = 10;
/** Height of a code of bars, in modules: that of an EAN-13 (GS1 General Specifications 5.2.3.2). */
const barModules = 65;

/** Prints a code. `options`: those of the writer, such as 'gs1'. */
export async function printCode(text: string, format: PrintedFormat, options = ''): Promise<Print> {
  writer ??= loadWriter();
  await writer;
  const { symbol, error } = await writeBarcode(text, { format, options, addQuietZones: false });
  if (error !== '') throw new Error(`${text} is no ${format}: ${error}`);
  const isBars = format !== 'QRCode' && format !== 'DataMatrix';
  const codeHeight = isBars ? barModules : symbol.height;
  const width = symbol.width + 2 * quietModules;
  const height = codeHeight + 2 * quietModules;
  const modules = new Uint8Array(width * height);
  for (let y = 0; y < codeHeight; y += 1) {
    // The first line of bars reaches to their end; below it a writer may leave room for digits.
    const line = isBars ? 0 : y;
    for (let x = 0; x < symbol.width; x += 1) {
      const isDark = (symbol.data[line * symbol.width + x] ?? 255) < 128;
      modules[(y + quietModules) * width + x + quietModules] = isDark ? 1 : 0;
    }
  }
  return { modules, width, height };
}

/** Takes a picture of a printed code. The same seed gives the same picture. */
export function takePicture(print: Print, shot: Shot, seed: number): CodePicture {
  const angle = (shot.degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const sideOf = (a: number, b: number) => Math.ceil((Math.abs(a) + Math.abs(b)) * shot.scale);
  const width = sideOf(print.width * cos, print.height * sin);
  const height = sideOf(print.width * sin, print.height * cos);
  const light = new Float32Array(width * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      let dark = 0;
      for (const [dx, dy] of subpixels) {
        const [u, v] = [(x + dx - width / 2) / shot.scale, (y + dy - height / 2) / shot.scale];
        const column = Math.floor(u * cos + v * sin + print.width / 2);
        const row = Math.floor(v * cos - u * sin + print.height / 2);
        const isInside = column >= 0 && column < print.width && row >= 0 && row < print.height;
        if (isInside) dark += print.modules[row * print.width + column] ?? 0;
      }
      light[y * width + x] = 1 - dark / subpixels.length;
    }
  }
  return developed(blurred(light, width, height, shot.blur), { width, height }, shot, seed);
}

const subpixels = [
  [0.25, 0.25],
  [0.75, 0.25],
  [0.25, 0.75],
  [0.75, 0.75],
] as const;

/** Two passes of a box blur in each direction, close to the blur of a lens. */
function blurred(light: Float32Array, width: number, height: number, radius: number): Float32Array {
  if (radius === 0) return light;
  let from = light;
  for (const [stepX, stepY] of [
    [1, 0],
    [0, 1],
    [1, 0],
    [0, 1],
  ] as const) {
    const to = new Float32Array(from.length);
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        const before = at(from, width, height, x - stepX, y - stepY);
        const after = at(from, width, height, x + stepX, y + stepY);
        const here = from[y * width + x] ?? 1;
        to[y * width + x] = (here + radius * (before + after)) / (1 + 2 * radius);
      }
    }
    from = to;
  }
  return from;
}

function at(light: Float32Array, width: number, height: number, x: number, y: number): number {
  const column = Math.min(width - 1, Math.max(0, x));
  return light[Math.min(height - 1, Math.max(0, y)) * width + column] ?? 1;
}

function developed(
  light: Float32Array,
  { width, height }: { width: number; height: number },
  { paper, ink, shadow, noise }: Shot,
  seed: number,
): CodePicture {
  const random = randomOf(seed);
  const data = new Uint8ClampedArray(width * height * 4);
  for (const [index, value] of light.entries()) {
    const side = (index % width) / width;
    const bright = (ink + (paper - ink) * value) * (1 - shadow * side) + noise * (random() - 0.5);
    data.fill(bright, index * 4, index * 4 + 3);
    data[index * 4 + 3] = 255;
  }
  return { data, width, height };
}

/** Numbers from 0 to 1 that follow from a seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
