import { z } from 'zod';
import type { ObjectStorageConfig } from './connect.ts';

const expected = 'expected an address like https://example.com';
const text = (message: string) => z.string({ error: message }).min(1, message);

/** The part of an environment that names the bucket and how we may enter it. */
export const StorageEnv = z.object({
  S3_ENDPOINT: z
    .string({ error: expected })
    .refine((address) => URL.canParse(address) && /^https?:$/.test(new URL(address).protocol), expected),
  S3_ACCESS_KEY: text('expected a secret'),
  S3_SECRET_KEY: text('expected a secret'),
  S3_BUCKET: text('expected a text'),
  S3_REGION: text('expected a text').default('us-east-1'),
});

/** The object storage that an environment names. */
export function storageOf(env: z.infer<typeof StorageEnv>): ObjectStorageConfig {
  return {
    endpoint: env.S3_ENDPOINT,
    accessKey: env.S3_ACCESS_KEY,
    secretKey: env.S3_SECRET_KEY,
    bucket: env.S3_BUCKET,
    region: env.S3_REGION,
  };
}
