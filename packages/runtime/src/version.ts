import { readFileSync } from 'node:fs';

/** Returns the product's version, from the package.json that is also in the container image. */
export function readVersion(): string {
  const manifest = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
