import { z } from 'zod';
import type { ObjectStorageConfig } from './connect.ts';

const expected = 'expected a URL like https://example.com';
const text = (message: string) => z.string({ error: message }).min(1, message);

/** The environment variables for the bucket and its credentials. */
export const StorageEnv = z.object({
  S3_ENDPOINT: z
    .string({ error: expected })
    .refine((address) => URL.canParse(address) && /^https?:$/.test(new URL(address).protocol), expected),
  S3_ACCESS_KEY: text('expected a secret'),
  S3_SECRET_KEY: text('expected a secret'),
  S3_BUCKET: text('expected a bucket name'),
  S3_REGION: text('expected a region').default('us-east-1'),
});

/** The object storage configuration from the environment. */
export function storageOf(env: z.infer<typeof StorageEnv>): ObjectStorageConfig {
  return {
    endpoint: env.S3_ENDPOINT,
    accessKey: env.S3_ACCESS_KEY,
    secretKey: env.S3_SECRET_KEY,
    bucket: env.S3_BUCKET,
    region: env.S3_REGION,
  };
}
