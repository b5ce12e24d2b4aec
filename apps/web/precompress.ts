import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

/** Fonts are already compressed, and the api fills in index.html for each request. */
const compressible = /\.(?:js|css|svg|json|wasm)$/;

/**
 * Writes a brotli and a gzip copy of every built script, style and wasm, at the highest quality. This costs seconds
 * once per build; the api sends the copies as they are. Browsers accept brotli over HTTPS and on localhost only, so
 * plain HTTP in a local network gets gzip.
 */
export function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const names = Object.keys(bundle).filter((name) => compressible.test(name));
      await Promise.all(names.map((name) => writeCopies(join(dir, name), contentOf(bundle[name]))));
    },
  };
}

type Output = Parameters<Extract<Plugin['writeBundle'], (...args: never) => unknown>>[1][string];

function contentOf(output: Output | undefined): Buffer {
  if (output === undefined) throw new Error('The bundle lost a file while it was being written');
  return Buffer.from(output.type === 'chunk' ? output.code : output.source);
}

async function writeCopies(file: string, content: Buffer): Promise<void> {
  await Promise.all([
    brotliAsync(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }).then((copy) =>
      writeFile(`${file}.br`, copy),
    ),
    gzipAsync(content, { level: constants.Z_BEST_COMPRESSION }).then((copy) => writeFile(`${file}.gz`, copy)),
  ]);
}
