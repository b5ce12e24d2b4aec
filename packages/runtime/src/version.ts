import { readFileSync } from 'node:fs';

/** The version of the product, from the package.json at the root, which also lies in the image. */
export function readVersion(): string {
  const manifest = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
