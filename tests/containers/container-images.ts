import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** The images that the product's files use. */
export type Images = { node: string; postgres: string; redis: string; minio: string };

/** Reads the images from docker-compose.yml and infra/Dockerfile. Throws if one is not found. */
export async function readImages(root: string): Promise<Images> {
  const compose = await readFile(path.join(root, 'docker-compose.yml'), 'utf8');
  const dockerfile = await readFile(path.join(root, 'infra/Dockerfile'), 'utf8');
  const find = (what: string, text: string, pattern: RegExp) => {
    const found = pattern.exec(text)?.[1];
    if (!found) throw new Error(`No image for ${what} was found`);
    return found;
  };
  return {
    node: find('node', dockerfile, /^FROM (\S+) AS base$/m),
    postgres: find('postgres', compose, /^ +image: (\S*\bpostgres:\S+)$/m),
    redis: find('redis', compose, /^ +image: (\S*\bredis:\S+)$/m),
    minio: find('minio', compose, /^ +image: (\S*\bminio:\S+)$/m),
  };
}
