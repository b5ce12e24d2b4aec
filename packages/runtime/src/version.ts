import { readFileSync } from 'node:fs';

/** The version of the product, from the root package.json, which is also in the container image. */
export function readVersion(): string {
  const manifest = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
